import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { itemRow, type Row } from "../../../lib/aws/state-store/row.ts";
import { DynamoStateStore } from "../../../lib/aws/state-store/state-store.ts";
import type { TableEngine } from "../../../lib/sandbox/dynamodb/engine.ts";
import { Calls } from "../../ingest/calls.ts";
import { createStateTable, newTableClient, type StateTable } from "../../ingest/table.ts";
import { ALIAS, aState, NOW } from "./states.ts";
import { TABLE_ENGINES } from "./table-engines.ts";

const ABSENT = { kind: "absent" } as const;
const SECOND = 1_000;

describe.each(Object.entries(TABLE_ENGINES))("the state store over %s", (_, start) => {
  let engine: TableEngine;
  let table: StateTable;
  beforeAll(async () => {
    engine = await start();
    table = await createStateTable(engine);
  });
  afterAll(() => engine.stop());

  let keys = 0;
  function setup() {
    const calls = new Calls();
    const client = newTableClient(engine.endpoint);
    calls.watch(client);
    keys += 1;
    return { store: new DynamoStateStore(client, table.name), calls, itemId: `item ${keys}` };
  }

  it("writes a first row without reading", async () => {
    const { store, calls, itemId } = setup();
    const state = aState({ itemId });
    expect(await store.write(state, ABSENT, NOW)).toEqual({ kind: "written" });
    expect(calls.counts()).toEqual({ PutItem: 1 });
    expect(calls.of("PutItem")).toMatchObject([{ input: { ReturnValuesOnConditionCheckFailure: "ALL_OLD" } }]);
    expect(await store.readConsistently(itemId, NOW)).toEqual({ kind: "item", state });
  });

  it("swaps a row in only where the one that the decision rests on still stands", async () => {
    const { store, itemId } = setup();
    const first = aState({ itemId });
    const second = aState({ itemId, attempts: 2, revision: first.revision + 1 });
    await store.write(first, ABSENT, NOW);
    expect(await store.write(second, { kind: "item", state: first }, NOW)).toEqual({ kind: "written" });

    const late = aState({ itemId, attempts: 9, revision: first.revision + 1 });
    expect(await store.write(late, { kind: "item", state: first }, NOW)).toEqual({
      kind: "lost",
      found: { kind: "item", state: second },
    });
    expect(await store.readConsistently(itemId, NOW)).toEqual({ kind: "item", state: second });
  });

  it("loses a first write to a row that is there, and says which", async () => {
    const { store, itemId } = setup();
    const state = aState({ itemId });
    await store.write(state, ABSENT, NOW);
    const result = await store.write(aState({ itemId, attempts: 7 }), ABSENT, NOW);
    expect(result).toEqual({ kind: "lost", found: { kind: "item", state } });
  });

  it("loses a swap to the disappearance of the row", async () => {
    const { store, itemId } = setup();
    const base = { kind: "item", state: aState({ itemId }) } as const;
    expect(await store.write(aState({ itemId, attempts: 2 }), base, NOW)).toEqual({ kind: "lost", found: ABSENT });
  });

  it("finds an alias by the first write", async () => {
    const { store, itemId } = setup();
    await store.writeAlias(itemId, ALIAS, NOW + SECOND);
    const result = await store.write(aState({ itemId }), ABSENT, NOW);
    expect(result).toEqual({ kind: "lost", found: { kind: "alias", alias: ALIAS } });
  });

  it("replaces an expired row whole, although it can still be read", async () => {
    const { store, itemId } = setup();
    const old = aState({ itemId, reason: "attempts", status: "dead-lettered", expiresAt: NOW + SECOND });
    await store.write(old, ABSENT, NOW);
    const { nextAttemptAt: _gone, ...fresh } = aState({ itemId, expiresAt: NOW + 60 * SECOND });

    expect((await store.write(fresh, ABSENT, NOW + SECOND - 1)).kind).toBe("lost");
    expect(await store.write(fresh, ABSENT, NOW + SECOND)).toEqual({ kind: "written" });
    expect(await table.get(itemId)).toEqual(itemRow(fresh));
  });

  it.each<[string, Row]>([
    ["nothing that is known", { nonsense: { S: "x" } }],
    ["a revision and nothing else", { revision: { N: "5" } }],
    ["a revision that is a text", { revision: { S: "five" } }],
    ["a revision that is a fraction", { revision: { N: "1.5" } }],
    ["half an alias", { aliasOf: { S: "item" } }],
    ["a text for its expiry", { ...itemRow(aState()), expiresAt: { S: "never" } }],
  ])("replaces a row that holds %s", async (_what, damaged) => {
    const { store, itemId } = setup();
    await table.put({ ...damaged, pk: { S: itemId } });
    const lost = await store.write(aState({ itemId }), ABSENT, NOW);
    if (lost.kind !== "lost") throw new Error("a first write must lose to a row that has not expired");
    expect(lost.found.kind).toBe("undecodable");

    expect(await store.write(aState({ itemId }), lost.found, NOW)).toEqual({ kind: "written" });
    expect(await store.readConsistently(itemId, NOW)).toMatchObject({ kind: "item" });
  });

  it("does not replace what has taken the place of an undecodable row", async () => {
    const { store, itemId } = setup();
    await table.put({ pk: { S: itemId }, nonsense: { S: "x" } });
    const found = await store.readConsistently(itemId, NOW);
    await store.writeAlias(itemId, ALIAS, NOW + SECOND);
    const result = await store.write(aState({ itemId }), found, NOW);
    expect(result).toEqual({ kind: "lost", found: { kind: "alias", alias: ALIAS } });
  });

  it("reads 100 keys per call, each once, and says what is absent", async () => {
    const { store, calls } = setup();
    const states = Array.from({ length: 3 }, (_unused, index) => aState({ itemId: `batch ${index}` }));
    for (const state of states) await store.write(state, ABSENT, NOW);
    const wanted = Array.from({ length: 250 }, (_unused, index) => `batch ${index}`);
    calls.forget();

    const found = await store.read([...wanted, "batch 0", "batch 1"], NOW);

    const batches = calls
      .of("BatchGetItem")
      .map(({ input }) => input.RequestItems as Record<string, { Keys: unknown[] }>);
    expect(batches.map((items) => items[table.name]?.Keys.length)).toEqual([100, 100, 50]);
    expect(found.size).toBe(250);
    expect(states.map(({ itemId }) => found.get(itemId))).toEqual(states.map((state) => ({ kind: "item", state })));
    expect(found.get("batch 249")).toEqual(ABSENT);
  });

  it("asks again for keys that were left unprocessed, and leaves out those that never came", async () => {
    const { store, calls } = setup();
    await store.write(aState({ itemId: "slow" }), ABSENT, NOW);
    calls.forget();
    calls.fault("BatchGetItem", async (input, proceed) => {
      const asked = (input.RequestItems as Record<string, { Keys: Row[] }>)[table.name]?.Keys ?? [];
      const round = calls.of("BatchGetItem").length;
      const now = asked.filter(({ pk }) => pk?.S !== "never" && (pk?.S !== "slow" || round > 2));
      const later = asked.filter((key) => !now.includes(key));
      const answer = now.length > 0 ? await proceed({ RequestItems: { [table.name]: { Keys: now } } }) : {};
      return { ...answer, UnprocessedKeys: { [table.name]: { Keys: later } } };
    });

    const found = await store.read(["quick", "slow", "never"], NOW);

    expect(calls.of("BatchGetItem")).toHaveLength(4);
    expect(found.get("quick")).toEqual(ABSENT);
    expect(found.get("slow")).toMatchObject({ kind: "item" });
    expect(found.has("never")).toBe(false);
  });

  it("passes on every error that is not a lost swap", async () => {
    const { itemId } = setup();
    const elsewhere = new DynamoStateStore(newTableClient(engine.endpoint), "NoSuchTable");
    const name = "ResourceNotFoundException";
    await expect(elsewhere.write(aState({ itemId }), ABSENT, NOW)).rejects.toMatchObject({ name });
    await expect(elsewhere.read([itemId], NOW)).rejects.toMatchObject({ name });
    await expect(elsewhere.readConsistently(itemId, NOW)).rejects.toMatchObject({ name });
    await expect(elsewhere.writeAlias("m", ALIAS, NOW)).rejects.toMatchObject({ name });
  });

  it("stops when its caller's time is up", async () => {
    const { store, itemId } = setup();
    const abortSignal = AbortSignal.abort();
    const name = "AbortError";
    await expect(store.write(aState({ itemId }), ABSENT, NOW, { abortSignal })).rejects.toMatchObject({ name });
    await expect(store.read([itemId], NOW, { abortSignal })).rejects.toMatchObject({ name });
  });
});
