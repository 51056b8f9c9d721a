import type { RetryPolicy } from "../backoff/policy.ts";
import type { FailureReport } from "../item/failure-report.ts";
import type { ItemState } from "./item-state.ts";

/**
 * Whether a report's attempt number can be believed: it is at most one above the budget, or the row says that we sent
 * that attempt ourselves, as happens when a policy is deployed with fewer attempts than items on their way have had. An
 * alias is our own note, so it is believed without a row.
 */
export function isPlausible(row: ItemState | undefined, report: FailureReport, policy: RetryPolicy): boolean {
  if (report.attempt <= policy.maxAttempts + 1 || report.redrive || report.kind === "succeeded") return true;
  if (report.identity === "alias") return true;
  return row?.generation === report.generation && report.attempt <= row.attempts + 1;
}
