import type { Alias } from "../../../lib/core/item/failure-report.ts";
import type { ItemState } from "../../../lib/core/state/item-state.ts";

export const NOW = 1_800_000_000_000;

/** The state of an item after its first failure. */
export function aState(changes: Partial<ItemState> = {}): ItemState {
  return {
    itemId: "item",
    status: "retrying",
    generation: 1,
    attempts: 1,
    firstFailedAt: NOW,
    lastFailedAt: NOW,
    nextAttemptAt: NOW + 5_000,
    lastReport: "report",
    errors: [{ key: "a", type: "Error", message: "boom", count: 1 }],
    history: [
      {
        generation: 1,
        attempt: 1,
        dispatchId: "dispatch00",
        reportId: "report0000",
        outcome: { kind: "retry" },
        detail: { at: NOW, delayMs: 5_000, error: "a" },
      },
    ],
    revision: NOW + 1,
    expiresAt: NOW + 86_400_000,
    ...changes,
  };
}

export const ALIAS: Alias = {
  itemId: "item",
  generation: 2,
  attempt: 3,
  dispatchId: "dispatch00",
  deadLettered: false,
};
