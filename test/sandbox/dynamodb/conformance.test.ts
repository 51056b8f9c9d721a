import {
  type AttributeValue,
  BatchGetItemCommand,
  ConditionalCheckFailedException,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  type PutItemCommandInput,
} from "@aws-sdk/client-dynamodb";
import { describe, expect, it } from "vitest";
import { anEngine, ENGINES, TABLE } from "./engines.ts";

type Row = Record<string, AttributeValue>;

const key = (pk: string): Row => ({ pk: { S: pk } });
const row = (pk: string, more: Row = {}): Row => ({
  ...key(pk),
  revision: { N: "1" },
  expiresAt: { N: "1000" },
  ...more,
});

const put = (client: DynamoDBClient, Item: Row, more: Partial<PutItemCommandInput> = {}) =>
  client.send(new PutItemCommand({ TableName: TABLE.name, Item, ...more }));

const get = async (client: DynamoDBClient, pk: string) =>
  (await client.send(new GetItemCommand({ TableName: TABLE.name, Key: key(pk), ConsistentRead: true }))).Item;

const absentAt = (now: number): Partial<PutItemCommandInput> => ({
  ConditionExpression: "attribute_not_exists(pk) OR expiresAt <= :now",
  ExpressionAttributeValues: { ":now": { N: String(now) } },
});

const atRevision = (revision: number): Partial<PutItemCommandInput> => ({
  ConditionExpression: "revision = :r",
  ExpressionAttributeValues: { ":r": { N: String(revision) } },
  ReturnValuesOnConditionCheckFailure: "ALL_OLD",
});

const batchGet = (client: DynamoDBClient, keys: readonly Row[]) =>
  client.send(new BatchGetItemCommand({ RequestItems: { [TABLE.name]: { Keys: [...keys], ConsistentRead: true } } }));

describe.each(ENGINES)("$name, in what the state store lives on", (kind) => {
  it("writes a first row, refuses a second, and replaces one that has expired, whole", async () => {
    const { client } = await anEngine(kind);

    await put(client, row("item", { old: { S: "x" } }), absentAt(500));
    await expect(put(client, row("item"), absentAt(999))).rejects.toThrow(ConditionalCheckFailedException);
    await put(client, row("item", { revision: { N: "7" } }), absentAt(1000));

    expect(await get(client, "item")).toEqual(row("item", { revision: { N: "7" } }));
  });

  it("swaps a row only at the revision that it was read at", async () => {
    const { client } = await anEngine(kind);
    await put(client, row("item"));

    await put(client, row("item", { revision: { N: "2" } }), atRevision(1));
    await expect(put(client, row("item", { revision: { N: "2" } }), atRevision(1))).rejects.toThrow(
      ConditionalCheckFailedException,
    );

    expect((await get(client, "item"))?.revision).toEqual({ N: "2" });
  });

  it("refuses a swap of a row that is not there", async () => {
    const { client } = await anEngine(kind);

    await expect(put(client, row("item"), atRevision(1))).rejects.toThrow(ConditionalCheckFailedException);
  });

  // Known: dynalite brings no row back, so the store has to read it.
  it(`brings ${kind.name === "dynalite" ? "no row" : "the row that won"} back with a refused swap`, async () => {
    const { client } = await anEngine(kind);
    await put(client, row("item"));

    const refusal: unknown = await put(client, row("item"), atRevision(9)).catch((error: unknown) => error);

    expect(refusal).toBeInstanceOf(ConditionalCheckFailedException);
    expect((refusal as ConditionalCheckFailedException).Item).toEqual(
      kind.name === "dynalite" ? undefined : row("item"),
    );
  });

  it("lets one of many writers win", async () => {
    const { client } = await anEngine(kind);

    const writes = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) => put(client, row("item", { writer: { N: `${index}` } }), absentAt(1))),
    );

    expect(writes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  it("reads up to 100 keys at once, and leaves out what is not there", async () => {
    const { client } = await anEngine(kind);
    await put(client, row("k1"));
    await put(client, row("k99"));

    const keys = Array.from({ length: 100 }, (_, index) => key(`k${index}`));
    const { Responses } = await batchGet(client, keys);

    const found = Responses?.[TABLE.name] ?? [];
    expect(found.map(({ pk }) => pk?.S).sort()).toEqual(["k1", "k99"]);
  });

  it("refuses 101 keys, and a key twice", async () => {
    const { client } = await anEngine(kind);

    const many = Array.from({ length: 101 }, (_, index) => key(`k${index}`));

    await expect(batchGet(client, many)).rejects.toMatchObject({ name: "ValidationException" });
    await expect(batchGet(client, [key("a"), key("a")])).rejects.toMatchObject({ name: "ValidationException" });
  });

  it.each([
    ["an empty key", row("")],
    ["a key of 2,049 bytes", row("x".repeat(2049))],
    ["a row above 400 KB", row("item", { big: { S: "x".repeat(400 * 1024) } })],
  ])("refuses %s", async (_, item) => {
    const { client } = await anEngine(kind);

    await expect(put(client, item)).rejects.toMatchObject({ name: "ValidationException" });
  });

  // Known: dynalite counts characters where DynamoDB counts bytes.
  it(`${kind.name === "dynalite" ? "takes" : "refuses"} a key of 1,025 characters in 2,049 bytes`, async () => {
    const { client } = await anEngine(kind);

    const [result] = await Promise.allSettled([put(client, row(`${"é".repeat(1024)}x`))]);

    expect(result.status).toBe(kind.name === "dynalite" ? "fulfilled" : "rejected");
  });

  it("takes a key of 2,048 bytes", async () => {
    const { client } = await anEngine(kind);
    const pk = "é".repeat(1024);

    await put(client, row(pk));

    expect(await get(client, pk)).toEqual(row(pk));
  });

  it("keeps numbers, texts, lists, flags and bytes as they are", async () => {
    const { client } = await anEngine(kind);
    const item = row("item", {
      epoch: { N: "1764554645123" },
      fraction: { N: "0.1" },
      negative: { N: "-5" },
      text: { S: "héllo 🎈 \u0000" },
      empty: { S: "" },
      list: { L: [{ S: "a" }, { N: "2" }, { L: [] }] },
      map: { M: { a: { BOOL: true }, b: { NULL: true } } },
      bytes: { B: Uint8Array.from([0, 255]) },
    });

    await put(client, item);

    expect(await get(client, "item")).toEqual(item);
  });
});
