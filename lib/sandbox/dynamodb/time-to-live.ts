import {
  ConditionalCheckFailedException,
  DeleteItemCommand,
  type DynamoDBClient,
  paginateScan,
} from "@aws-sdk/client-dynamodb";
import type { TablePlan } from "../assembly/table-plan.ts";

/**
 * Deletes the rows whose time to live has passed, which the engines themselves never do. DynamoDB does it some time
 * after the expiry, so such rows may be read for a while.
 *
 * @param now epoch milliseconds in sandbox time
 * @returns how many rows were deleted
 */
export async function deleteExpired(client: DynamoDBClient, plan: TablePlan, now: number): Promise<number> {
  const { name, timeToLiveAttribute, create } = plan;
  if (timeToLiveAttribute === undefined) return 0;
  const keys = (create.KeySchema ?? []).map(({ AttributeName }) => AttributeName ?? "");
  const expired = {
    TableName: name,
    ExpressionAttributeNames: { "#expiry": timeToLiveAttribute },
    ExpressionAttributeValues: { ":now": { N: String(Math.floor(now / 1000)) } },
  };
  let deleted = 0;
  for await (const { Items = [] } of paginateScan({ client }, { ...expired, FilterExpression: "#expiry <= :now" })) {
    for (const row of Items) {
      const Key = Object.fromEntries(keys.flatMap((key) => (row[key] ? [[key, row[key]]] : [])));
      try {
        await client.send(new DeleteItemCommand({ ...expired, Key, ConditionExpression: "#expiry <= :now" }));
        deleted += 1;
      } catch (error) {
        // A row that was written anew in between stays.
        if (!(error instanceof ConditionalCheckFailedException)) throw error;
      }
    }
  }
  return deleted;
}
