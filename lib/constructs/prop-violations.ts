import { Duration, Token } from "aws-cdk-lib";
import { parsePolicy } from "../core/backoff/parse-policy.ts";
import { MAX_DELAY_MS, MAX_DELAY_SECONDS } from "../core/backoff/policy.ts";
import { isUserAttributeName } from "../core/configuration-text.ts";
import { completeProps, policyInput } from "./complete-props.ts";
import type { RetryOrchestratorProps } from "./props.ts";
import { RETENTION, SQS_MOST_RETENTION } from "./retention.ts";

/**
 * Everything that is wrong with a pipeline's props by themselves, wherever it stands; one sentence each, which begins
 * with the prop's name in quotes. None for props that can be used.
 *
 * @param created whether the pipeline creates its work queue
 */
export function propViolations(
  props: RetryOrchestratorProps,
  created: boolean = props.workQueue === undefined,
): readonly string[] {
  const tokens = tokenViolations(props);
  // Nothing can be compared with a value that is not known yet.
  if (tokens.length > 0) return tokens;
  const ranges = RANGES.flatMap((range) => rangeViolation(props, range));
  // Rules compare props with each other, which makes sense only inside their ranges.
  const wrong = new Set(ranges.map(nameIn));
  const rules = rulesOf(props, created).filter(([broken, message]) => broken && !wrong.has(nameIn(message)));
  return [...policyViolations(props), ...ranges, ...rules.map(([, message]) => message)];
}

const DAY_MS = 86_400_000;

/** A condition that must not be, and what to say if it is. */
type Rule = readonly [broken: boolean, message: string];

function rulesOf(props: RetryOrchestratorProps, created: boolean): readonly Rule[] {
  const { reservedConcurrency, idAttribute } = props;
  const { batchSize, batchingWindow, maxConcurrency, ingestRetention, workQueueRetention } = completeProps(props);
  return [
    [
      batchSize > 10 && batchingWindow.toMilliseconds() < 1000,
      `'batchingWindow' must be at least 1 second with a batchSize above 10, got ${batchingWindow.toMilliseconds()} ms`,
    ],
    [
      reservedConcurrency !== undefined && reservedConcurrency < maxConcurrency,
      `'reservedConcurrency' must not be less than maxConcurrency (${maxConcurrency}), got ${reservedConcurrency}`,
    ],
    [
      created && ingestRetention.toMilliseconds() < workQueueRetention.toMilliseconds() + DAY_MS,
      `'ingestRetention' must be at least a day above the work queue's ${daysText(workQueueRetention)}, as SQS's own move ` +
        `keeps a message's first enqueue time, got ${daysText(ingestRetention)}`,
    ],
    [!created && props.workQueueRetention !== undefined, onlyCreated("workQueueRetention")],
    [!created && props.workQueueVisibilityTimeout !== undefined, onlyCreated("workQueueVisibilityTimeout")],
    [
      idAttribute !== undefined && !isUserAttributeName(idAttribute),
      `'idAttribute' must be a legal SQS attribute name of 1 to 256 characters other than RetryContext, got '${idAttribute}'`,
    ],
  ];
}

function onlyCreated(name: string): string {
  return `'${name}' must be left out with a workQueue of your own: it is a setting of a created one`;
}

/** Days or less, for people. */
export function daysText(duration: Duration): string {
  return `${Number(duration.toDays({ integral: false }).toFixed(2))} days`;
}

interface Range {
  readonly name: keyof RetryOrchestratorProps;
  readonly least: number;
  readonly most: number;
}

/** Whole numbers; durations in seconds. */
const RANGES: readonly Range[] = [
  // The function stops two seconds before its time is up, and one call to AWS may take twelve with its repeats.
  { name: "functionTimeout", least: 15, most: 900 },
  { name: "batchingWindow", least: 0, most: 300 },
  { name: "batchSize", least: 1, most: 10_000 },
  { name: "maxConcurrency", least: 2, most: 1000 },
  { name: "reservedConcurrency", least: 1, most: 10_000 },
  { name: "workQueueVisibilityTimeout", least: 0, most: 43_200 },
  // They count in the ingest queue, too, and must leave it most of the 1,000 that SQS allows.
  { name: "maxReceiveCount", least: 1, most: 100 },
  { name: "workQueueRetention", least: 60, most: SQS_MOST_RETENTION.toSeconds() },
  // Two days outlast the day for which SQS goes on delivering a report; the dead-letter queue keeps a day more.
  { name: "ingestRetention", least: 2 * 86_400, most: RETENTION.deadLetter.toSeconds() - 86_400 },
];

function rangeViolation(props: RetryOrchestratorProps, { name, least, most }: Range): readonly string[] {
  const given = props[name];
  if (given === undefined) return [];
  const isDuration = given instanceof Duration;
  const value: unknown = isDuration ? given.toMilliseconds() / 1000 : given;
  if (typeof value === "number" && Number.isInteger(value) && value >= least && value <= most) return [];
  const unit = isDuration ? " of seconds" : "";
  return [`'${name}' must be a whole number${unit} between ${least} and ${most}, got ${value}`];
}

/** What core finds, in the words of the props; a cap that is too long only for now has a sentence of its own. */
function policyViolations(props: RetryOrchestratorProps): readonly string[] {
  const { cap } = props;
  const tooLong = cap !== undefined && cap.toMilliseconds() > MAX_DELAY_MS;
  const parsed = parsePolicy(policyInput({ ...props, ...(tooLong && { cap: Duration.millis(MAX_DELAY_MS) }) }), {
    maxCapMs: MAX_DELAY_MS,
  });
  const found = parsed.ok ? [] : parsed.violations.map(({ message }) => message);
  return [
    ...(tooLong
      ? [
          `'cap' must be between 1 and ${MAX_DELAY_SECONDS} seconds, got ${cap.toSeconds({ integral: false })}: ` +
            "SQS delays no message longer, and longer delays come with the parking queue in a later release",
        ]
      : []),
    ...found.map((message) => message.replace(/^'(base|cap|minDelay|maxElapsed)Ms'/, "'$1' in milliseconds")),
  ];
}

function tokenViolations(props: RetryOrchestratorProps): readonly string[] {
  const settings = { ...props, ...(props.jitter && prefixed("jitter.", props.jitter)) };
  return Object.entries(settings)
    .filter(([, value]) => (value instanceof Duration ? value.isUnresolved() : isScalarToken(value)))
    .map(([name]) => `'${name}' must be known at synthesis, got a token: other settings are derived from it`);
}

/** Constructs among the props may well have unresolved names. */
function isScalarToken(value: unknown): boolean {
  return (typeof value === "number" || typeof value === "string") && Token.isUnresolved(value);
}

function prefixed(prefix: string, fields: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [prefix + name, value]));
}

/** The prop that a violation is about. */
function nameIn(message: string): string {
  return /^'([^']+)'/.exec(message)?.[1] ?? "";
}
