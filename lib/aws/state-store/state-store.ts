import { setTimeout } from "node:timers/promises";
import {
  BatchGetItemCommand,
  ConditionalCheckFailedException,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  type PutItemCommandInput,
} from "@aws-sdk/client-dynamodb";
import pMap from "p-map";
import type { Alias } from "../../core/item/failure-report.ts";
import type { ItemState } from "../../core/state/item-state.ts";
import type { CallOptions } from "../call-options.ts";
import { aliasRow, type Found, itemRow, type Row, readRow } from "./row.ts";

/** BatchGetItem takes so many keys. */
const KEYS_PER_BATCH = 100;

/** Waits before keys that DynamoDB left out are asked for again; after the last they count as not answered. */
const UNPROCESSED_WAITS_MS = [50, 200, 500];

/** How a swap ended: our row is in, or another one is there. */
export type WriteResult = { readonly kind: "written" } | { readonly kind: "lost"; readonly found: Found };

/** Where items are remembered. A call that rejects has, as far as anybody knows, not happened. */
export interface StateStore {
  /**
   * What stands under these keys, by eventually consistent reads in batches. A key that DynamoDB would not answer for
   * (throttled) is missing in the result.
   */
  read(keys: readonly string[], now: number, options?: CallOptions): Promise<ReadonlyMap<string, Found>>;
  /** What stands under this key right now. */
  readConsistently(key: string, now: number, options?: CallOptions): Promise<Found>;
  /** Swaps an item's row in: only where `base` still stands, so that two handlers never overwrite each other. */
  write(state: ItemState, base: Found, now: number, options?: CallOptions): Promise<WriteResult>;
  /** Notes which item a message is, that travels without a context. */
  writeAlias(messageId: string, alias: Alias, expiresAtMs: number, options?: CallOptions): Promise<void>;
}

/** The state table in DynamoDB: one row per item or alias, under `pk`. */
export class DynamoStateStore implements StateStore {
  readonly #client: DynamoDBClient;
  readonly #tableName: string;
  readonly #wait: (ms: number) => Promise<unknown>;

  constructor(client: DynamoDBClient, tableName: string, wait: (ms: number) => Promise<unknown> = setTimeout) {
    this.#client = client;
    this.#tableName = tableName;
    this.#wait = wait;
  }

  async read(keys: readonly string[], now: number, options?: CallOptions): Promise<ReadonlyMap<string, Found>> {
    const distinct = [...new Set(keys)];
    const batches = Array.from({ length: Math.ceil(distinct.length / KEYS_PER_BATCH) }, (_, index) =>
      distinct.slice(index * KEYS_PER_BATCH, (index + 1) * KEYS_PER_BATCH),
    );
    const answers = await pMap(batches, (batch) => this.#readBatch(batch, options), { concurrency: 4 });
    const found = new Map<string, Found>();
    for (const { rows, unanswered } of answers) {
      for (const [key, row] of rows) if (!unanswered.has(key)) found.set(key, readRow(row, now));
    }
    return found;
  }

  async readConsistently(key: string, now: number, options?: CallOptions): Promise<Found> {
    const command = new GetItemCommand({ TableName: this.#tableName, Key: { pk: { S: key } }, ConsistentRead: true });
    const { Item } = await this.#client.send(command, options);
    return readRow(Item, now);
  }

  async write(state: ItemState, base: Found, now: number, options?: CallOptions): Promise<WriteResult> {
    const command = new PutItemCommand({
      TableName: this.#tableName,
      Item: itemRow(state),
      ...conditionOn(base, now),
      ReturnValuesOnConditionCheckFailure: "ALL_OLD",
    });
    try {
      await this.#client.send(command, options);
      return { kind: "written" };
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      // An engine that brings no row back, or a row that has just been deleted: look.
      const found = error.Item ? readRow(error.Item, now) : await this.readConsistently(state.itemId, now, options);
      return { kind: "lost", found };
    }
  }

  async writeAlias(messageId: string, alias: Alias, expiresAtMs: number, options?: CallOptions): Promise<void> {
    const Item = aliasRow(messageId, alias, expiresAtMs);
    await this.#client.send(new PutItemCommand({ TableName: this.#tableName, Item }), options);
  }

  async #readBatch(keys: readonly string[], options?: CallOptions) {
    const rows = new Map<string, Row | undefined>(keys.map((key) => [key, undefined]));
    let pending: readonly Row[] = keys.map((key) => ({ pk: { S: key } }));
    for (const waitMs of [...UNPROCESSED_WAITS_MS, undefined]) {
      const RequestItems = { [this.#tableName]: { Keys: [...pending] } };
      const { Responses, UnprocessedKeys } = await this.#client.send(
        new BatchGetItemCommand({ RequestItems }),
        options,
      );
      for (const row of Responses?.[this.#tableName] ?? []) if (row.pk?.S !== undefined) rows.set(row.pk.S, row);
      pending = UnprocessedKeys?.[this.#tableName]?.Keys ?? [];
      if (pending.length === 0 || waitMs === undefined) break;
      await this.#wait(waitMs);
    }
    return { rows, unanswered: new Set(pending.map((key) => key.pk?.S)) };
  }
}

type Condition = Pick<PutItemCommandInput, "ConditionExpression" | "ExpressionAttributeValues">;

/** Nobody has a row for the item, or only one past its expiry that DynamoDB has not deleted yet. */
const ABSENT = "attribute_not_exists(pk) OR expiresAt <= :now";

/** The row is still the one that the decision was made on. */
const UNCHANGED = "revision = :revision";

/** One of these changes whenever a row is replaced: an item's row has a revision, an alias the item that it names. */
const MARKS = ["revision", "aliasOf"];

function conditionOn(base: Found, now: number): Condition {
  switch (base.kind) {
    case "item":
      return {
        ConditionExpression: UNCHANGED,
        ExpressionAttributeValues: { ":revision": { N: String(base.state.revision) } },
      };
    case "undecodable":
      return stillThere(base.row);
    default: {
      const epochSeconds = Math.floor(now / 1000);
      return { ConditionExpression: ABSENT, ExpressionAttributeValues: { ":now": { N: String(epochSeconds) } } };
    }
  }
}

/** The row that nobody can read is still there. Whatever its marks are, they are compared as they stand. */
function stillThere(row: Row): Condition {
  const conditions = MARKS.map((name) => (row[name] ? `${name} = :${name}` : `attribute_not_exists(${name})`));
  const values = MARKS.flatMap((name) => (row[name] ? [[`:${name}`, row[name]] as const] : []));
  return {
    ConditionExpression: conditions.join(" AND "),
    ...(values.length > 0 && { ExpressionAttributeValues: Object.fromEntries(values) }),
  };
}
