import { Logger } from "@aws-lambda-powertools/logger";
import { Metrics, MetricUnit } from "@aws-lambda-powertools/metrics";
import { METRIC_DIMENSION, METRIC_NAMESPACE, METRICS, type MetricName } from "../../core/metrics.ts";

/** Fields of a log line; never a message body. */
export type LogFields = Readonly<Record<string, string | number | boolean | undefined>>;

/** What the handlers say of their work. */
export interface Telemetry {
  /** One line on one decision. */
  decision(name: string, fields: LogFields): void;
  /** Something of ours went wrong; the item is safe. */
  problem(what: string, fields: LogFields): void;
  count(metric: Exclude<MetricName, "DelaySeconds">, by?: number): void;
  delay(seconds: number): void;
  /** Writes out what was counted; call at the end of each invocation. */
  flush(): void;
}

const SERVICE = "retry-orchestrator";

/**
 * Structured log lines and CloudWatch metrics in the embedded format, both on standard output, by Powertools. All
 * metrics have one dimension, the name of the pipeline's ingest queue.
 */
export function createTelemetry(ingestQueueName: string): Telemetry {
  const logger = new Logger({ serviceName: SERVICE });
  const metrics = new Metrics({ namespace: METRIC_NAMESPACE, serviceName: SERVICE });
  metrics.clearDefaultDimensions();
  metrics.setDefaultDimensions({ [METRIC_DIMENSION]: ingestQueueName });
  return {
    decision: (name, fields) => logger.info(name, { ...fields }),
    problem: (what, fields) => logger.warn(what, { ...fields }),
    count: (metric, by = 1) => metrics.addMetric(metric, MetricUnit.Count, by),
    delay: (seconds) => metrics.addMetric(METRICS.DelaySeconds, MetricUnit.Seconds, seconds),
    // Powertools warns of having nothing to publish.
    flush: () => {
      if (metrics.hasStoredMetrics()) metrics.publishStoredMetrics();
    },
  };
}
