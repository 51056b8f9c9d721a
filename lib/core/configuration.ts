import { parsePolicy } from "./backoff/parse-policy.ts";
import { DEFAULT_POLICY, MAX_DELAY_MS, type RetryPolicy } from "./backoff/policy.ts";
import { type NumberRange, numberViolation, type Violation, violation } from "./backoff/violation.ts";
import { ConfigurationError } from "./configuration-error.ts";
import { isHttpUrl, isUserAttributeName, plainDecimal, plainNumber } from "./configuration-text.ts";

/** Everything a pipeline's handlers need to know; the constructs print it, the handlers parse it. */
export interface PipelineConfiguration {
  readonly policy: RetryPolicy;
  readonly workQueueUrl: string;
  readonly deadLetterQueueUrl: string;
  readonly stateTableName: string;
  /** The metric dimension. */
  readonly ingestQueueName: string;
  /** User attribute that carries the caller's own item id, if the pipeline names one. */
  readonly idAttribute?: string;
  /** Deliveries of the work queue after which SQS moves a message to the ingest queue, if it is wired. */
  readonly workMaxReceiveCount: number;
  /** How long SQS goes on delivering an unacknowledged report: ingest `maxReceiveCount` × visibility timeout. */
  readonly reportLifetimeMs: number;
  /** How long a row outlives its last write: longest delay + all retentions + 2 days. */
  readonly rowLifetimeMs: number;
}

/** What a function's environment holds. */
type Environment = Readonly<Record<string, string | undefined>>;

/** Environment variables of the policy's fields, by the names that policy violations use. */
const POLICY_VARIABLES: Readonly<Record<string, string>> = {
  baseMs: "RETRY_BASE_MS",
  factor: "RETRY_FACTOR",
  capMs: "RETRY_CAP_MS",
  minDelayMs: "RETRY_MIN_DELAY_MS",
  maxAttempts: "RETRY_MAX_ATTEMPTS",
  maxElapsedMs: "RETRY_MAX_ELAPSED_MS",
  "jitter.mode": "RETRY_JITTER",
  "jitter.ratio": "RETRY_JITTER_RATIO",
  "jitter.spreadMs": "RETRY_JITTER_SPREAD_MS",
};

/** What SQS allows as `maxReceiveCount`. */
const RECEIVES: NumberRange = { least: 1, most: 1000, whole: true };

const LIFETIME: NumberRange = { least: 1, most: 365 * 86_400_000, whole: true };

/** A configuration as environment variables, one per setting, all named `RETRY_…`; absent settings are left out. */
export function printConfiguration(configuration: PipelineConfiguration): Record<string, string> {
  const { policy } = configuration;
  const { jitter } = policy;
  const settings: Record<string, string | number | undefined> = {
    RETRY_BASE_MS: policy.baseMs,
    RETRY_FACTOR: policy.factor,
    RETRY_CAP_MS: policy.capMs,
    RETRY_MIN_DELAY_MS: policy.minDelayMs,
    RETRY_JITTER: jitter.mode,
    RETRY_JITTER_RATIO: "ratio" in jitter ? jitter.ratio : undefined,
    RETRY_JITTER_SPREAD_MS: "spreadMs" in jitter ? jitter.spreadMs : undefined,
    RETRY_MAX_ATTEMPTS: policy.maxAttempts,
    RETRY_MAX_ELAPSED_MS: policy.maxElapsedMs,
    RETRY_WORK_QUEUE_URL: configuration.workQueueUrl,
    RETRY_DEAD_LETTER_QUEUE_URL: configuration.deadLetterQueueUrl,
    RETRY_STATE_TABLE: configuration.stateTableName,
    RETRY_INGEST_QUEUE_NAME: configuration.ingestQueueName,
    RETRY_ID_ATTRIBUTE: configuration.idAttribute,
    RETRY_WORK_MAX_RECEIVE_COUNT: configuration.workMaxReceiveCount,
    RETRY_REPORT_LIFETIME_MS: configuration.reportLifetimeMs,
    RETRY_ROW_LIFETIME_MS: configuration.rowLifetimeMs,
  };
  const printed: Record<string, string> = {};
  for (const [variable, value] of Object.entries(settings)) {
    if (value !== undefined) printed[variable] = typeof value === "number" ? plainDecimal(value) : value;
  }
  return printed;
}

/**
 * The configuration that the environment variables say. An unset policy setting takes the default policy's value;
 * everything else must be set, but for `RETRY_ID_ATTRIBUTE`. Blanks around a value do not count; an empty value is not
 * an unset one. The cap may be 900 s at most, which is the longest delay of one send.
 *
 * @throws ConfigurationError with every setting that is wrong.
 */
export function parseConfiguration(env: Environment): PipelineConfiguration {
  const violations: Violation[] = [];
  const parsed = parsePolicy(policyInput(env), { maxCapMs: MAX_DELAY_MS });
  if (!parsed.ok) violations.push(...parsed.violations.map((found) => inEnvironment(found, env)));

  const text = (variable: string, allowed: string, fits = (_text: string) => true): string => {
    const trimmed = env[variable]?.trim() ?? "";
    if (trimmed === "" || !fits(trimmed)) violations.push(violation(variable, env[variable], allowed));
    return trimmed;
  };
  const queueUrl = (variable: string) => text(variable, "a queue URL that begins with https:// or http://", isHttpUrl);
  const number = (variable: string, range: NumberRange): number => {
    const value = numberOf(env[variable]);
    const wrong = numberViolation(variable, value, range);
    if (wrong !== undefined) violations.push(inEnvironment(wrong, env));
    return Number(value);
  };
  const rest = {
    workQueueUrl: queueUrl("RETRY_WORK_QUEUE_URL"),
    deadLetterQueueUrl: queueUrl("RETRY_DEAD_LETTER_QUEUE_URL"),
    stateTableName: text("RETRY_STATE_TABLE", "the name of the state table"),
    ingestQueueName: text("RETRY_INGEST_QUEUE_NAME", "the name of the ingest queue"),
    ...(env.RETRY_ID_ATTRIBUTE !== undefined && {
      idAttribute: text(
        "RETRY_ID_ATTRIBUTE",
        "unset or the name of a message attribute of the sender's own",
        isUserAttributeName,
      ),
    }),
    workMaxReceiveCount: number("RETRY_WORK_MAX_RECEIVE_COUNT", RECEIVES),
    reportLifetimeMs: number("RETRY_REPORT_LIFETIME_MS", LIFETIME),
    rowLifetimeMs: number("RETRY_ROW_LIFETIME_MS", LIFETIME),
  };
  if (!parsed.ok || violations.length > 0) throw new ConfigurationError(violations);
  return { policy: parsed.policy, ...rest };
}

/** The policy part, with text that is no plain number left as it is, so that it is refused as it was written. */
function policyInput(env: Environment): unknown {
  return {
    baseMs: numberOf(env.RETRY_BASE_MS),
    factor: numberOf(env.RETRY_FACTOR),
    capMs: numberOf(env.RETRY_CAP_MS),
    minDelayMs: numberOf(env.RETRY_MIN_DELAY_MS),
    jitter: {
      mode: env.RETRY_JITTER?.trim() ?? DEFAULT_POLICY.jitter.mode,
      ratio: numberOf(env.RETRY_JITTER_RATIO),
      spreadMs: numberOf(env.RETRY_JITTER_SPREAD_MS),
    },
    maxAttempts: numberOf(env.RETRY_MAX_ATTEMPTS),
    maxElapsedMs: numberOf(env.RETRY_MAX_ELAPSED_MS),
  };
}

function numberOf(text: string | undefined): number | string | undefined {
  return text === undefined ? undefined : (plainNumber(text) ?? text);
}

/** The same violation in the words of the environment: the variable's name, and its text as it stands there. */
function inEnvironment({ name, value, allowed }: Violation, env: Environment): Violation {
  const variable = POLICY_VARIABLES[name] ?? name;
  const text = env[variable];
  return violation(variable, text ?? value, allowed, text === undefined);
}
