import type { SandboxClock } from "../clock.ts";
import { BUCKET_MS, type MetricStore } from "../metrics/metric-store.ts";
import { recordDepth } from "../metrics/queue-metrics.ts";
import type { SandboxQueue } from "../queues/create-queues.ts";
import type { ReadDepth } from "../queues/queue-depth.ts";
import type { AlarmChange, AlarmWatch } from "./alarm-watch.ts";

export interface MonitorOptions {
  readonly clock: SandboxClock;
  readonly metrics: MetricStore;
  readonly queues: readonly SandboxQueue[];
  readonly readDepth: ReadDepth;
  readonly alarms: readonly AlarmWatch[];
  readonly onChange: (change: AlarmChange) => void;
}

/** Plays CloudWatch: samples the queues in every minute of sandbox time, and evaluates the alarms after each. */
export class Monitor {
  readonly #options: MonitorOptions;
  #minute: number;

  constructor(options: MonitorOptions) {
    this.#options = options;
    this.#minute = minuteOf(options.clock.now());
  }

  /**
   * Catches up with the clock. A minute that passed between two ticks, as it may at high speed, counts as having seen
   * what is seen now.
   */
  async tick(): Promise<void> {
    const { clock, metrics, queues, readDepth, alarms, onChange } = this.#options;
    const depths = await Promise.all(queues.map(async (queue) => ({ queue, depth: await readDepth(queue.url) })));
    const now = clock.now();
    const record = (at: number) => {
      for (const { queue, depth } of depths) recordDepth(metrics, queue.name, depth, at);
    };
    for (; this.#minute < minuteOf(now); this.#minute++) {
      const end = (this.#minute + 1) * BUCKET_MS;
      for (const alarm of alarms) {
        const change = alarm.evaluate(metrics, end);
        if (change) onChange(change);
      }
      if (this.#minute + 1 < minuteOf(now)) record(end);
    }
    record(now);
  }
}

function minuteOf(at: number): number {
  return Math.floor(at / BUCKET_MS);
}
