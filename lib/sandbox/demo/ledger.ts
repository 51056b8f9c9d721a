import type { RetryContext } from "../../core/item/retry-context.ts";

/** A retry as it arrived at the worker. */
export interface ObservedRetry {
  readonly demoId: string;
  readonly itemId: string;
  readonly generation: number;
  /** The attempt that failed before it. */
  readonly afterAttempt: number;
  readonly delayMs: number;
}

/** What the demo saw happen, from outside: messages that came to the worker, and how its work ended. */
export class Ledger {
  readonly retries: ObservedRetry[] = [];
  /** Attempt at which each item succeeded. */
  readonly successes = new Map<string, number>();
  deliveries = 0;
  readonly #seenDispatches = new Set<string>();

  /** A message came to the worker. Several deliveries of one dispatch are one retry. */
  delivered(demoId: string, context: RetryContext | undefined): void {
    this.deliveries += 1;
    if (!context?.dispatchId || this.#seenDispatches.has(context.dispatchId)) return;
    this.#seenDispatches.add(context.dispatchId);
    const { itemId, generation, attempt, delayMs } = context;
    if (delayMs !== undefined) this.retries.push({ demoId, itemId, generation, afterAttempt: attempt - 1, delayMs });
  }

  succeeded(demoId: string, attempt: number): void {
    this.successes.set(demoId, attempt);
  }
}
