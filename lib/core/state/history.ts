import { dispatchIdOf } from "../item/failure-report.ts";
import type { HistoryEntry } from "./item-state.ts";

/** Entries that keep their times, delays and errors. */
export const DETAILED_ENTRIES = 10;

/** Entries kept at all: so many reported dispatches are told from new ones. */
export const MAX_ENTRIES = 64;

type History = readonly HistoryEntry[];

/** The history with one more entry, older ones folded and the oldest forgotten. */
export function append(history: History, entry: HistoryEntry): History {
  const entries = [...history.slice(1 - MAX_ENTRIES), entry];
  return entries.map((each, index) => (index < entries.length - DETAILED_ENTRIES ? fold(each) : each));
}

/** The history without the details of any entry: what a new generation starts from. */
export function foldAll(history: History): History {
  return history.map(fold);
}

/** The entry that recorded this report. */
export function entryOfReport(history: History, reportId: string): HistoryEntry | undefined {
  return history.findLast((entry) => entry.reportId === reportId);
}

/** The entries that recorded an outcome of this dispatch: one, or two where it failed and was reported done as well. */
export function entriesOfDispatch(history: History, dispatchId: string): History {
  return history.filter((entry) => entry.dispatchId === dispatchId);
}

/** Name of the dispatch that a recorded report led to. */
export function successorOf(itemId: string, entry: HistoryEntry): string {
  return dispatchIdOf(itemId, entry.generation, entry.reportId);
}

/** Whether what a recorded report led to has come to an end: nothing was to be sent, or its outcome is known. */
export function isSettled(itemId: string, history: History, entry: HistoryEntry): boolean {
  if (entry.outcome.kind === "succeeded") return true;
  if (entry.outcome.kind === "exhaust" && entry.outcome.sent) return true;
  return entriesOfDispatch(history, successorOf(itemId, entry)).length > 0;
}

function fold({ detail: _, ...entry }: HistoryEntry): HistoryEntry {
  return entry;
}
