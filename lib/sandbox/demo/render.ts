import Table from "cli-table3";
import colors from "picocolors";
import type { DemoResult } from "./result.ts";

/** The demo's result as tables for a person. */
export function render(result: DemoResult): string {
  const { items, succeededAtOnce, recovered, exhausted, retries, seconds } = result;
  return [
    `${bold(items)} items in ${seconds.real.toFixed(0)} s (${(seconds.sandbox / 60).toFixed(0)} min of sandbox time): ` +
      `${bold(succeededAtOnce)} done at once, ${bold(recovered)} recovered, ${bold(exhausted)} dead-lettered, ` +
      `${bold(retries)} retries`,
    heading("Recovered, by the attempt that succeeded"),
    counts("attempt", result.recoveredByAttempt),
    heading("Dead-lettered, by reason"),
    counts("reason", result.exhaustedByReason),
    heading("Delays against their windows, in seconds"),
    delays(result),
    heading("Alarms"),
    alarms(result),
    verdict(result),
  ].join("\n");
}

function counts(name: string, byKey: Readonly<Record<string, number>>): string {
  const table = plain([name, "items"]);
  for (const [key, count] of Object.entries(byKey)) table.push([key, count]);
  return table.toString();
}

function delays({ delays }: DemoResult): string {
  const table = plain(["after attempt", "retries", "window", "shortest", "mean", "longest", "outside"]);
  for (const { afterAttempt, retries, windowSeconds, drawnSeconds, outsideWindow } of delays) {
    const [low, high] = windowSeconds;
    const { min, mean, max } = drawnSeconds;
    table.push([afterAttempt, retries, `${low} … ${high}`, min, mean.toFixed(1), max, outsideWindow]);
  }
  return table.toString();
}

function alarms({ alarms }: DemoResult): string {
  const table = plain(["alarm", "state", "rang"]);
  for (const { name, state, rang } of alarms) {
    table.push([name, state === "ALARM" ? colors.red(state) : colors.green(state), rang ? "yes" : "no"]);
  }
  return table.toString();
}

function verdict({ ok, timeIsUp, unaccounted, miscounted }: DemoResult): string {
  if (ok)
    return `\n${colors.green("✔")} Nothing lost: every item is exactly where it must be, and every attempt is counted.`;
  if (timeIsUp) {
    const open = `Time is up, and ${unaccounted.length} items are neither done nor dead-lettered: ${unaccounted.join(", ")}`;
    return `\n${colors.red("✘")} ${open}. At a low speed they are still on their way: try a higher --speed or --time-limit.`;
  }
  const lines = [
    ...(unaccounted.length > 0 ? [`unaccounted for: ${unaccounted.join(", ")}`] : []),
    ...(miscounted.length > 0 ? [`attempts miscounted: ${miscounted.join(", ")}`] : []),
  ];
  return `\n${colors.red("✘")} Something is wrong. ${lines.join("; ")}`;
}

function heading(text: string): string {
  return `\n${colors.bold(text)}`;
}

function bold(value: number): string {
  return colors.bold(String(value));
}

function plain(head: string[]) {
  return new Table({ head, style: { head: [], border: [], compact: true } });
}
