import { explain } from "../backoff/explain.ts";
import type { FailureReport } from "../item/failure-report.ts";
import type { ExhaustionReason } from "../item/retry-context.ts";
import type { Decision, Observation, Step } from "./decision.ts";
import { dispatchOf, remainingSeconds } from "./dispatch.ts";
import { countError } from "./errors-seen.ts";
import { exhaustionReason } from "./exhaustion.ts";
import { entriesOfDispatch, entryOfReport, foldAll, isSettled } from "./history.ts";
import type { EntryDetail, HistoryEntry, ItemState } from "./item-state.ts";
import { record } from "./record.ts";
import { recover } from "./recover.ts";
import type { AdvanceSettings } from "./settings.ts";

/**
 * What a report makes of an item: the item's next state, and the decision. A pure function of its arguments; the store
 * swaps the state in on the row's revision, and calls again with the row that won where it lost.
 *
 * The rules stand in this order, and the first that applies decides:
 *
 * 1. The report was recorded before: `repeat` the send that it led to, or `done` where that has come to an end.
 * 2. Its dispatch was reported before: `stale` with proof that the item is elsewhere, else `repeat` of the successor.
 * 3. The message is a dead-letter copy that came back: a redrive, which starts or joins the next generation.
 * 4. A failed attempt is counted, and the policy decides on `retry` or `exhaust`.
 *
 * A report whose attempt number cannot be believed does not come here as it is: see `isPlausible`.
 * Success reports go their own way: see {@link recover}.
 *
 * @param row the item's row, if there is one; an expired one counts as absent
 * @param now epoch ms
 */
export function advance(
  row: ItemState | undefined,
  report: FailureReport,
  settings: AdvanceSettings,
  now: number,
): Step {
  const state = row && row.expiresAt > now ? row : undefined;
  if (report.kind === "succeeded") return recover(state, report, settings, now);
  return (
    (state && (recordedBefore(state, report, now) ?? reportedBefore(state, report, settings, now))) ??
    (report.redrive ? redrive(state, report, settings, now) : failed(state, report, settings, now))
  );
}

/** Rule 1. A lost swap against the report's own entry ends here as well. */
function recordedBefore(state: ItemState, report: FailureReport, now: number): Step | undefined {
  const entry = entryOfReport(state.history, report.reportId);
  if (!entry) return undefined;
  return isSettled(state.itemId, state.history, entry)
    ? unchanged(state, { kind: "done" })
    : repeat(state, entry, report, now);
}

/**
 * Rule 2. Proof that the item is elsewhere is that the dispatch's own report came to an end, or that this report is so
 * young that SQS still holds it: then rule 1 will serve it. Young is half the time that SQS goes on delivering a report;
 * one that was late when it was recorded has no such time left. Without proof, the send may never have gone out.
 */
function reportedBefore(
  state: ItemState,
  report: FailureReport,
  { reportLifetimeMs }: AdvanceSettings,
  now: number,
): Step | undefined {
  const entries = entriesOfDispatch(state.history, report.dispatchId);
  const entry = entries.at(-1);
  if (!entry) return undefined;
  const isYoung = ({ detail }: HistoryEntry) => detail && !detail.late && now - detail.at < reportLifetimeMs / 2;
  const elsewhere = entries.some((each) => isSettled(state.itemId, state.history, each) || isYoung(each));
  return elsewhere ? unchanged(state, { kind: "stale" }) : repeat(state, entry, report, now);
}

/**
 * Rule 3. The copy's generation is over, so the next one starts with a full budget; copies of one item that come back
 * together join the generation that the first of them started.
 */
function redrive(state: ItemState | undefined, report: FailureReport, settings: AdvanceSettings, now: number): Step {
  const generation = report.generation + 1;
  const joined = state && state.generation >= generation ? state : undefined;
  const base = joined ?? begin(state, report, generation, now);
  if (report.redrive?.tried) return decide(base, base.attempts + 1, report, settings, now, ["redriven"]);
  // Drawn as after a first attempt, so that many items redriven at once spread.
  const subject = { itemId: base.itemId, generation: base.generation, attempt: 1 };
  const explanation = explain(settings.policy, subject);
  const delayMs = explanation.delaySeconds * 1000;
  // A generation that others have used up is joined all the same; a higher number would not be believed on its return.
  const attempts = Math.min(base.attempts, settings.policy.maxAttempts);
  const entry = entryFor(base, attempts, report, { kind: "retry" }, detailOf(report, settings, now, delayMs));
  const next = {
    ...record(base, entry, report, settings, now),
    status: "retrying",
    nextAttemptAt: now + delayMs,
  } as const;
  const send = dispatchOf(next, entry, report, explanation.delaySeconds);
  return { state: next, decision: { kind: "retry", send, explanation }, observations: ["redriven"] };
}

/** Rule 4. The message carries the count as well, so a lost row costs the item's story, not its limit. */
function failed(state: ItemState | undefined, report: FailureReport, settings: AdvanceSettings, now: number): Step {
  const observations = observe(state, report);
  if (state && report.generation < state.generation) {
    return decide(state, state.attempts + 1, report, settings, now, observations);
  }
  if (state && report.generation === state.generation) {
    const attempts = Math.max(state.attempts + 1, report.attempt);
    return decide(state, attempts, report, settings, now, observations);
  }
  const { firstFailedAt } = report;
  const base = {
    ...begin(state, report, report.generation, now),
    ...(firstFailedAt !== undefined && { firstFailedAt }),
  };
  return decide(base, report.attempt, report, settings, now, observations);
}

/** Counts the attempt, and retries or exhausts the item by policy. */
function decide(
  base: ItemState,
  attempts: number,
  report: FailureReport,
  settings: AdvanceSettings,
  now: number,
  observations: readonly Observation[],
): Step {
  const { itemId, generation } = base;
  const { retryAfterMs } = report;
  const previousDelayMs = lastDelayMs(base) ?? report.previousDelayMs;
  const explanation = explain(settings.policy, {
    itemId,
    generation,
    attempt: attempts,
    ...(previousDelayMs !== undefined && { previousDelayMs }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  });
  const firstFailedAt = base.firstFailedAt ?? now;
  const drawnMs = explanation.delaySeconds * 1000;
  const reason =
    ownReason(base, report) ??
    exhaustionReason(settings.policy, report, { attempts, firstFailedAt, delayMs: drawnMs, now });

  const { errors, key } = countError(base.errors, report.error);
  const delayMs = reason ? 0 : drawnMs;
  const outcome = reason ? ({ kind: "exhaust", reason, sent: false } as const) : ({ kind: "retry" } as const);
  const entry = entryFor(base, attempts, report, outcome, {
    ...detailOf(report, settings, now, delayMs),
    ...(key && { error: key }),
  });
  const { nextAttemptAt: _, ...recorded } = record(base, entry, report, settings, now);
  const counted = { ...recorded, attempts, firstFailedAt, lastFailedAt: now, errors };
  if (reason) {
    const state: ItemState = { ...counted, status: "exhausted", reason };
    const decision: Decision = { kind: "exhaust", reason, send: dispatchOf(state, entry, report, 0) };
    return { state, decision, observations };
  }
  const state: ItemState = { ...counted, status: "retrying", nextAttemptAt: now + delayMs };
  const send = dispatchOf(state, entry, report, explanation.delaySeconds);
  return { state, decision: { kind: "retry", send, explanation }, observations };
}

/** Reasons that no policy knows of: the context was no context, or another message has used up this item's budget. */
function ownReason(base: ItemState, report: FailureReport): ExhaustionReason | undefined {
  if (report.unreadable) return "unreadable-context";
  return base.status === "exhausted" || base.status === "dead-lettered" ? "shared-budget" : undefined;
}

function observe(state: ItemState | undefined, report: FailureReport): readonly Observation[] {
  if (report.unreadable) return ["unreadable-context"];
  const shared =
    state && (report.identity === "attribute" || state.status === "exhausted" || state.status === "dead-lettered");
  return [
    ...(report.dispatched && (!state || report.generation > state.generation) ? (["row-lost"] as const) : []),
    ...(shared && report.generation <= state.generation ? (["shared-identity"] as const) : []),
    ...(report.identity === "message" && !report.moved ? (["without-identity"] as const) : []),
  ];
}

/**
 * A generation with nothing counted yet; what is known of earlier ones stays, folded. A new row's revision starts from
 * the time, so that it never equals one that a slower handler read before the row was forgotten and made again.
 */
function begin(earlier: ItemState | undefined, report: FailureReport, generation: number, now: number): ItemState {
  return {
    itemId: report.itemId,
    status: "retrying",
    generation,
    attempts: 0,
    lastReport: report.messageId,
    errors: earlier?.errors ?? [],
    history: foldAll(earlier?.history ?? []),
    revision: earlier?.revision ?? now,
    expiresAt: 0,
  };
}

function entryFor(
  { generation }: ItemState,
  attempt: number,
  { dispatchId, reportId }: FailureReport,
  outcome: HistoryEntry["outcome"],
  detail: EntryDetail,
): HistoryEntry {
  return { generation, attempt, dispatchId, reportId, outcome, detail };
}

function detailOf(
  { firstReceivedAt }: FailureReport,
  { reportLifetimeMs }: AdvanceSettings,
  at: number,
  delayMs: number,
): EntryDetail {
  const late = firstReceivedAt !== undefined && at - firstReceivedAt > reportLifetimeMs / 2;
  return { at, delayMs, ...(late && { late }) };
}

function repeat(state: ItemState, entry: HistoryEntry, report: FailureReport, now: number): Step {
  return unchanged(state, { kind: "repeat", send: dispatchOf(state, entry, report, remainingSeconds(entry, now)) });
}

function unchanged(state: ItemState, decision: Decision): Step {
  return { state, decision, observations: [] };
}

function lastDelayMs({ history, generation }: ItemState): number | undefined {
  return history.findLast((entry) => entry.generation === generation && entry.outcome.kind === "retry")?.detail
    ?.delayMs;
}
