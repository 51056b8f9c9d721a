import type { Series } from "./math.ts";

export type AlarmState = "OK" | "ALARM" | "INSUFFICIENT_DATA";

/** Comparison operators of alarms without anomaly detection. */
export const OPERATORS = {
  GreaterThanThreshold: (value: number, threshold: number) => value > threshold,
  GreaterThanOrEqualToThreshold: (value: number, threshold: number) => value >= threshold,
  LessThanThreshold: (value: number, threshold: number) => value < threshold,
  LessThanOrEqualToThreshold: (value: number, threshold: number) => value <= threshold,
} as const;

export type ComparisonOperator = keyof typeof OPERATORS;

/** What an alarm makes of a period without a value. */
export const MISSING_DATA = ["missing", "notBreaching", "breaching", "ignore"] as const;

export type MissingData = (typeof MISSING_DATA)[number];

/** When an alarm rings: `datapointsToAlarm` of the last `evaluationPeriods` values are beyond the threshold. */
export interface AlarmRule {
  readonly operator: ComparisonOperator;
  readonly threshold: number;
  readonly evaluationPeriods: number;
  readonly datapointsToAlarm: number;
  readonly missingData: MissingData;
}

/**
 * The state that an alarm's last periods put it into. Pure. Exactly `evaluationPeriods` periods count: CloudWatch also
 * looks at some earlier ones where values are missing, so there an alarm on a sparse metric stays on for some minutes
 * longer.
 *
 * @param recent the latest values, oldest first; what is older than `evaluationPeriods` is left out
 * @param previous the state until now, which `ignore` may keep
 */
export function nextState(rule: AlarmRule, recent: Series, previous: AlarmState): AlarmState {
  const { operator, threshold, evaluationPeriods, datapointsToAlarm, missingData } = rule;
  const values = recent.slice(-evaluationPeriods);
  const present = values.filter((value) => value !== undefined);
  const missing = evaluationPeriods - present.length;
  const breaching = present.filter((value) => OPERATORS[operator](value, threshold)).length;
  const rings = (count: number): AlarmState => (count >= datapointsToAlarm ? "ALARM" : "OK");
  switch (missingData) {
    case "notBreaching":
      return rings(breaching);
    case "breaching":
      return rings(breaching + missing);
    case "ignore": {
      const [least, most] = [rings(breaching), rings(breaching + missing)];
      return least === most ? least : previous;
    }
    case "missing": {
      if (present.length === 0) return "INSUFFICIENT_DATA";
      return breaching >= Math.min(datapointsToAlarm, present.length) ? "ALARM" : "OK";
    }
  }
}
