import { afterEach, describe, expect, it, vi } from "vitest";
import { ENVIRONMENT } from "./environment.ts";

/** A cold start: the module of the handler is loaded anew, with these settings on top of right ones. */
async function coldStart(settings: Readonly<Record<string, string | undefined>> = {}) {
  for (const [name, value] of Object.entries({ ...ENVIRONMENT, ...settings })) vi.stubEnv(name, value);
  vi.resetModules();
  return import("../../lambda/ingest.ts");
}

afterEach(() => {
  vi.unstubAllEnvs();
});

const NUMBERS = [
  "RETRY_BASE_MS",
  "RETRY_FACTOR",
  "RETRY_CAP_MS",
  "RETRY_MIN_DELAY_MS",
  "RETRY_MAX_ATTEMPTS",
  "RETRY_MAX_ELAPSED_MS",
  "RETRY_REPORT_LIFETIME_MS",
  "RETRY_ROW_LIFETIME_MS",
];
const NO_NUMBERS = ["", " ", "abc", "10s", "NaN", "Infinity", "-1"];

describe("FC-27: a cold start", () => {
  it("goes well with right settings, blanks around them included", async () => {
    const { handler } = await coldStart({ RETRY_MAX_ATTEMPTS: " 5 ", RETRY_JITTER: "equal" });
    expect(handler).toBeTypeOf("function");
  });

  it.each(NUMBERS.flatMap((name) => NO_NUMBERS.map((value) => [name, value] as const)))(
    "stops at %s='%s', with name and value",
    async (name, value) => {
      await expect(coldStart({ [name]: value })).rejects.toMatchObject({
        name: "ConfigurationError",
        message: expect.stringMatching(new RegExp(`'${name}' must be .*${JSON.stringify(value).replaceAll('"', ".")}`)),
      });
    },
  );

  it.each([
    ["RETRY_MAX_ATTEMPTS", "0"],
    ["RETRY_MAX_ATTEMPTS", "3.5"],
    ["RETRY_JITTER", "Full"],
    ["RETRY_JITTER", "ful"],
    ["RETRY_WORK_QUEUE_URL", ""],
    ["RETRY_WORK_QUEUE_URL", undefined],
    ["RETRY_DEAD_LETTER_QUEUE_URL", "dead"],
    ["RETRY_STATE_TABLE", " "],
    ["RETRY_STATE_TABLE", undefined],
    ["RETRY_INGEST_QUEUE_NAME", undefined],
    ["RETRY_ROW_LIFETIME_MS", undefined],
    ["RETRY_ID_ATTRIBUTE", ""],
    ["RETRY_CAP_MS", "900001"],
  ])("stops at %s=%j", async (name, value) => {
    await expect(coldStart({ [name]: value })).rejects.toThrow(`'${name}' must be`);
  });

  it("names every wrong setting at once", async () => {
    const failed = coldStart({ RETRY_MAX_ATTEMPTS: "0", RETRY_STATE_TABLE: "" });
    await expect(failed).rejects.toThrow(/RETRY_MAX_ATTEMPTS.*RETRY_STATE_TABLE/s);
  });
});
