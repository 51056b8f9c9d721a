import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readContext } from "../../../lib/core/item/read-context.ts";
import { encodeContext, MAX_CONTEXT_BYTES, type RetryContext } from "../../../lib/core/item/retry-context.ts";
import { byteLength } from "../../../lib/core/item/sqs-text.ts";
import { aContext } from "../factories.ts";
import { anyContext } from "./contexts.ts";
import { isLegal } from "./legal-characters.ts";

function reread(context: RetryContext): RetryContext {
  const reading = readContext(encodeContext(context));
  if (reading.kind !== "readable") throw new Error(`it reads as ${JSON.stringify(reading)}`);
  return reading.context;
}

function accounting({ itemId, generation, attempt, dispatchId, deadlineAt, deadLetter }: RetryContext) {
  return { itemId, generation, attempt, dispatchId, deadlineAt, reason: deadLetter?.reason };
}

describe("a context on a message", () => {
  it("is JSON with the version of its writer and of the oldest reader that may act on it", () => {
    expect(JSON.parse(encodeContext(aContext({ dispatchId: "2m5e8a0q4t" })))).toEqual({
      v: 1,
      min: 1,
      itemId: "order-42",
      generation: 1,
      attempt: 1,
      dispatchId: "2m5e8a0q4t",
    });
  });

  it("has at most 2,048 bytes, all of them legal, and keeps what accounting needs", () => {
    fc.assert(
      fc.property(anyContext, (context) => {
        const value = encodeContext(context);
        expect(byteLength(value)).toBeLessThanOrEqual(MAX_CONTEXT_BYTES);
        expect(isLegal(value)).toBe(true);
        expect(accounting(reread(context))).toEqual(accounting(context));
      }),
      { numRuns: 500 },
    );
  });

  it("reads back as it was written, where all of it has room", () => {
    fc.assert(
      fc.property(anyContext, (context) => {
        const { unknown, ...known } = context;
        fc.pre(byteLength(JSON.stringify({ v: 1, min: 1, ...unknown, ...known })) <= MAX_CONTEXT_BYTES);
        expect(reread(context)).toEqual(context);
      }),
      { numRuns: 500 },
    );
  });

  it("cuts an error that a worker hands over as it came, and makes it legal", () => {
    const error = { type: "T".repeat(500), message: `\u0000${"m".repeat(5_000)}` };

    expect(reread(aContext({ error }))).toEqual(
      aContext({ error: { type: "T".repeat(100), message: `\ufffd${"m".repeat(397)}` } }),
    );
    expect(encodeContext(aContext({ error: {} }))).toBe(encodeContext(aContext()));
  });

  it("gives up a newer writer's fields before its own texts", () => {
    const error = { type: "TimeoutError", message: "m".repeat(400) };

    expect(reread(aContext({ error, unknown: { later: "x".repeat(2_000) } }))).toEqual(aContext({ error }));
  });

  it("gives up error texts and the unreadable original, never the reason", () => {
    const texts = { error: { message: '"'.repeat(400) }, original: '"'.repeat(500) };
    const deadLetter = { reason: "unreadable-context", at: 1, ...texts } as const;

    expect(reread(aContext({ error: { message: '"'.repeat(400) }, deadLetter }))).toEqual(
      aContext({ deadLetter: { reason: "unreadable-context", at: 1 } }),
    );
  });

  it("escapes what SQS refuses in the fields of a newer writer, and gives it back", () => {
    const unknown = { "note\ufffe": "\u0000\uffff\ud800\\\ufffe" };

    expect(isLegal(encodeContext(aContext({ unknown })))).toBe(true);
    expect(reread(aContext({ unknown })).unknown).toEqual(unknown);
  });
});
