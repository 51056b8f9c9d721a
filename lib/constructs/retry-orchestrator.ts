import { Stack } from "aws-cdk-lib";
import { type Alarm, Metric, type MetricOptions } from "aws-cdk-lib/aws-cloudwatch";
import { SnsAction } from "aws-cdk-lib/aws-cloudwatch-actions";
import type { Table } from "aws-cdk-lib/aws-dynamodb";
import type { Grant, IGrantable } from "aws-cdk-lib/aws-iam";
import type { IFunction } from "aws-cdk-lib/aws-lambda";
import type { ITopic } from "aws-cdk-lib/aws-sns";
import type { IQueue, Queue } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import { METRIC_DIMENSION, METRIC_NAMESPACE, METRICS, type MetricName } from "../core/metrics.ts";
import { alarmTopic } from "./alarm-topic.ts";
import { PERIOD } from "./alarms/alarm-family.ts";
import { deadLetterAlarms } from "./alarms/dead-letter-alarms.ts";
import { ingestAlarms } from "./alarms/ingest-alarms.ts";
import { tableAlarm } from "./alarms/table-alarm.ts";
import { workQueueAlarm } from "./alarms/work-queue-alarm.ts";
import { redriveCommand } from "./commands.ts";
import { IngestFunction } from "./ingest-function.ts";
import { pipelineSettings } from "./pipeline-settings.ts";
import type { RetryOrchestratorProps } from "./props.ts";
import { deadLetterQueue, ingestQueue, workQueue } from "./queues.ts";
import { stateTable } from "./state-table.ts";
import { wire, wiringViolations } from "./wiring.ts";

/**
 * Durable retry for one work queue: an ingest queue for failed items, the function that sends each back after a
 * backed-off, jittered delay, the table that remembers attempts, the dead-letter queue for what is exhausted, and the
 * alarms that tell somebody.
 *
 * @example
 * const retries = new RetryOrchestrator(this, "Payments", { workQueue: payments, maxAttempts: 6 });
 * retries.grantReportFailures(worker);
 */
export class RetryOrchestrator extends Construct {
  /** Where failed items go: by a redrive policy that names it, or by a send. */
  readonly ingestQueue: Queue;
  /** Where items come back to. */
  readonly workQueue: IQueue;
  readonly deadLetterQueue: Queue;
  readonly stateTable: Table;
  readonly ingestFunction: IFunction;
  readonly alarmTopic: ITopic;
  readonly alarms: readonly Alarm[];
  readonly #maxReceiveCount: number;

  /** @throws Error that names every wrong prop at once, with its value and what is allowed */
  constructor(scope: Construct, id: string, props: RetryOrchestratorProps = {}) {
    super(scope, id);
    const settings = pipelineSettings(this, props);
    this.#maxReceiveCount = settings.maxReceiveCount;
    this.deadLetterQueue = deadLetterQueue(this, settings);
    this.ingestQueue = ingestQueue(this, settings, this.deadLetterQueue);
    this.workQueue = props.workQueue ?? workQueue(this, settings, this.ingestQueue);
    this.stateTable = stateTable(this, settings);
    this.ingestFunction = new IngestFunction(this, "Ingest", {
      ingestQueue: this.ingestQueue,
      workQueue: this.workQueue,
      deadLetterQueue: this.deadLetterQueue,
      stateTable: this.stateTable,
      settings,
      idAttribute: props.idAttribute,
      reservedConcurrency: props.reservedConcurrency,
    }).function;
    this.alarmTopic = props.alarmTopic ?? alarmTopic(this);
    this.node.addValidation({ validate: () => [...wiringViolations(this.workQueue, this.ingestQueue)] });

    const action = new SnsAction(this.alarmTopic);
    const redrive = redriveCommand(Stack.of(this), this.deadLetterQueue, this.ingestQueue);
    const visibilitySeconds = settings.ingestVisibilityTimeout.toSeconds();
    this.alarms = [
      ...deadLetterAlarms(this, this.deadLetterQueue, this.metricExhausted(), redrive, action),
      ...ingestAlarms(
        this,
        this.ingestQueue,
        this.ingestFunction,
        this.metricSharedIdentities(),
        visibilitySeconds,
        action,
      ),
      tableAlarm(this, this.stateTable, action),
      ...(props.workQueue ? [] : [workQueueAlarm(this, this.workQueue, settings, action)]),
    ];
  }

  /**
   * Makes the ingest queue the redrive target of a given work queue that stands in the same stack: what a worker fails to
   * delete there moves to the ingest queue by itself. A created work queue is wired already.
   *
   * @throws Error for a queue that is defined elsewhere or has a dead-letter queue of its own
   */
  wireWorkQueue(): void {
    wire(this, this.workQueue, this.ingestQueue, this.#maxReceiveCount);
  }

  /** Allows a worker to send failed items to the ingest queue. */
  grantReportFailures(grantee: IGrantable): Grant {
    return this.ingestQueue.grantSendMessages(grantee);
  }

  /** Any of the pipeline's own metrics: the sum over a minute, unless `options` say otherwise. */
  metric(name: MetricName, options?: MetricOptions): Metric {
    return new Metric({
      namespace: METRIC_NAMESPACE,
      metricName: name,
      dimensionsMap: { [METRIC_DIMENSION]: this.ingestQueue.queueName },
      statistic: "Sum",
      period: PERIOD,
      ...options,
    });
  }

  /** Items sent back to the work queue. */
  metricRetried(options?: MetricOptions): Metric {
    return this.metric(METRICS.Retried, options);
  }

  /** Items put on the dead-letter queue with a reason. */
  metricExhausted(options?: MetricOptions): Metric {
    return this.metric(METRICS.Exhausted, options);
  }

  /** Items reported as done after at least one failure. */
  metricRecovered(options?: MetricOptions): Metric {
    return this.metric(METRICS.Recovered, options);
  }

  /** Exhausted items that came back for a fresh budget. */
  metricRedriven(options?: MetricOptions): Metric {
    return this.metric(METRICS.Redriven, options);
  }

  /** Reports returned to the ingest queue because something of ours failed. */
  metricHandedBack(options?: MetricOptions): Metric {
    return this.metric(METRICS.HandedBack, options);
  }

  /** Messages that share an item id with another message. */
  metricSharedIdentities(options?: MetricOptions): Metric {
    return this.metric(METRICS.SharedIdentities, options);
  }

  /** The delay of each retry, in seconds: the mean over a minute, unless `options` say otherwise. */
  metricDelaySeconds(options?: MetricOptions): Metric {
    return this.metric(METRICS.DelaySeconds, { statistic: "Average", ...options });
  }
}
