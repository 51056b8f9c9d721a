import { createServer } from "node:net";
import { PutItemCommand, ScanCommand } from "@aws-sdk/client-dynamodb";
import { describe, expect, it } from "vitest";
import { listeningPort } from "../../../lib/sandbox/dynamodb/free-port.ts";
import { deleteExpired } from "../../../lib/sandbox/dynamodb/time-to-live.ts";
import { anEngine, ENGINES, TABLE } from "./engines.ts";

describe.each(ENGINES)("the table engine $name", (kind) => {
  it("is gone when it is stopped", async () => {
    const engine = await kind.start();
    await fetch(engine.endpoint, { headers: { connection: "close" } });

    await engine.stop();

    await expect(fetch(engine.endpoint)).rejects.toThrow("fetch failed");
  });

  it("says that a port is taken", async () => {
    const other = createServer();
    const port = await listeningPort(other, 0);

    await expect(kind.start(port)).rejects.toMatchObject({ code: "EADDRINUSE" });
    await new Promise((resolve) => other.close(resolve));
  });

  it("loses rows whose time to live has passed by the sandbox's clock, and no others", async () => {
    const { client } = await anEngine(kind);
    const rows = { past: { N: "999" }, due: { N: "1000" }, future: { N: "1001" }, text: { S: "1" } };
    for (const [pk, expiresAt] of Object.entries(rows)) {
      await client.send(new PutItemCommand({ TableName: TABLE.name, Item: { pk: { S: pk }, expiresAt } }));
    }
    await client.send(new PutItemCommand({ TableName: TABLE.name, Item: { pk: { S: "none" } } }));

    expect(await deleteExpired(client, TABLE, 1_000_999)).toBe(2);

    const { Items = [] } = await client.send(new ScanCommand({ TableName: TABLE.name }));
    expect(Items.map(({ pk }) => pk?.S).sort()).toEqual(["future", "none", "text"]);
  });

  it("loses nothing of a table without time to live", async () => {
    const { client } = await anEngine(kind);
    await client.send(new PutItemCommand({ TableName: TABLE.name, Item: { pk: { S: "a" }, expiresAt: { N: "1" } } }));
    const { timeToLiveAttribute: _, ...forever } = TABLE;

    expect(await deleteExpired(client, forever, 1e15)).toBe(0);
  });
});
