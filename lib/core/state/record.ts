import type { FailureReport } from "../item/failure-report.ts";
import { append } from "./history.ts";
import type { HistoryEntry, ItemState } from "./item-state.ts";
import type { AdvanceSettings } from "./settings.ts";

/** The item with one more report written down, by this entry: every change by a report goes through here. */
export function record(
  base: ItemState,
  entry: HistoryEntry,
  report: FailureReport,
  settings: AdvanceSettings,
  now: number,
): ItemState {
  return {
    ...base,
    lastReport: report.messageId,
    history: append(base.history, entry),
    revision: base.revision + 1,
    expiresAt: now + settings.rowLifetimeMs,
  };
}
