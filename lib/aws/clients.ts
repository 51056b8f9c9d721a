import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { SQSClient } from "@aws-sdk/client-sqs";
import { dropLineage } from "./sender/trace-header.ts";

/** Limits of one call, so that a slow one is tried again or handed back while there is time for it. */
const CALL_LIMITS = {
  maxAttempts: 3,
  // Without the last one the SDK only warns of a request that takes too long.
  requestHandler: { connectionTimeout: 1_000, requestTimeout: 4_000, throwOnRequestTimeout: true },
};

/** The DynamoDB client of a handler. */
export function createDynamoDBClient(): DynamoDBClient {
  return new DynamoDBClient(CALL_LIMITS);
}

/** The SQS client of a handler: its sends carry no Lambda lineage. */
export function createSQSClient(): SQSClient {
  const client = new SQSClient(CALL_LIMITS);
  dropLineage(client);
  return client;
}
