import { setTimeout as sleep } from "node:timers/promises";
import {
  CreateTableCommand,
  DescribeTableCommand,
  type DynamoDBClient,
  ResourceInUseException,
} from "@aws-sdk/client-dynamodb";
import type { TablePlan } from "../assembly/table-plan.ts";

/** How long a table may take to become active. */
const ACTIVE_LIMIT_MS = 30_000;

/**
 * Creates the tables and waits until all of them are active. A table that is there already is taken as it is.
 *
 * @throws Error what the engine refuses, or when a table does not become active
 */
export async function createTables(client: DynamoDBClient, plans: readonly TablePlan[]): Promise<void> {
  await Promise.all(plans.map((plan) => createTable(client, plan)));
}

async function createTable(client: DynamoDBClient, { name, create }: TablePlan): Promise<void> {
  try {
    await client.send(new CreateTableCommand(create));
  } catch (error) {
    if (!(error instanceof ResourceInUseException)) throw error;
  }
  const limit = AbortSignal.timeout(ACTIVE_LIMIT_MS);
  while (!limit.aborted) {
    const { Table } = await client.send(new DescribeTableCommand({ TableName: name }));
    if (Table?.TableStatus === "ACTIVE") return;
    await sleep(20);
  }
  throw new Error(`table ${name} is not active after ${ACTIVE_LIMIT_MS / 1000} seconds`);
}
