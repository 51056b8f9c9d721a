import { describe, expect, it } from "vitest";
import {
  type AlarmRule,
  type AlarmState,
  type MissingData,
  nextState,
} from "../../../lib/sandbox/alarms/alarm-state.ts";
import type { Series } from "../../../lib/sandbox/alarms/math.ts";

const aRule = (rule: Partial<AlarmRule> = {}): AlarmRule => ({
  operator: "GreaterThanThreshold",
  threshold: 0,
  evaluationPeriods: 1,
  datapointsToAlarm: 1,
  missingData: "notBreaching",
  ...rule,
});

describe("the state of an alarm", () => {
  it.each([
    ["GreaterThanThreshold", 0, "OK"],
    ["GreaterThanThreshold", 1, "ALARM"],
    ["GreaterThanOrEqualToThreshold", 0, "ALARM"],
    ["GreaterThanOrEqualToThreshold", -1, "OK"],
    ["LessThanThreshold", 0, "OK"],
    ["LessThanThreshold", -1, "ALARM"],
    ["LessThanOrEqualToThreshold", 0, "ALARM"],
    ["LessThanOrEqualToThreshold", 1, "OK"],
  ] as const)("with %s 0 and the value %d is %s", (operator, value, expected) => {
    expect(nextState(aRule({ operator }), [value], "OK")).toBe(expected);
  });

  it("looks at the evaluation periods only, not at what came before", () => {
    expect(nextState(aRule(), [9, 9, 0], "ALARM")).toBe("OK");
  });

  it("rings when enough of the values are beyond the threshold, in whatever order", () => {
    const rule = aRule({ evaluationPeriods: 3, datapointsToAlarm: 2 });

    expect(nextState(rule, [1, 0, 1], "OK")).toBe("ALARM");
    expect(nextState(rule, [0, 0, 1], "OK")).toBe("OK");
  });

  const none = undefined;

  // The table of CloudWatch's documentation on missing data, for 3 of 3, within the three periods.
  it.each<[Series, MissingData, AlarmState, AlarmState]>([
    [[none, none, none], "missing", "ALARM", "INSUFFICIENT_DATA"],
    [[none, none, none], "ignore", "ALARM", "ALARM"],
    [[none, none, none], "ignore", "OK", "OK"],
    [[none, none, none], "breaching", "OK", "ALARM"],
    [[none, none, none], "notBreaching", "ALARM", "OK"],
    [[0, none, none], "missing", "ALARM", "OK"],
    [[0, none, none], "ignore", "ALARM", "OK"],
    [[0, none, none], "breaching", "ALARM", "OK"],
    [[0, none, none], "notBreaching", "ALARM", "OK"],
    [[1, none, none], "missing", "OK", "ALARM"],
    [[1, none, none], "ignore", "OK", "OK"],
    [[1, none, none], "ignore", "ALARM", "ALARM"],
    [[1, none, none], "breaching", "OK", "ALARM"],
    [[1, none, none], "notBreaching", "ALARM", "OK"],
    [[1, 1, 1], "missing", "OK", "ALARM"],
  ])("with %j and missing data '%s' goes from %s to %s", (recent, missingData, from, to) => {
    expect(nextState(aRule({ evaluationPeriods: 3, datapointsToAlarm: 3, missingData }), recent, from)).toBe(to);
  });
});
