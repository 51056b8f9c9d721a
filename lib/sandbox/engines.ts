import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { SQSClient } from "@aws-sdk/client-sqs";
import type { Environment } from "./assembly/identities.ts";
import type { SandboxClock } from "./clock.ts";
import { startTableEngine } from "./dynamodb/table-engine.ts";
import { CREDENTIALS } from "./functions/function-environment.ts";
import { depthFromEndpoint, depthFromService, type ReadDepth } from "./queues/queue-depth.ts";
import { inProcessRequestHandler, QueueService, startSqsServer } from "./sqs/index.ts";

export interface EngineOptions {
  /** 0: a free one. */
  readonly sqsPort: number;
  /** 0: a free one. */
  readonly dynamodbPort: number;
  /** AWS-compatible servers to use in place of engines of our own. */
  readonly sqsEndpoint?: string | undefined;
  readonly dynamodbEndpoint?: string | undefined;
}

/** Queues and tables, and how to reach them. */
export interface Engines {
  readonly sqsEndpoint: string;
  readonly dynamodbEndpoint: string;
  /** The queue engine, unless a foreign one is used. */
  readonly service: QueueService | undefined;
  readonly tableEngine: "dynoxide" | "dynalite" | "foreign";
  /** For the sandbox's own work: goes past the network where the queue engine is in this process. */
  readonly ownSqs: SQSClient;
  readonly sqs: SQSClient;
  readonly dynamodb: DynamoDBClient;
  readonly readDepth: ReadDepth;
}

/**
 * Starts the queue engine and the table engine, or takes the foreign ones.
 *
 * @param onStop takes what ends each part, in the order of starting
 * @throws Error when a port is taken or an engine does not start
 */
export async function startEngines(
  options: EngineOptions,
  clock: SandboxClock,
  environment: Environment,
  onStop: (close: () => unknown) => void,
): Promise<Engines> {
  const { service, endpoint: sqsEndpoint } = await startQueues(options, clock, environment, onStop);
  const tables = await startTables(options, onStop);
  const client = { region: environment.region, credentials: CREDENTIALS };
  const sqs = new SQSClient({ ...client, endpoint: sqsEndpoint });
  const dynamodb = new DynamoDBClient({ ...client, endpoint: tables.endpoint });
  const ownSqs = service
    ? new SQSClient({ ...client, endpoint: sqsEndpoint, requestHandler: inProcessRequestHandler(service) })
    : sqs;
  onStop(() => {
    for (const each of [sqs, dynamodb, ownSqs]) each.destroy();
  });
  return {
    sqsEndpoint,
    dynamodbEndpoint: tables.endpoint,
    service,
    tableEngine: tables.name,
    ownSqs,
    sqs,
    dynamodb,
    readDepth: service ? depthFromService(service) : depthFromEndpoint(sqs),
  };
}

async function startQueues(
  { sqsEndpoint, sqsPort }: EngineOptions,
  clock: SandboxClock,
  environment: Environment,
  onStop: (close: () => unknown) => void,
): Promise<{ readonly service: QueueService | undefined; readonly endpoint: string }> {
  if (sqsEndpoint !== undefined) return { service: undefined, endpoint: withoutSlash(sqsEndpoint) };
  const service = new QueueService({ clock, ...environment });
  const server = await listening("SQS", sqsPort, () => startSqsServer(service, { port: sqsPort }));
  onStop(() => server.close());
  return { service, endpoint: server.endpoint };
}

async function startTables(
  { dynamodbEndpoint, dynamodbPort }: EngineOptions,
  onStop: (close: () => unknown) => void,
): Promise<{ readonly name: Engines["tableEngine"]; readonly endpoint: string }> {
  if (dynamodbEndpoint !== undefined) return { name: "foreign", endpoint: withoutSlash(dynamodbEndpoint) };
  const engine = await listening("DynamoDB", dynamodbPort, () => startTableEngine(dynamodbPort));
  onStop(() => engine.stop());
  return engine;
}

async function listening<Engine>(service: string, port: number, start: () => Promise<Engine>): Promise<Engine> {
  try {
    return await start();
  } catch (error) {
    if ((error as { code?: unknown }).code !== "EADDRINUSE") throw error;
    throw new Error(`port ${port} for ${service} is taken: choose another, or 0 for a free one`, { cause: error });
  }
}

function withoutSlash(endpoint: string): string {
  return endpoint.replace(/\/+$/, "");
}
