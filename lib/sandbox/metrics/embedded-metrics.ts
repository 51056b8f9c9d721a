import { isObject, type JsonObject } from "../json.ts";
import type { MetricKey } from "./metric-store.ts";

/** A value that a log line carried. */
export interface EmbeddedValue {
  readonly key: MetricKey;
  readonly value: number;
}

/**
 * The metric values of a log line in CloudWatch's embedded metric format
 * (https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html):
 * one series for each metric and each set of dimensions.
 *
 * @returns `undefined` for a line that is no such document
 */
export function embeddedMetrics(document: JsonObject): readonly EmbeddedValue[] | undefined {
  const directives = isObject(document._aws) ? document._aws.CloudWatchMetrics : undefined;
  if (!Array.isArray(directives)) return undefined;
  return directives.filter(isObject).flatMap((directive) => valuesOf(directive, document));
}

function valuesOf(directive: JsonObject, document: JsonObject): readonly EmbeddedValue[] {
  const { Namespace: namespace, Metrics: metrics, Dimensions: sets } = directive;
  if (typeof namespace !== "string" || !Array.isArray(metrics)) return [];
  const dimensionSets = Array.isArray(sets) && sets.length > 0 ? sets.filter(Array.isArray) : [[]];
  return metrics.filter(isObject).flatMap(({ Name: name }) => {
    if (typeof name !== "string") return [];
    const found = document[name];
    const values = (Array.isArray(found) ? found : [found]).filter((value) => typeof value === "number");
    return dimensionSets.flatMap((set) => {
      const dimensions = Object.fromEntries(set.map((dimension) => [String(dimension), String(document[dimension])]));
      return values.map((value) => ({ key: { namespace, name, dimensions }, value }));
    });
  });
}
