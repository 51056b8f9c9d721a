import type { Scope } from "./intrinsics.ts";
import { Properties } from "./properties.ts";
import type { TemplateResource } from "./read-assembly.ts";

/** An event source mapping of the template: a queue that a function reads. */
export interface MappingPlan {
  readonly logicalId: string;
  readonly queueArn: string;
  readonly functionName: string;
  /** Most records in one event. */
  readonly batchSize: number;
  /** How long records are gathered for one event, real time. */
  readonly batchingWindowMs: number;
  /** Most invocations at one time. */
  readonly maxConcurrency: number;
  /** Whether the function says which records failed. */
  readonly reportsItemFailures: boolean;
}

/** Where the template sets no limit, AWS goes up to 1,000; one machine does not. */
const DEFAULT_CONCURRENCY = 10;

/**
 * @returns `undefined` for a mapping that is switched off
 * @throws AssemblyError for what Lambda refuses, or a source that is no queue
 */
export function planMapping(resource: TemplateResource, scope: Scope): MappingPlan | undefined {
  const properties = Properties.of(resource, scope);
  const queueArn = properties.optionalText("EventSourceArn");
  if (!queueArn?.startsWith("arn:aws:sqs:")) {
    throw properties.wrong("EventSourceArn", queueArn, "the ARN of a queue: no other source runs here");
  }
  if (properties.has("FilterCriteria")) {
    throw properties.wrong("FilterCriteria", properties.value("FilterCriteria"), "left out: filters are not run here");
  }
  const fifo = queueArn.endsWith(".fifo");
  const batchSize = properties.number("BatchSize", { least: 1, most: fifo ? 10 : 10_000, otherwise: 10 });
  const windowName = "MaximumBatchingWindowInSeconds";
  const windowSeconds = properties.number(windowName, { least: 0, most: fifo ? 0 : 300, otherwise: 0 });
  if (batchSize > 10 && windowSeconds < 1) {
    throw properties.wrong(windowName, windowSeconds, "at least 1 with a BatchSize above 10");
  }
  const scaling = properties.object("ScalingConfig");
  const responseTypes = properties.texts("FunctionResponseTypes");
  if (properties.has("Enabled") && !properties.isTrue("Enabled")) return undefined;
  return {
    logicalId: resource.logicalId,
    queueArn,
    functionName: functionNameOf(properties.text("FunctionName")),
    batchSize,
    batchingWindowMs: windowSeconds * 1000,
    maxConcurrency: scaling.number("MaximumConcurrency", { least: 2, most: 1000, otherwise: DEFAULT_CONCURRENCY }),
    reportsItemFailures: responseTypes.includes("ReportBatchItemFailures"),
  };
}

/** Templates name functions by name, by ARN, or by a part of the ARN. */
function functionNameOf(text: string): string {
  const parts = text.split(":");
  const at = parts.indexOf("function");
  return (at < 0 ? text : parts[at + 1]) ?? text;
}
