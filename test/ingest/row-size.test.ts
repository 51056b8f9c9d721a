import { describe, expect, it } from "vitest";
import type { Row } from "../../lib/aws/state-store/row.ts";
import { aRecord } from "./records.ts";
import { pipeline } from "./setup.ts";

/** Size as DynamoDB counts it: names, texts in UTF-8, numbers by their digits, lists with their overhead. */
function bytesOf(row: Row | undefined): number {
  let bytes = 0;
  for (const [name, { S, N, L }] of Object.entries(row ?? {})) {
    bytes += Buffer.byteLength(name) + Buffer.byteLength(S ?? "");
    if (N !== undefined) bytes += Math.ceil(N.length / 2) + 1;
    if (L) bytes += 3 + L.reduce((sum, each) => sum + 1 + Buffer.byteLength(each.S ?? ""), 0);
  }
  return bytes;
}

describe("the row of an item", () => {
  it("stays below 1,000 bytes through ten attempts, each with another long error", async () => {
    const { handle, look, urls, table } = await pipeline();
    const itemId = "é".repeat(50);
    let context: object = { itemId, attempt: 1 };
    const sizes: number[] = [];
    for (let attempt = 1; attempt <= 10; attempt++) {
      const error = { type: `${attempt} ${"T".repeat(200)}`, message: `${attempt} ${"🙂".repeat(200)}` };
      await handle([aRecord({ messageId: crypto.randomUUID(), context: { ...context, kind: "failed", error } })]);
      context = look(urls.work).at(-1)?.context ?? {};
      sizes.push(bytesOf(await table.get(itemId)));
    }
    expect(look(urls.dead)).toHaveLength(1);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(1_000);
  });
});
