import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { aliasRow, itemRow, type Row, readRow } from "../../../lib/aws/state-store/row.ts";
import { EXHAUSTION_REASONS } from "../../../lib/core/item/retry-context.ts";
import { type ItemState, type Outcome, STATUSES } from "../../../lib/core/state/item-state.ts";
import { ALIAS, aState, NOW } from "./states.ts";

const count = fc.integer({ min: 1, max: 2 ** 31 });
const epochMs = fc.integer({ min: NOW, max: NOW * 2 });
const id = fc.stringMatching(/^[0-9a-v]{10}$/);
const letter = fc.stringMatching(/^[a-z]$/);
const oneLine = fc.stringMatching(/^[^|\n\r\0]{0,40}$/);

const outcome = fc.oneof<fc.Arbitrary<Outcome>[]>(
  fc.constant({ kind: "retry" }),
  fc.constant({ kind: "succeeded" }),
  fc.record({ kind: fc.constant("exhaust"), reason: fc.constantFrom(...EXHAUSTION_REASONS), sent: fc.boolean() }),
);
const detail = fc.record(
  { at: epochMs, delayMs: fc.integer({ min: 0, max: 900 }).map((seconds) => seconds * 1000), error: letter },
  { requiredKeys: ["at", "delayMs"] },
);
const entry = fc.record(
  { generation: count, attempt: count, dispatchId: id, reportId: id, outcome, detail },
  { requiredKeys: ["generation", "attempt", "dispatchId", "reportId", "outcome"] },
);
const state: fc.Arbitrary<ItemState> = fc.record(
  {
    itemId: fc.string({ minLength: 1, maxLength: 100 }),
    status: fc.constantFrom(...STATUSES),
    generation: count,
    attempts: fc.nat(),
    firstFailedAt: epochMs,
    lastFailedAt: epochMs,
    nextAttemptAt: epochMs,
    lastReport: fc.uuid(),
    reason: fc.constantFrom(...EXHAUSTION_REASONS),
    errors: fc.array(fc.record({ key: letter, type: oneLine, message: oneLine, count }), { maxLength: 4 }),
    history: fc.array(entry, { maxLength: 12 }),
    revision: epochMs,
    expiresAt: epochMs.map((ms) => Math.ceil(ms / 1000) * 1000 + 1_000),
  },
  {
    requiredKeys: [
      "itemId",
      "status",
      "generation",
      "attempts",
      "lastReport",
      "errors",
      "history",
      "revision",
      "expiresAt",
    ],
  },
);

describe("a row of the state table", () => {
  it("gives every state back as it was", () => {
    fc.assert(
      fc.property(state, (original) => {
        expect(readRow(itemRow(original), NOW)).toEqual({ kind: "item", state: original });
      }),
    );
  });

  it("gives every alias back as it was", () => {
    const alias = fc.record({
      itemId: fc.string({ minLength: 1 }),
      generation: count,
      attempt: count,
      dispatchId: id,
      deadLettered: fc.boolean(),
    });
    fc.assert(
      fc.property(alias, (original) => {
        expect(readRow(aliasRow("m", original, NOW + 1_000), NOW)).toEqual({ kind: "alias", alias: original });
      }),
    );
  });

  it("FC-19: expires at a Number of whole epoch seconds: 14 days from 2026-11-30T00:00:00Z are 1797206400", () => {
    const now = Date.parse("2026-11-30T00:00:00Z");
    const expiresAt = now + 14 * 86_400_000;
    expect(now).toBe(1_795_996_800_000);
    expect(itemRow(aState({ expiresAt })).expiresAt).toEqual({ N: "1797206400" });
    expect(aliasRow("m", ALIAS, expiresAt).expiresAt).toEqual({ N: "1797206400" });
    expect(itemRow(aState({ expiresAt: expiresAt + 1 })).expiresAt).toEqual({ N: "1797206401" });
  });

  it("counts as absent from the second of its expiry on", () => {
    const row = itemRow(aState({ expiresAt: NOW + 2_000 }));
    expect(readRow(row, NOW + 1_999).kind).toBe("item");
    expect(readRow(row, NOW + 2_000).kind).toBe("absent");
    expect(readRow(undefined, NOW).kind).toBe("absent");
  });

  it.each<[string, Row]>([
    ["no expiry", { expiresAt: { S: "soon" } }],
    ["an unknown status", { status: { S: "lost" } }],
    ["a history that is none", { history: { S: "1.1.r" } }],
    ["a fraction for attempts", { attempts: { N: "1.5" } }],
    ["a negative revision", { revision: { N: "-1" } }],
    ["an error that is none", { errors: { L: [{ N: "1" }] } }],
    ["half an alias", { aliasOf: { S: "item" }, dispatchId: { N: "1" } }],
  ])("with %s says so instead of throwing", (_, damage) => {
    expect(readRow({ ...itemRow(aState()), ...damage }, NOW)).toMatchObject({
      kind: "undecodable",
      why: expect.any(String),
    });
  });

  it("never throws, whatever stands in it", () => {
    const value = fc.oneof(
      fc.record({ S: fc.string() }),
      fc.record({ N: fc.oneof(fc.double().map(String), fc.string()) }),
      fc.record({ BOOL: fc.boolean() }),
      fc.record({ L: fc.array(fc.record({ S: fc.string() }), { maxLength: 2 }) }),
    );
    const fields = Object.keys(itemRow(aState({ reason: "attempts" }))).concat("aliasOf", "deadLettered", "attempt");
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...fields), value), (row) => {
        const { kind } = readRow(row as unknown as Row, NOW);
        expect(["absent", "item", "alias", "undecodable"]).toContain(kind);
      }),
    );
  });
});
