import { EXHAUSTION_REASONS, type ExhaustionReason } from "../item/retry-context.ts";
import type { HistoryEntry, Outcome, SeenError } from "./item-state.ts";

/** One character per exhaustion reason; never reuse one, rows are older than releases. */
const REASON_CODES: Readonly<Record<ExhaustionReason, string>> = {
  attempts: "a",
  elapsed: "e",
  deadline: "d",
  "not-retryable": "n",
  "unreadable-context": "u",
  "shared-budget": "b",
};

/**
 * The history as one line for the row, an entry a word: `generation.attempt.outcome.dispatch.report`, and where it is
 * not folded `.at.delay.error`. Outcome is `r` (retry), `s` (succeeded), or `x` (exhausted) or `d` (exhausted and sent)
 * with the letter of the reason; `at` is epoch ms, after a `~` where the report was
 * late, and `delay` seconds, both in base 36.
 */
export function encodeHistory(history: readonly HistoryEntry[]): string {
  return history.map(encodeEntry).join(" ");
}

/** The history of a row. Throws a `SyntaxError` that names the word which is no entry. */
export function decodeHistory(line: string): readonly HistoryEntry[] {
  return line === "" ? [] : line.split(" ").map(decodeEntry);
}

/** An error as one line for the row: `key|count|type|message`. */
export function encodeError({ key, count, type, message }: SeenError): string {
  return `${key}|${count}|${type}|${message}`;
}

/** An error of a row. Throws a `SyntaxError` that quotes a line which is none. */
export function decodeError(line: string): SeenError {
  const match = /^([a-z])\|(\d{1,15})\|([^|]*)\|([^|]*)$/.exec(line);
  if (!match) throw new SyntaxError(`an error of a row must be 'key|count|type|message', got '${line}'`);
  const [, key = "", count, type = "", message = ""] = match;
  return { key, count: Number(count), type, message };
}

function encodeEntry({ generation, attempt, outcome, dispatchId, reportId, detail }: HistoryEntry): string {
  const folded = [generation, attempt, encodeOutcome(outcome), dispatchId, reportId];
  if (!detail) return folded.join(".");
  const seconds = Math.round(detail.delayMs / 1000);
  const at = (detail.late ? "~" : "") + detail.at.toString(36);
  return [...folded, at, seconds.toString(36), detail.error ?? ""].join(".");
}

function decodeEntry(word: string): HistoryEntry {
  const match = /^(\d+)\.(\d+)\.([a-z]{1,2})\.([^. ]+)\.([^. ]+)(?:\.(~?)([0-9a-z]+)\.([0-9a-z]+)\.([a-z]?))?$/.exec(
    word,
  );
  const outcome = match?.[3] && decodeOutcome(match[3]);
  if (!match || !outcome) throw new SyntaxError(`an entry of a row's history must be like '1.1.r.d.r', got '${word}'`);
  const [, generation, attempt, , dispatchId = "", reportId = "", late, at, delay, error] = match;
  const entry = { generation: Number(generation), attempt: Number(attempt), outcome, dispatchId, reportId };
  if (at === undefined || delay === undefined) return entry;
  const times = { at: Number.parseInt(at, 36), delayMs: Number.parseInt(delay, 36) * 1000 };
  return { ...entry, detail: { ...times, ...(error && { error }), ...(late && { late: true as const }) } };
}

function encodeOutcome(outcome: Outcome): string {
  if (outcome.kind !== "exhaust") return outcome.kind === "retry" ? "r" : "s";
  return (outcome.sent ? "d" : "x") + REASON_CODES[outcome.reason];
}

function decodeOutcome(code: string): Outcome | undefined {
  if (code === "r") return { kind: "retry" };
  if (code === "s") return { kind: "succeeded" };
  const reason = EXHAUSTION_REASONS.find((each) => REASON_CODES[each] === code[1]);
  if (!reason || (code[0] !== "x" && code[0] !== "d")) return undefined;
  return { kind: "exhaust", reason, sent: code[0] === "d" };
}
