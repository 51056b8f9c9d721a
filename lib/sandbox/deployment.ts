import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import type { SQSClient } from "@aws-sdk/client-sqs";
import { type Environment, scopeOf } from "./assembly/identities.ts";
import type { ResourceIdentity, Scope } from "./assembly/intrinsics.ts";
import { planQueue, planRedrive, queueIdentity } from "./assembly/queue-plan.ts";
import type { AssemblyStack } from "./assembly/read-assembly.ts";
import { planExports, planStack, resourcesOf, type StackPlan } from "./assembly/stack-plan.ts";
import { createTables } from "./dynamodb/create-tables.ts";
import { createQueue, type SandboxQueue, tieQueue } from "./queues/create-queues.ts";
import { outsideQueueNames, withStandIns } from "./queues/outside-queues.ts";

/** A stack whose queues and tables are there. */
export interface DeployedStack {
  readonly name: string;
  readonly queues: readonly SandboxQueue[];
  readonly plan: StackPlan;
}

/** All that an assembly's templates ask for. */
export interface Deployment {
  readonly stacks: readonly DeployedStack[];
  /** Queues that are named by ARN only, so that empty ones with default attributes stand in for them. */
  readonly standIns: readonly SandboxQueue[];
}

interface Prepared {
  readonly stack: AssemblyStack;
  readonly queues: readonly SandboxQueue[];
  readonly scope: Scope;
}

/**
 * Makes the queues and tables of all stacks, and works out the rest.
 *
 * @throws AssemblyError for what is not run here, Error for what an engine refuses
 */
export async function deploy(
  stacks: readonly AssemblyStack[],
  environment: Environment,
  sqs: SQSClient,
  dynamodb: DynamoDBClient,
): Promise<Deployment> {
  const exports = new Map<string, string>();
  const prepared: Prepared[] = [];
  for (const stack of stacks) prepared.push(await prepare(stack, scopeOf(stack, environment, exports), sqs));
  const own = new Set(prepared.flatMap(({ queues }) => queues.map(({ name }) => name)));
  const standIns = new Map<string, SandboxQueue>();
  for (const name of stacks.flatMap(outsideQueueNames)) {
    if (!own.has(name) && !standIns.has(name)) standIns.set(name, await standIn(name, sqs));
  }
  for (const { stack, scope } of prepared) {
    for (const [name, value] of planExports(stack, scope)) exports.set(name, value);
  }
  for (const { stack, queues, scope } of prepared) await tie(stack, queues, scope, standIns, sqs);
  const deployed = prepared.map(({ stack, queues, scope }) => ({
    name: stack.name,
    queues,
    plan: localPlan(planStack(stack, scope), standIns),
  }));
  await createTables(
    dynamodb,
    deployed.flatMap(({ plan }) => plan.tables),
  );
  return { stacks: deployed, standIns: [...standIns.values()] };
}

async function prepare(stack: AssemblyStack, scope: Scope, sqs: SQSClient): Promise<Prepared> {
  const queues: SandboxQueue[] = [];
  const resources = new Map<string, ResourceIdentity>(scope.resources);
  for (const resource of resourcesOf(stack, "AWS::SQS::Queue")) {
    const queue = await createQueue(sqs, planQueue(resource, stack.name, scope));
    resources.set(resource.logicalId, queueIdentity(queue.name, queue.url, queue.arn));
    queues.push(queue);
  }
  return { stack, queues, scope: { ...scope, resources } };
}

function standIn(name: string, sqs: SQSClient): Promise<SandboxQueue> {
  const attributes: Record<string, string> = name.endsWith(".fifo") ? { FifoQueue: "true" } : {};
  return createQueue(sqs, { logicalId: name, name, attributes });
}

async function tie(
  stack: AssemblyStack,
  queues: readonly SandboxQueue[],
  scope: Scope,
  standIns: ReadonlyMap<string, SandboxQueue>,
  sqs: SQSClient,
): Promise<void> {
  for (const resource of resourcesOf(stack, "AWS::SQS::Queue")) {
    const queue = queues.find(({ logicalId }) => logicalId === resource.logicalId);
    if (queue) await tieQueue(sqs, queue, localValues(planRedrive(resource, scope), standIns));
  }
}

function localPlan(plan: StackPlan, standIns: ReadonlyMap<string, SandboxQueue>): StackPlan {
  return {
    ...plan,
    functions: plan.functions.map((each) => ({ ...each, environment: localValues(each.environment, standIns) })),
    mappings: plan.mappings.map((each) => ({ ...each, queueArn: withStandIns(each.queueArn, standIns) })),
    outputs: localValues(plan.outputs, standIns),
  };
}

function localValues(
  values: Readonly<Record<string, string>>,
  standIns: ReadonlyMap<string, SandboxQueue>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, withStandIns(value, standIns)]));
}
