import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DEFAULT_POLICY } from "../../lib/core/backoff/policy.ts";
import { type PipelineConfiguration, parseConfiguration, printConfiguration } from "../../lib/core/configuration.ts";
import { ConfigurationError } from "../../lib/core/configuration-error.ts";
import { anyPolicy } from "./backoff/policies.ts";

const REQUIRED = {
  RETRY_WORK_QUEUE_URL: "https://sqs.eu-west-1.amazonaws.com/123456789012/work",
  RETRY_DEAD_LETTER_QUEUE_URL: "http://127.0.0.1:9324/000000000000/dead-letter",
  RETRY_STATE_TABLE: "state",
  RETRY_INGEST_QUEUE_NAME: "ingest",
  RETRY_WORK_MAX_RECEIVE_COUNT: "2",
  RETRY_REPORT_LIFETIME_MS: "86640000",
  RETRY_ROW_LIFETIME_MS: "3802500000",
};

type Environment = Readonly<Record<string, string | undefined>>;

/** What is wrong with the environment that has these settings besides the required ones. */
function violationsOf(settings: Environment) {
  try {
    parseConfiguration({ ...REQUIRED, ...settings });
    return [];
  } catch (error) {
    if (error instanceof ConfigurationError) return error.violations;
    throw error;
  }
}

/** Every numeric setting: what else it needs to be valid at 5, and what it reads from the configuration. */
const NUMERIC: readonly {
  setting: string;
  whole: boolean;
  zero?: "allowed";
  five?: "refused";
  unset: number | undefined | "refused";
  beside?: Environment;
  read: (configuration: PipelineConfiguration) => number | undefined;
}[] = [
  { setting: "RETRY_BASE_MS", whole: true, unset: 10_000, read: ({ policy }) => policy.baseMs },
  { setting: "RETRY_FACTOR", whole: false, unset: 2, read: ({ policy }) => policy.factor },
  {
    setting: "RETRY_CAP_MS",
    whole: true,
    unset: 900_000,
    beside: { RETRY_BASE_MS: "1", RETRY_MIN_DELAY_MS: "0" },
    read: ({ policy }) => policy.capMs,
  },
  {
    setting: "RETRY_MIN_DELAY_MS",
    whole: true,
    zero: "allowed",
    unset: 1_000,
    read: ({ policy }) => policy.minDelayMs,
  },
  {
    setting: "RETRY_JITTER_RATIO",
    whole: false,
    zero: "allowed",
    five: "refused",
    unset: 0.25,
    beside: { RETRY_JITTER: "proportional" },
    read: ({ policy }) => ("ratio" in policy.jitter ? policy.jitter.ratio : undefined),
  },
  {
    setting: "RETRY_JITTER_SPREAD_MS",
    whole: true,
    zero: "allowed",
    unset: 2_500,
    beside: { RETRY_JITTER: "absolute" },
    read: ({ policy }) => ("spreadMs" in policy.jitter ? policy.jitter.spreadMs : undefined),
  },
  { setting: "RETRY_MAX_ATTEMPTS", whole: true, unset: 10, read: ({ policy }) => policy.maxAttempts },
  { setting: "RETRY_MAX_ELAPSED_MS", whole: true, unset: undefined, read: ({ policy }) => policy.maxElapsedMs },
  {
    setting: "RETRY_WORK_MAX_RECEIVE_COUNT",
    whole: true,
    unset: "refused",
    read: ({ workMaxReceiveCount }) => workMaxReceiveCount,
  },
  {
    setting: "RETRY_REPORT_LIFETIME_MS",
    whole: true,
    unset: "refused",
    read: ({ reportLifetimeMs }) => reportLifetimeMs,
  },
  { setting: "RETRY_ROW_LIFETIME_MS", whole: true, unset: "refused", read: ({ rowLifetimeMs }) => rowLifetimeMs },
];

const NO_NUMBERS = [
  "",
  " ",
  "abc",
  "10s",
  "NaN",
  "Infinity",
  "-1",
  "0x10",
  "1e3",
  "+5",
  ".5",
  "5.",
  "1_000",
  "1,000",
  "٥",
];

describe.each(NUMERIC)("FC-27: $setting", ({ setting, whole, zero, five, unset, beside = {}, read }) => {
  const withValue = (value: string | undefined) => ({ ...REQUIRED, ...beside, [setting]: value });

  it.each(NO_NUMBERS)("of '%s' is refused, with name and value", (value) => {
    const [violation, ...others] = violationsOf({ ...beside, [setting]: value });

    expect(violation).toMatchObject({ name: setting, value });
    expect(violation?.message).toMatch(new RegExp(`^'${setting}' must be a .*number between .* and .*, got "`));
    expect(others).toEqual([]);
  });

  it(`of '0' is ${zero ?? "refused, with name and value"}`, () => {
    if (zero === "allowed") expect(read(parseConfiguration(withValue("0")))).toBe(0);
    else expect(violationsOf({ ...beside, [setting]: "0" })).toMatchObject([{ name: setting, value: "0" }]);
  });

  it(`of '3.5' is ${whole || five ? "refused, with name and value" : "taken"}`, () => {
    if (whole || five)
      expect(violationsOf({ ...beside, [setting]: "3.5" })).toMatchObject([{ name: setting, value: "3.5" }]);
    else expect(read(parseConfiguration(withValue("3.5")))).toBe(3.5);
  });

  it.each(["5", " 5 ", "5\n"])(`of '%s' is ${five ? "refused, with name and value" : "taken as 5"}`, (value) => {
    if (five) expect(violationsOf({ ...beside, [setting]: value })).toMatchObject([{ name: setting, value }]);
    else expect(read(parseConfiguration(withValue(value)))).toBe(5);
  });

  it(`unset is ${unset === "refused" ? "refused, with its name" : (unset ?? "no limit")}`, () => {
    if (unset !== "refused") expect(read(parseConfiguration(withValue(undefined)))).toBe(unset);
    else {
      expect(violationsOf({ [setting]: undefined })).toMatchObject([
        { name: setting, value: undefined, message: expect.stringMatching(/, got nothing$/) },
      ]);
    }
  });
});

describe("FC-27: the settings that are no numbers", () => {
  const texts = ["RETRY_WORK_QUEUE_URL", "RETRY_DEAD_LETTER_QUEUE_URL", "RETRY_STATE_TABLE", "RETRY_INGEST_QUEUE_NAME"];

  it.each(texts)("refuse %s where it is unset or empty, with name and value", (setting) => {
    for (const value of [undefined, "", " "]) {
      expect(violationsOf({ [setting]: value })).toMatchObject([{ name: setting, value }]);
    }
  });

  it.each([
    "work",
    "arn:aws:sqs:eu-west-1:123456789012:work",
    "ftp://host/work",
    "https://",
    "https:///work",
    "http//x",
    "http://host:99999/work",
  ])("refuse the queue URL '%s'", (value) => {
    for (const setting of ["RETRY_WORK_QUEUE_URL", "RETRY_DEAD_LETTER_QUEUE_URL"]) {
      expect(violationsOf({ [setting]: value }).map(({ message }) => message)).toEqual([
        `'${setting}' must be a queue URL that begins with https:// or http://, got "${value}"`,
      ]);
    }
  });

  it.each(["Full", "ful", "FULL", "", "random"])("refuse the jitter mode '%s' with the list of modes", (value) => {
    expect(violationsOf({ RETRY_JITTER: value }).map(({ message }) => message)).toEqual([
      `'RETRY_JITTER' must be one of none, full, equal, decorrelated, proportional, additive, absolute, got "${value}"`,
    ]);
  });

  it("refuse a jitter parameter that does not belong to the mode, the default mode included", () => {
    expect(violationsOf({ RETRY_JITTER_RATIO: "0.5" }).map(({ message }) => message)).toEqual([
      `'RETRY_JITTER_RATIO' must be left out in mode full (it belongs to proportional and additive), got "0.5"`,
    ]);
    expect(violationsOf({ RETRY_JITTER: "equal", RETRY_JITTER_SPREAD_MS: "5" })).toMatchObject([
      { name: "RETRY_JITTER_SPREAD_MS", value: "5" },
    ]);
  });

  it.each([
    "",
    " ",
    "order id",
    "order/id",
    "a".repeat(257),
    ".id",
    "id.",
    "a..b",
    "AWS.id",
    "amazon.id",
    "RetryContext",
  ])("refuse the id attribute '%s'", (value) => {
    expect(violationsOf({ RETRY_ID_ATTRIBUTE: value })).toMatchObject([{ name: "RETRY_ID_ATTRIBUTE", value }]);
  });
});

describe("the configuration in the environment", () => {
  it("takes the default policy where no policy setting is set", () => {
    expect(parseConfiguration(REQUIRED)).toEqual({
      policy: DEFAULT_POLICY,
      workQueueUrl: "https://sqs.eu-west-1.amazonaws.com/123456789012/work",
      deadLetterQueueUrl: "http://127.0.0.1:9324/000000000000/dead-letter",
      stateTableName: "state",
      ingestQueueName: "ingest",
      workMaxReceiveCount: 2,
      reportLifetimeMs: 86_640_000,
      rowLifetimeMs: 3_802_500_000,
    });
  });

  it("ignores blanks around texts, and variables of others", () => {
    const configuration = parseConfiguration({
      ...REQUIRED,
      RETRY_STATE_TABLE: " state ",
      RETRY_JITTER: " equal ",
      RETRY_ID_ATTRIBUTE: " order-id ",
      AWS_REGION: "eu-west-1",
    });

    expect(configuration.stateTableName).toBe("state");
    expect(configuration.policy.jitter).toEqual({ mode: "equal" });
    expect(configuration.idAttribute).toBe("order-id");
  });

  it("refuses a cap above 900 s, the longest delay of one send", () => {
    expect(violationsOf({ RETRY_CAP_MS: "900001" }).map(({ message }) => message)).toEqual([
      `'RETRY_CAP_MS' must be a whole number between 1 and 900000, got "900001"`,
    ]);
    expect(violationsOf({ RETRY_CAP_MS: "900000" })).toEqual([]);
  });

  it("names the default that contradicts a setting", () => {
    expect(violationsOf({ RETRY_CAP_MS: "5000" }).map(({ message }) => message)).toEqual([
      "'RETRY_BASE_MS' must be a whole number between 1 and 5000 (the cap), got 10000, the default",
    ]);
  });

  it("refuses a number too large to be one", () => {
    expect(violationsOf({ RETRY_MAX_ELAPSED_MS: "9".repeat(400) })).toMatchObject([{ name: "RETRY_MAX_ELAPSED_MS" }]);
  });

  it("is refused with everything that is wrong, in one error", () => {
    const parse = () =>
      parseConfiguration({ ...REQUIRED, RETRY_BASE_MS: "10s", RETRY_JITTER: "Full", RETRY_STATE_TABLE: undefined });

    expect(parse).toThrow(ConfigurationError);
    expect(parse).toThrow(
      "wrong settings, to be corrected in the function's environment: " +
        `'RETRY_BASE_MS' must be a whole number between 1 and 900000, got "10s"; ` +
        "'RETRY_JITTER' must be one of none, full, equal, decorrelated, proportional, additive, absolute, got \"Full\"; " +
        "'RETRY_STATE_TABLE' must be the name of the state table, got nothing",
    );
  });

  it("is refused whole where nothing is set", () => {
    expect(() => parseConfiguration({})).toThrow(ConfigurationError);
  });
});

describe("a printed configuration", () => {
  const anyText = fc.stringMatching(/^[\w.-]{1,40}$/);
  const anyConfiguration: fc.Arbitrary<PipelineConfiguration> = fc
    .record({
      policy: anyPolicy.filter(({ capMs }) => capMs <= 900_000),
      workQueueUrl: fc.webUrl(),
      deadLetterQueueUrl: fc.webUrl(),
      stateTableName: anyText,
      ingestQueueName: anyText,
      idAttribute: fc.option(fc.stringMatching(/^x[\w-]{0,20}(\.[\w-]{1,20})?$/), { nil: undefined }),
      workMaxReceiveCount: fc.integer({ min: 1, max: 1000 }),
      reportLifetimeMs: fc.integer({ min: 1, max: 365 * 86_400_000 }),
      rowLifetimeMs: fc.integer({ min: 1, max: 365 * 86_400_000 }),
    })
    .map(({ idAttribute, ...rest }) => (idAttribute === undefined ? rest : { ...rest, idAttribute }));

  it("is read back as it was", () => {
    fc.assert(
      fc.property(anyConfiguration, (configuration) => {
        expect(parseConfiguration(printConfiguration(configuration))).toEqual(configuration);
      }),
      { numRuns: 500 },
    );
  });

  it("has one variable per setting, and none for what is absent", () => {
    expect(printConfiguration(parseConfiguration(REQUIRED))).toEqual({
      ...REQUIRED,
      RETRY_BASE_MS: "10000",
      RETRY_FACTOR: "2",
      RETRY_CAP_MS: "900000",
      RETRY_MIN_DELAY_MS: "1000",
      RETRY_JITTER: "full",
      RETRY_MAX_ATTEMPTS: "10",
    });
  });

  it("writes very small ratios in plain digits", () => {
    const policy = { ...DEFAULT_POLICY, jitter: { mode: "additive", ratio: 1.5e-7 } } as const;

    const printed = printConfiguration({ ...parseConfiguration(REQUIRED), policy });

    expect(printed.RETRY_JITTER_RATIO).toBe("0.00000015");
  });
});
