import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { onTestFinished } from "vitest";
import type { TablePlan } from "../../../lib/sandbox/assembly/table-plan.ts";
import { createTables } from "../../../lib/sandbox/dynamodb/create-tables.ts";
import { startDynalite } from "../../../lib/sandbox/dynamodb/dynalite-engine.ts";
import { dynoxideBinary, startDynoxide } from "../../../lib/sandbox/dynamodb/dynoxide-engine.ts";

const binary = dynoxideBinary();

/** The engines that this machine has. */
export const ENGINES = [
  { name: "dynalite", start: startDynalite },
  ...(binary === undefined ? [] : [{ name: "dynoxide", start: (port?: number) => startDynoxide(binary, port) }]),
] as const;

/** A table like the state table. */
export const TABLE: TablePlan = {
  logicalId: "Table",
  name: "state",
  create: {
    TableName: "state",
    AttributeDefinitions: [{ AttributeName: "pk", AttributeType: "S" }],
    KeySchema: [{ AttributeName: "pk", KeyType: "HASH" }],
    BillingMode: "PAY_PER_REQUEST",
  },
  timeToLiveAttribute: "expiresAt",
};

/** An engine with the table, and a client of it; all gone when the test is over. */
export async function anEngine({ start }: (typeof ENGINES)[number]) {
  const engine = await start();
  const client = new DynamoDBClient({
    endpoint: engine.endpoint,
    region: "us-east-1",
    credentials: { accessKeyId: "test", secretAccessKey: "test" },
    maxAttempts: 1,
  });
  onTestFinished(async () => {
    client.destroy();
    await engine.stop();
  });
  await createTables(client, [TABLE]);
  return { engine, client };
}
