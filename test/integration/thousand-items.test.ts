import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DEFAULT_POLICY } from "../../lib/core/backoff/policy.ts";
import { planItems } from "../../lib/sandbox/demo/plan.ts";
import type { DemoResult } from "../../lib/sandbox/demo/result.ts";
import { runDemo } from "../../lib/sandbox/demo/run-demo.ts";
import { type RunningProduct, runProduct } from "./running-product.ts";

const ITEMS = 1000;
const SEED = 2026;

describe("a thousand items through the sandbox, each failing a known number of times", () => {
  let product: RunningProduct;
  let result: DemoResult;

  beforeAll(async () => {
    product = await runProduct({ Retry: {} }, { speed: 200 });
    const { sandbox } = product;
    result = await runDemo({
      sandbox,
      queues: {
        ingest: sandbox.output("RetryIngestQueueUrl"),
        work: sandbox.output("RetryWorkQueueUrl"),
        deadLetter: sandbox.output("RetryDeadLetterQueueUrl"),
      },
      stateTable: sandbox.output("RetryStateTableName"),
      policy: DEFAULT_POLICY,
      items: ITEMS,
      seed: SEED,
      timeLimitMs: 150_000,
      signal: new AbortController().signal,
      onProgress: () => {},
    });
  }, 200_000);

  afterAll(() => product.stop());

  const planned = planItems(ITEMS, SEED);
  const ofFate = (fate: string) => planned.filter((item) => item.fate === fate);

  it("loses none: each is done or dead-lettered, and none is both", () => {
    expect(result.unaccounted).toEqual([]);
    expect(result.succeededAtOnce + result.recovered + result.exhausted).toBe(ITEMS);
  });

  it("puts each where its failures lead: done by its plan, or in the dead-letter queue with the reason", () => {
    expect(result.recovered).toBe(ofFate("succeeds").filter(({ failures }) => failures > 0).length);
    expect(result.exhausted).toBe(ITEMS - ofFate("succeeds").length);
    expect(result.exhaustedByReason["not-retryable"]).toBe(ofFate("not-retryable").length);
    expect(result.exhaustedByReason.attempts).toBeGreaterThanOrEqual(ofFate("never-succeeds").length);
    for (const [attempt, items] of Object.entries(result.recoveredByAttempt)) {
      expect(items).toBe(ofFate("succeeds").filter(({ failures }) => failures === Number(attempt) - 1).length);
    }
  });

  it("counts every attempt exactly, in the row and on the dead-letter copy", () => {
    expect(result.miscounted).toEqual([]);
  });

  it("draws each delay inside its window", () => {
    expect(result.delays.map(({ afterAttempt }) => afterAttempt)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(result.delays.map(({ outsideWindow }) => outsideWindow)).toEqual(Array(9).fill(0));
  });

  it("rings for what is dead-lettered, and for no fault of ours", () => {
    const rang = result.alarms
      .filter((alarm) => alarm.rang)
      .map(({ name }) => name.replace(/^.*-Retry|[0-9A-F]{8}$/g, ""));

    expect(rang).toEqual(expect.arrayContaining(["DeadLettersWaiting", "ItemsExhausted"]));
    expect(rang).not.toContain("IngestErrors");
    expect(rang).not.toContain("RecursionStopped");
  });
});
