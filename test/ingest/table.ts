import { CreateTableCommand, DynamoDBClient, GetItemCommand, PutItemCommand } from "@aws-sdk/client-dynamodb";
import type { Row } from "../../lib/aws/state-store/row.ts";
import type { TableEngine } from "../../lib/sandbox/dynamodb/engine.ts";

export const CREDENTIALS = { accessKeyId: "test", secretAccessKey: "test" };
export const REGION = "us-east-1";

let tables = 0;

/** A state table of its own in an engine, and a client that nobody watches. */
export async function createStateTable({ endpoint }: TableEngine) {
  tables += 1;
  const TableName = `State${tables}`;
  const client = newTableClient(endpoint);
  await client.send(
    new CreateTableCommand({
      TableName,
      BillingMode: "PAY_PER_REQUEST",
      KeySchema: [{ AttributeName: "pk", KeyType: "HASH" }],
      AttributeDefinitions: [{ AttributeName: "pk", AttributeType: "S" }],
    }),
  );
  return {
    name: TableName,
    endpoint,
    put: async (Item: Row): Promise<void> => {
      await client.send(new PutItemCommand({ TableName, Item }));
    },
    get: async (key: string): Promise<Row | undefined> =>
      (await client.send(new GetItemCommand({ TableName, Key: { pk: { S: key } }, ConsistentRead: true }))).Item,
  };
}

export type StateTable = Awaited<ReturnType<typeof createStateTable>>;

/** A client without retries of its own, so that an injected fault is met once. */
export function newTableClient(endpoint: string): DynamoDBClient {
  return new DynamoDBClient({ endpoint, region: REGION, credentials: CREDENTIALS, maxAttempts: 1 });
}
