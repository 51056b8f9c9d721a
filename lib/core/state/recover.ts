import type { FailureReport } from "../item/failure-report.ts";
import type { Step } from "./decision.ts";
import { entriesOfDispatch } from "./history.ts";
import type { HistoryEntry, ItemState } from "./item-state.ts";
import { record } from "./record.ts";
import type { AdvanceSettings } from "./settings.ts";

/**
 * What a success report makes of an item: it is done. The dispatch is recorded as reported, which proves a later report
 * of the same dispatch stale. An item without a live row, or in another generation, never failed as far as this report
 * goes: nothing is written. A dispatch that is still on its way cannot be recalled; if it fails, the count goes on.
 */
export function recover(
  state: ItemState | undefined,
  report: FailureReport,
  settings: AdvanceSettings,
  now: number,
): Step {
  if (state?.generation !== report.generation) return { state, decision: { kind: "nothing" }, observations: [] };
  const reported = entriesOfDispatch(state.history, report.dispatchId);
  if (reported.some((entry) => entry.outcome.kind === "succeeded")) {
    return { state, decision: { kind: "done" }, observations: [] };
  }
  const entry: HistoryEntry = {
    generation: state.generation,
    attempt: state.attempts,
    dispatchId: report.dispatchId,
    reportId: report.reportId,
    outcome: { kind: "succeeded" },
    detail: { at: now, delayMs: 0 },
  };
  const { nextAttemptAt: _, ...recorded } = record(state, entry, report, settings, now);
  return { decision: { kind: "recovered" }, observations: [], state: { ...recorded, status: "recovered" } };
}
