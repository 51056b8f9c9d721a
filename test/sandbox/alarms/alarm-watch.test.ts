import { describe, expect, it } from "vitest";
import { planAlarm } from "../../../lib/sandbox/alarms/alarm-plan.ts";
import { AlarmWatch } from "../../../lib/sandbox/alarms/alarm-watch.ts";
import { MetricStore } from "../../../lib/sandbox/metrics/metric-store.ts";
import { aResource, aScope } from "../assembly/plans.ts";

const MINUTE = 60_000;
const DEPTH = { namespace: "AWS/SQS", name: "ApproximateNumberOfMessagesVisible", dimensions: { QueueName: "dead" } };

const BASICS = {
  ComparisonOperator: "GreaterThanThreshold",
  EvaluationPeriods: 1,
  Threshold: 0,
  TreatMissingData: "notBreaching",
  AlarmActions: ["arn:topic"],
  OKActions: ["arn:topic", "arn:other"],
};

const ONE_METRIC = {
  ...BASICS,
  Namespace: DEPTH.namespace,
  MetricName: DEPTH.name,
  Dimensions: [{ Name: "QueueName", Value: "dead" }],
  Period: 60,
  Statistic: "Maximum",
};

const NEW_ARRIVALS = {
  ...BASICS,
  Metrics: [
    { Id: "expr_1", Expression: "DIFF(depth)", Label: "new", ReturnData: true },
    {
      Id: "depth",
      MetricStat: {
        Metric: {
          Namespace: DEPTH.namespace,
          MetricName: DEPTH.name,
          Dimensions: [{ Name: "QueueName", Value: "dead" }],
        },
        Period: 60,
        Stat: "Maximum",
      },
      ReturnData: false,
    },
  ],
};

const plan = (properties: object) => planAlarm(aResource("AWS::CloudWatch::Alarm", properties), aScope("it"));

/** The states after each minute, in which the depth has these values. */
function statesOf(properties: object, depths: readonly (number | undefined)[]) {
  const metrics = new MetricStore();
  const watch = new AlarmWatch(plan(properties));
  const states = depths.map((depth, minute) => {
    if (depth !== undefined) metrics.record(DEPTH, depth, minute * MINUTE + 30_000);
    watch.evaluate(metrics, (minute + 1) * MINUTE);
    return watch.status.state;
  });
  return { states, watch };
}

describe("an alarm of the template", () => {
  it("rings while its metric is beyond the threshold", () => {
    expect(statesOf(ONE_METRIC, [0, 1, 1, 0]).states).toEqual(["OK", "ALARM", "ALARM", "OK"]);
  });

  it("rings again for each new arrival when it watches a difference", () => {
    expect(statesOf(NEW_ARRIVALS, [0, 1, 1, 2, 2, 1]).states).toEqual(["OK", "ALARM", "OK", "ALARM", "OK", "OK"]);
  });

  it("sees a difference over minutes without a value", () => {
    expect(statesOf(NEW_ARRIVALS, [0, undefined, 3]).states).toEqual(["OK", "OK", "ALARM"]);
  });

  it("remembers every change, with the value, the time and who is told", () => {
    const { watch } = statesOf(ONE_METRIC, [0, 2, 2, 0]);

    expect(watch.status.history).toMatchObject([
      { from: "INSUFFICIENT_DATA", to: "OK", at: MINUTE, actions: ["arn:topic", "arn:other"] },
      { from: "OK", to: "ALARM", at: 2 * MINUTE, value: 2, actions: ["arn:topic"] },
      { from: "ALARM", to: "OK", at: 4 * MINUTE, value: 0 },
    ]);
  });

  it("waits for the end of a longer period", () => {
    expect(statesOf({ ...ONE_METRIC, Period: 180 }, [1, 0, 0, 0, 0, 0]).states).toEqual([
      "OK",
      "OK",
      "ALARM",
      "ALARM",
      "ALARM",
      "OK",
    ]);
  });

  it("tells nobody with its actions switched off", () => {
    expect(plan({ ...ONE_METRIC, ActionsEnabled: false }).actions.ALARM).toEqual([]);
  });

  it.each([
    [
      { ...ONE_METRIC, Statistic: "p99" },
      /Statistic' must be one of Sum, Average, Minimum, Maximum, SampleCount, got "p99"/,
    ],
    [{ ...ONE_METRIC, Period: 10 }, /Period' must be between 60 and 86400, got 10/],
    [{ ...ONE_METRIC, Period: 90 }, /Period' must be a multiple of 60, got 90/],
    [{ ...ONE_METRIC, ComparisonOperator: "LessThanLowerThreshold" }, /ComparisonOperator' must be one of/],
    [{ ...ONE_METRIC, DatapointsToAlarm: 2 }, /DatapointsToAlarm' must be between 1 and 1, got 2/],
    [{ ...ONE_METRIC, Threshold: undefined }, /Threshold' must be/],
    [{ ...NEW_ARRIVALS, Metrics: [NEW_ARRIVALS.Metrics[0]] }, /Expression' must be made of the ids of other metrics/],
    [{ ...NEW_ARRIVALS, Metrics: [NEW_ARRIVALS.Metrics[1]] }, /Metrics' must be metrics of one period, one of which/],
  ])("is refused when it cannot be evaluated here: %#", (properties, message) => {
    expect(() => plan(properties)).toThrow(message);
  });
});
