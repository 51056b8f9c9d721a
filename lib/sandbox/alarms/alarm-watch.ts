import type { MetricStore } from "../metrics/metric-store.ts";
import type { AlarmPlan } from "./alarm-plan.ts";
import { type AlarmState, nextState } from "./alarm-state.ts";
import { evaluateExpression, type Series } from "./math.ts";

/** A change of an alarm's state. */
export interface AlarmChange {
  readonly alarm: string;
  readonly description: string;
  readonly from: AlarmState;
  readonly to: AlarmState;
  /** Sandbox time, epoch milliseconds: the end of the period that decided. */
  readonly at: number;
  /** The value that was held against the threshold, if there was one. */
  readonly value?: number;
  /** ARNs of the topics that are told. */
  readonly actions: readonly string[];
}

/** An alarm and how it stands. */
export interface AlarmStatus {
  readonly name: string;
  readonly logicalId: string;
  readonly description: string;
  readonly state: AlarmState;
  /** Every change so far, oldest first. */
  readonly history: readonly AlarmChange[];
}

/** Periods before the evaluated ones that are read too, so that DIFF and RATE find a value to start from. */
const LOOK_BACK = 10;

/** One alarm, evaluated from a metric store at the end of each minute. */
export class AlarmWatch {
  readonly plan: AlarmPlan;
  readonly #history: AlarmChange[] = [];
  #state: AlarmState = "INSUFFICIENT_DATA";

  constructor(plan: AlarmPlan) {
    this.plan = plan;
  }

  get status(): AlarmStatus {
    const { name, logicalId, description } = this.plan;
    return { name, logicalId, description, state: this.#state, history: [...this.#history] };
  }

  /**
   * Evaluates the periods that end at or before `at`.
   *
   * @returns the change of state, if there was one
   */
  evaluate(metrics: MetricStore, at: number): AlarmChange | undefined {
    const { plan } = this;
    const recent = watchedSeries(plan, metrics, at);
    const to = nextState(plan.rule, recent, this.#state);
    if (to === this.#state) return undefined;
    const value = recent.at(-1);
    const change: AlarmChange = {
      alarm: plan.name,
      description: plan.description,
      from: this.#state,
      to,
      at,
      ...(value !== undefined && { value }),
      actions: plan.actions[to],
    };
    this.#state = to;
    this.#history.push(change);
    return change;
  }
}

function watchedSeries({ series, watched, periodMs, rule }: AlarmPlan, metrics: MetricStore, at: number): Series {
  const length = rule.evaluationPeriods + LOOK_BACK;
  const end = Math.floor(at / periodMs) * periodMs;
  const values = new Map<string, Series>();
  for (const [id, source] of series) {
    if (source.kind === "expression") {
      const seriesOf = (other: string) => values.get(other) ?? [];
      values.set(id, evaluateExpression(source.expression, length, periodMs / 1000, seriesOf));
      continue;
    }
    const periods = Array.from({ length }, (_, index) => end - (length - index) * periodMs);
    values.set(
      id,
      periods.map((from) => metrics.statistic(source.metric, source.statistic, from, from + periodMs)),
    );
  }
  return values.get(watched) ?? [];
}
