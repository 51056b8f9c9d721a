import type { LogFields, Telemetry } from "../aws/telemetry/telemetry.ts";
import { METRICS, type MetricName } from "../core/metrics.ts";
import type { Observation } from "../core/state/decision.ts";
import type { DeliveredReport } from "./deliver.ts";
import type { HandedBack } from "./ports.ts";

type CountedMetric = Exclude<MetricName, "DelaySeconds">;

const METRIC_OF: Readonly<Record<Observation, CountedMetric>> = {
  "row-lost": METRICS.RowsLost,
  "shared-identity": METRICS.SharedIdentities,
  "without-identity": METRICS.ReportsWithoutIdentity,
  "unreadable-context": METRICS.UnreadableContexts,
  redriven: METRICS.Redriven,
};

/** Says what became of each record: one log line, and counts that go out once per event. */
export class Outcomes {
  readonly #telemetry: Telemetry;
  readonly #counts = new Map<CountedMetric, number>();

  constructor(telemetry: Telemetry) {
    this.#telemetry = telemetry;
  }

  delivered(delivered: DeliveredReport): void {
    const { report, step, aliased } = delivered;
    const { decision } = step;
    this.#telemetry.decision(decision.kind, lineOf(delivered));
    for (const observation of step.observations) this.#count(METRIC_OF[observation]);
    if (aliased) this.#count(METRICS.Aliased);
    if (report.unreadable)
      this.#telemetry.problem("unreadable context", { ...nameOf(delivered), why: report.unreadable.why });
    if (decision.kind === "retry") {
      this.#count(METRICS.Retried);
      this.#telemetry.delay(decision.send.delaySeconds);
    }
    if (decision.kind === "repeat") this.#count(METRICS.Repeated);
    if ("send" in decision && decision.send.destination === "dead-letter") this.#count(METRICS.Exhausted);
    if (decision.kind === "stale") this.#count(METRICS.Stale);
    if (decision.kind === "recovered") this.#count(METRICS.Recovered);
  }

  handedBack({ record, why, detail }: HandedBack): void {
    this.#count(METRICS.HandedBack);
    this.#telemetry.problem("handed back", { messageId: record.messageId, why, detail });
  }

  /** Writes the counts out. */
  close(): void {
    for (const [metric, count] of this.#counts) this.#telemetry.count(metric, count);
    this.#telemetry.flush();
  }

  #count(metric: CountedMetric): void {
    this.#counts.set(metric, (this.#counts.get(metric) ?? 0) + 1);
  }
}

function nameOf({ report }: DeliveredReport): LogFields {
  return { itemId: report.itemId, messageId: report.messageId };
}

function lineOf(delivered: DeliveredReport): LogFields {
  const { report, step, aliased } = delivered;
  const { decision, state, observations } = step;
  const send = "send" in decision ? decision.send : undefined;
  return {
    ...nameOf(delivered),
    generation: state?.generation,
    attempt: report.redrive && !report.redrive.tried ? 0 : (state?.attempts ?? report.attempt),
    ...(send && { dispatchId: send.dispatchId, to: send.destination, delaySeconds: send.delaySeconds }),
    ...(decision.kind === "exhaust" && { reason: decision.reason }),
    ...(decision.kind === "retry" && {
      windowMs: `${decision.explanation.window.lowMs}..${decision.explanation.window.highMs}`,
      draw: decision.explanation.draw,
    }),
    ...(report.error && { errorType: report.error.type, errorMessage: report.error.message }),
    ...(observations.length > 0 && { observed: observations.join(",") }),
    ...(aliased && { contextLeftOut: "no room among the message's attributes or bytes: an alias stands in" }),
  };
}
