import type {
  CreateQueueResult,
  GetQueueAttributesResult,
  GetQueueUrlResult,
  ListDeadLetterSourceQueuesResult,
  ListQueuesResult,
} from "@aws-sdk/client-sqs";
import { SqsError } from "../errors.ts";
import {
  checkedRedrivePolicy,
  checkFifoName,
  checkQueueAttributes,
  checkQueueName,
  checkReadableNames,
  checkTags,
  type Input,
  LIMITS,
  optionalText,
  requiredText,
  textList,
  textMap,
} from "../limits/index.ts";
import { type Engine, noSuchQueue } from "../model/engine.ts";
import { Queue } from "../model/queue.ts";
import { pageOf } from "./pages.ts";

export function createQueue(engine: Engine, input: Input, now: number): CreateQueueResult {
  const name = requiredText(input, "QueueName");
  checkQueueName(name);
  const attributes = textMap(input, "Attributes");
  const fifo = attributes.get("FifoQueue") === "true";
  checkFifoName(name, fifo);
  checkQueueAttributes(attributes, fifo);
  const tags = textMap(input, "tags");
  checkTags(tags);
  const existing = engine.queues.get(name);
  if (existing) {
    checkSame(existing, attributes);
    return { QueueUrl: engine.urlOf(name) };
  }
  const deletedAt = engine.deleted.get(name);
  if (deletedAt !== undefined && now < deletedAt + LIMITS.deletedNameMs) {
    const wait = "You must wait 60 seconds after deleting a queue before you can create another with the same name.";
    throw new SqsError("QueueDeletedRecently", wait);
  }
  checkRedrive(engine, engine.arnOf(name), fifo, attributes);
  const identity = { name, arn: engine.arnOf(name), key: engine.newId(), fifo };
  const queue = new Queue(identity, attributes, now, (event) => engine.events.record(event));
  for (const [key, value] of tags) queue.tags.set(key, value);
  engine.queues.set(name, queue);
  engine.deleted.delete(name);
  return { QueueUrl: engine.urlOf(name) };
}

function checkSame(existing: Queue, given: ReadonlyMap<string, string>): void {
  for (const [name, value] of given) {
    if (name === "FifoQueue" || value === (existing.attributes.get(name) ?? "")) continue;
    throw new SqsError(
      "QueueNameExists",
      `A queue already exists with the same name and a different value for attribute ${name}`,
    );
  }
}

function checkRedrive(engine: Engine, arn: string, fifo: boolean, attributes: ReadonlyMap<string, string>): void {
  const policy = attributes.get("RedrivePolicy") ?? "";
  if (policy !== "") engine.checkRedriveTarget(arn, fifo, policy, checkedRedrivePolicy(policy).targetArn);
}

export function getQueueUrl(engine: Engine, input: Input): GetQueueUrlResult {
  const name = requiredText(input, "QueueName");
  const owner = optionalText(input, "QueueOwnerAWSAccountId") ?? engine.accountId;
  if (owner !== engine.accountId || !engine.queues.has(name)) throw noSuchQueue();
  return { QueueUrl: engine.urlOf(name) };
}

export function listQueues(engine: Engine, input: Input): ListQueuesResult {
  const prefix = optionalText(input, "QueueNamePrefix") ?? "";
  const names = [...engine.queues.keys()].filter((name) => name.startsWith(prefix)).sort();
  const { items, nextToken } = pageOf(names, input);
  return {
    ...(items.length === 0 ? {} : { QueueUrls: items.map((name) => engine.urlOf(name)) }),
    ...(nextToken === undefined ? {} : { NextToken: nextToken }),
  };
}

export function listDeadLetterSourceQueues(
  engine: Engine,
  input: Input,
  now: number,
): ListDeadLetterSourceQueuesResult {
  const sources = engine.sourcesOf(engine.queueOf(input, now).identity.arn).map((queue) => queue.identity.name);
  const { items, nextToken } = pageOf(sources.sort(), input);
  return {
    queueUrls: items.map((name) => engine.urlOf(name)),
    ...(nextToken === undefined ? {} : { NextToken: nextToken }),
  };
}

export function getQueueAttributes(engine: Engine, input: Input, now: number): GetQueueAttributesResult {
  const queue = engine.queueOf(input, now);
  const names = textList(input, "AttributeNames");
  checkReadableNames(names);
  const { visible, notVisible, delayed } = queue.counts;
  const all: Record<string, string> = {
    ...Object.fromEntries(queue.attributes),
    QueueArn: queue.identity.arn,
    CreatedTimestamp: String(Math.floor(queue.createdAt / 1000)),
    LastModifiedTimestamp: String(Math.floor(queue.modifiedAt / 1000)),
    ApproximateNumberOfMessages: String(visible),
    ApproximateNumberOfMessagesNotVisible: String(notVisible),
    ApproximateNumberOfMessagesDelayed: String(delayed),
  };
  const asked = Object.entries(all).filter(([name]) => names.includes("All") || names.includes(name));
  return asked.length === 0 ? {} : { Attributes: Object.fromEntries(asked) };
}

export function setQueueAttributes(engine: Engine, input: Input, now: number): object {
  const queue = engine.queueOf(input, now);
  const attributes = textMap(input, "Attributes");
  const { arn, fifo } = queue.identity;
  checkQueueAttributes(attributes, fifo);
  if (attributes.has("FifoQueue") && attributes.get("FifoQueue") !== String(fifo)) {
    throw new SqsError("InvalidAttributeName", "FifoQueue cannot be changed after the queue was created.");
  }
  checkRedrive(engine, arn, fifo, attributes);
  queue.configure(attributes, now);
  queue.progress(now);
  return {};
}

export function deleteQueue(engine: Engine, input: Input, now: number): object {
  const { name } = engine.queueOf(input, now).identity;
  engine.queues.delete(name);
  engine.deleted.set(name, now);
  return {};
}

export function purgeQueue(engine: Engine, input: Input, now: number): object {
  const queue = engine.queueOf(input, now);
  if (queue.purgedAt !== undefined && now < queue.purgedAt + LIMITS.purgeIntervalMs) {
    const name = queue.identity.name;
    throw new SqsError("PurgeQueueInProgress", `Only one PurgeQueue operation on ${name} is allowed every 60 seconds.`);
  }
  queue.purge(now);
  return {};
}
