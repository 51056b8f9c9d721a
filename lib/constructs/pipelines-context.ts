import { Duration } from "aws-cdk-lib";
import { JITTER_MODES, type Jitter } from "../core/backoff/policy.ts";
import { propViolations } from "./prop-violations.ts";
import type { PipelineProps } from "./retry-stack.ts";

/** A duration in context: a whole number and a unit. */
const DURATION = /^(\d{1,9})(ms|s|m|h|d)$/;

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

const DURATIONS = [
  "base",
  "cap",
  "minDelay",
  "maxElapsed",
  "workQueueVisibilityTimeout",
  "workQueueRetention",
  "ingestRetention",
  "functionTimeout",
  "batchingWindow",
];
const NUMBERS = ["factor", "maxAttempts", "maxReceiveCount", "batchSize", "maxConcurrency", "reservedConcurrency"];
const TEXTS = ["idAttribute", "workQueueArn"];
const KNOWN = [...DURATIONS, "jitter", ...NUMBERS, ...TEXTS].join(", ");

const QUEUE_ARN = /^arn:aws[a-z-]*:sqs:[a-z0-9-]+:\d{12}:[A-Za-z0-9_-]{1,80}$/;

/** The pipeline that is deployed where the context says nothing. */
const DEFAULT_PIPELINES = { Retry: {} };

/**
 * The pipelines that the CDK context `pipelines` describes: an object of names and settings, or the same as JSON text,
 * as `-c pipelines=…` passes it.
 *
 * @throws Error that lists everything wrong with it, each with path, value and what is allowed
 */
export function pipelinesFromContext(context: unknown): Readonly<Record<string, PipelineProps>> {
  if (context === undefined) return DEFAULT_PIPELINES;
  const violations: string[] = [];
  const pipelines: Record<string, PipelineProps> = {};
  const entries = objectEntries(typeof context === "string" ? parsedJson(context) : context);
  if (!entries || entries.length === 0) {
    violations.push(`'pipelines' must be an object of at least one name and its settings, got ${show(context)}`);
  }
  for (const [name, settings] of entries ?? []) {
    if (!/^[A-Za-z][A-Za-z0-9]{0,63}$/.test(name)) {
      violations.push(`'pipelines.${name}' must be named by letters and digits, first a letter, at most 64`);
    }
    pipelines[name] = readPipeline(`pipelines.${name}`, settings, violations);
  }
  violations.push(...sharedWorkQueues(pipelines));
  if (violations.length > 0) throw new Error(`wrong context, to be corrected in cdk.json: ${violations.join("; ")}`);
  return pipelines;
}

function readPipeline(path: string, settings: unknown, violations: string[]): PipelineProps {
  const entries = objectEntries(settings);
  if (!entries) {
    violations.push(`'${path}' must be an object of settings, got ${show(settings)}`);
    return {};
  }
  const props: Record<string, unknown> = {};
  for (const [key, value] of entries) {
    const read = readSetting(key, value);
    if (typeof read === "object" && "allowed" in read) {
      violations.push(`'${path}.${key}' must be ${read.allowed}, got ${show(value)}`);
    } else props[key] = read.value;
  }
  const found = propViolations(props, props.workQueueArn === undefined);
  violations.push(...found.map((message) => message.replace("'", `'${path}.`)));
  return props as PipelineProps;
}

/** There is one pipeline per work queue: a second one would count the attempts of the same items once more. */
function sharedWorkQueues(pipelines: Readonly<Record<string, PipelineProps>>): readonly string[] {
  const owners = new Map<string, string>();
  return Object.entries(pipelines).flatMap(([name, { workQueueArn }]) => {
    if (workQueueArn === undefined) return [];
    const owner = owners.get(workQueueArn);
    if (owner !== undefined) {
      return [`'pipelines.${name}.workQueueArn' must not be that of another pipeline, got that of '${owner}'`];
    }
    owners.set(workQueueArn, name);
    return [];
  });
}

type Read = { readonly value: unknown } | { readonly allowed: string };

function readSetting(key: string, value: unknown): Read {
  if (DURATIONS.includes(key)) {
    const match = typeof value === "string" ? DURATION.exec(value) : null;
    return match
      ? { value: Duration.millis(Number(match[1]) * (UNIT_MS[match[2] ?? ""] ?? 0)) }
      : { allowed: 'a duration like "500ms", "10s", "15m", "2h" or "1d"' };
  }
  if (NUMBERS.includes(key)) return typeof value === "number" ? { value } : { allowed: "a number" };
  if (key === "jitter") return readJitter(value);
  if (key === "workQueueArn") {
    return typeof value === "string" && QUEUE_ARN.test(value)
      ? { value }
      : {
          allowed:
            "the ARN of a standard SQS queue like arn:aws:sqs:eu-west-1:123456789012:payments; FIFO work queues are not built yet",
        };
  }
  if (TEXTS.includes(key)) return typeof value === "string" ? { value } : { allowed: "a text" };
  return { allowed: `left out (known are ${KNOWN})` };
}

/** A mode's name, or an object as the construct takes it, whose numbers the policy checks. */
function readJitter(value: unknown): Read {
  if (typeof value === "string") {
    const mode = JITTER_MODES.find((each) => each === value);
    if (mode !== undefined) return { value: { mode } as Jitter };
  }
  if (objectEntries(value)) return { value };
  return { allowed: `one of ${JITTER_MODES.join(", ")}, or an object with 'mode' and its number` };
}

function objectEntries(value: unknown): [string, unknown][] | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? Object.entries(value) : undefined;
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}
