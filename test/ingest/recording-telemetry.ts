import type { LogFields, Telemetry } from "../../lib/aws/telemetry/telemetry.ts";

export interface Line {
  readonly name: string;
  readonly fields: LogFields;
}

/** Remembers what the pipeline says of its work; counts are those of all events together. */
export class RecordingTelemetry implements Telemetry {
  readonly decisions: Line[] = [];
  readonly problems: Line[] = [];
  readonly counts: Record<string, number> = {};
  readonly delays: number[] = [];
  flushes = 0;

  decision(name: string, fields: LogFields): void {
    this.decisions.push({ name, fields });
  }

  problem(name: string, fields: LogFields): void {
    this.problems.push({ name, fields });
  }

  count(metric: string, by = 1): void {
    this.counts[metric] = (this.counts[metric] ?? 0) + by;
  }

  delay(seconds: number): void {
    this.delays.push(seconds);
  }

  flush(): void {
    this.flushes += 1;
  }
}
