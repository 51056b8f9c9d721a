import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { itemRow, type Row, readRow } from "../../../lib/aws/state-store/row.ts";
import { byteLength } from "../../../lib/core/item/sqs-text.ts";
import { advance } from "../../../lib/core/state/advance.ts";
import type { ItemState } from "../../../lib/core/state/item-state.ts";
import { markSent } from "../../../lib/core/state/mark-sent.ts";
import { aRecord, HOUR, NOW, reportOf, sendOf, someSettings, stateOf } from "../factories.ts";

/** Size of a row by DynamoDB's rules: names and texts in UTF-8, about a byte for two digits, a list 3 and 1 for each. */
function rowBytes(row: Row): number {
  return Object.entries(row).reduce((sum, [name, value]) => sum + byteLength(name) + valueBytes(value), 0);
}

function valueBytes({ S, N, L }: AttributeValue): number {
  if (S !== undefined) return byteLength(S);
  if (N !== undefined) return Math.ceil(N.length / 2) + 1;
  if (L !== undefined) return 3 + L.reduce((sum, element) => sum + 1 + valueBytes(element), 0);
  throw new Error("a row has texts, numbers and lists only");
}

/** An item that failed with these errors, reported by a worker, one after another, until its budget was spent. */
function dead(itemId: string, errors: readonly { type: string; message: string }[]): ItemState {
  const settings = someSettings({ maxAttempts: errors.length, minDelayMs: 900_000 });
  const [first, ...rest] = errors.map((error, index) => ({
    error,
    messageId: `${index}fea7756-0ea4-451a-a703-a558b933e274`,
  }));
  const context = { itemId, generation: 1, attempt: 1, dispatchId: "zz", kind: "failed" } as const;
  let step = advance(undefined, reportOf(aRecord({ ...first, context: { ...context, ...first } })), settings, NOW);
  for (const [index, { error, messageId }] of rest.entries()) {
    const told = { ...sendOf(step.decision).context, kind: "failed", error } as const;
    step = advance(step.state, reportOf(aRecord({ messageId, context: told })), settings, NOW + (index + 1) * HOUR);
  }
  const marked = markSent(step.state, sendOf(step.decision).dispatchId, settings, NOW + 99 * HOUR);
  return marked ?? stateOf(step);
}

const LONGEST_ID = "é".repeat(50);

describe("the row of an item with ten attempts", () => {
  it.each([
    ["of the longest texts", 40, 60],
    ["that fill their room in the row", 40, 48],
    ["of a character", 1, 0],
  ])("has at most 1,000 bytes with the longest id and ten different errors %s", (_name, typeBytes, messageBytes) => {
    const errors = Array.from({ length: 10 }, (_, index) => ({
      type: `${index}${"T".repeat(typeBytes - 1)}`,
      message: "é".repeat(messageBytes / 2),
    }));
    const state = dead(LONGEST_ID, errors);

    expect(state).toMatchObject({ status: "dead-lettered", attempts: 10 });
    expect(state.history.every(({ detail }) => detail?.error !== undefined)).toBe(true);
    expect(rowBytes(itemRow(state))).toBeLessThanOrEqual(1_000);
  });

  it("has at most 1,000 bytes whatever its errors are, and reads back as it was written", () => {
    const text = fc.oneof(fc.string({ unit: "grapheme", maxLength: 90 }), fc.constantFrom("a", "b", "c"));
    const errors = fc.array(fc.record({ type: text, message: text }), { minLength: 10, maxLength: 10 });
    fc.assert(
      fc.property(errors, (tenErrors) => {
        const state = dead(LONGEST_ID, tenErrors);
        expect(rowBytes(itemRow(state))).toBeLessThanOrEqual(1_000);
        expect(readRow(itemRow(state), NOW)).toEqual({ kind: "item", state });
      }),
    );
  });

  it("reads back though a stranger named the dispatch in a context", () => {
    const state = dead("order-42", [{ type: "A", message: "" }]);
    const strange = reportOf(
      aRecord({ context: { itemId: "order-42", generation: 1, attempt: 1, dispatchId: "a b.c|d" } }),
    );

    const step = advance(state, strange, someSettings(), NOW);

    expect(readRow(itemRow(stateOf(step)), NOW)).toEqual({ kind: "item", state: step.state });
  });
});
