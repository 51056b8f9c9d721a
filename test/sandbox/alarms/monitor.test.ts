import { describe, expect, it } from "vitest";
import { planAlarm } from "../../../lib/sandbox/alarms/alarm-plan.ts";
import { type AlarmChange, AlarmWatch } from "../../../lib/sandbox/alarms/alarm-watch.ts";
import { Monitor } from "../../../lib/sandbox/alarms/monitor.ts";
import { startClock } from "../../../lib/sandbox/clock.ts";
import { MetricStore } from "../../../lib/sandbox/metrics/metric-store.ts";
import { aResource, aScope } from "../assembly/plans.ts";

const DEPTH_ALARM = {
  Namespace: "AWS/SQS",
  MetricName: "ApproximateNumberOfMessagesVisible",
  Dimensions: [{ Name: "QueueName", Value: "dead" }],
  Period: 60,
  Statistic: "Maximum",
  ComparisonOperator: "GreaterThanThreshold",
  EvaluationPeriods: 1,
  Threshold: 0,
  TreatMissingData: "notBreaching",
};

/** A monitor of one queue and an alarm on its depth, at the start of a minute. */
function setup() {
  const real = { now: 28_000_000 * 60_000 };
  const queue = { depth: 0 };
  const changes: AlarmChange[] = [];
  const metrics = new MetricStore();
  const monitor = new Monitor({
    clock: startClock(1, () => real.now),
    metrics,
    queues: [{ logicalId: "Dead", name: "dead", url: "http://sqs/dead", arn: "arn:dead", visibilitySeconds: 30 }],
    readDepth: async () => ({ visible: queue.depth, notVisible: 0, delayed: 0, oldestAgeMs: 1500 }),
    alarms: [new AlarmWatch(planAlarm(aResource("AWS::CloudWatch::Alarm", DEPTH_ALARM), aScope()))],
    onChange: (change) => changes.push(change),
  });
  const tickAfter = async (seconds: number) => {
    real.now += seconds * 1000;
    await monitor.tick();
  };
  const seen = (name: string) =>
    metrics.statistic({ namespace: "AWS/SQS", name, dimensions: { QueueName: "dead" } }, "Maximum", 0, real.now + 1);
  return { real, queue, changes, tickAfter, seen };
}

describe("the monitor", () => {
  it("samples a queue under the names of AWS/SQS, ages in seconds", async () => {
    const { queue, tickAfter, seen } = setup();
    queue.depth = 3;

    await tickAfter(1);

    expect(seen("ApproximateNumberOfMessagesVisible")).toBe(3);
    expect(seen("ApproximateNumberOfMessagesNotVisible")).toBe(0);
    expect(seen("ApproximateAgeOfOldestMessage")).toBe(1);
  });

  it("evaluates alarms when a minute is over, not before", async () => {
    const { queue, changes, tickAfter } = setup();
    queue.depth = 1;

    await tickAfter(30);
    expect(changes).toEqual([]);
    await tickAfter(30);

    expect(changes).toMatchObject([{ to: "ALARM", value: 1 }]);
  });

  it("lets no minute go by that fell between two looks", async () => {
    const { real, queue, changes, tickAfter } = setup();
    await tickAfter(1);
    queue.depth = 1;

    await tickAfter(180);

    const start = real.now - 181_000;
    expect(changes).toMatchObject([
      { to: "OK", at: start + 60_000 },
      { to: "ALARM", at: start + 120_000 },
    ]);
  });
});
