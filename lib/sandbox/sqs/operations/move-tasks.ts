import type {
  CancelMessageMoveTaskResult,
  ListMessageMoveTasksResult,
  ListMessageMoveTasksResultEntry,
  StartMessageMoveTaskResult,
} from "@aws-sdk/client-sqs";
import { invalidParameter, SqsError } from "../errors.ts";
import { type Input, LIMITS, optionalInteger, optionalText, requiredText } from "../limits/index.ts";
import type { Engine } from "../model/engine.ts";
import { type MoveTask, progressMoveTasks } from "../model/move-task.ts";
import type { Queue } from "../model/queue.ts";

export function startMessageMoveTask(engine: Engine, input: Input, now: number): StartMessageMoveTaskResult {
  const sourceArn = requiredText(input, "SourceArn");
  const source = queueNamed(engine, "SourceArn", sourceArn);
  if (engine.sourcesOf(sourceArn).length === 0) {
    throw invalidParameter("SourceArn", sourceArn, "Source queue must be configured as a Dead Letter Queue.");
  }
  const destinationArn = optionalText(input, "DestinationArn");
  checkDestination(engine, source, destinationArn);
  const ratePerSecond = optionalInteger(input, "MaxNumberOfMessagesPerSecond", LIMITS.moveRatePerSecond);
  if (engine.moveTasks.some((task) => task.sourceArn === sourceArn && task.status === "RUNNING")) {
    throw new SqsError(
      "InvalidParameterValue",
      "There is already a task running. Only one active task is allowed for a source queue arn at a given time.",
    );
  }
  source.progress(now);
  const waiting = [...source.messages()].filter((message) => message.state === "visible");
  const handle = Buffer.from(JSON.stringify({ taskId: engine.newId(), sourceArn })).toString("base64");
  engine.moveTasks.push({
    handle,
    sourceArn,
    ...(destinationArn === undefined ? {} : { destinationArn }),
    ...(ratePerSecond === undefined ? {} : { ratePerSecond }),
    startedAt: now,
    messageIds: waiting.map((message) => message.messageId),
    status: "RUNNING",
    position: 0,
    moved: 0,
  });
  return { TaskHandle: handle };
}

function checkDestination(engine: Engine, source: Queue, destinationArn: string | undefined): void {
  if (destinationArn === undefined) return;
  const destination = queueNamed(engine, "DestinationArn", destinationArn);
  if (destination === source) {
    throw invalidParameter("DestinationArn", destinationArn, "Source and destination must be different queues.");
  }
  if (destination.identity.fifo !== source.identity.fifo) {
    throw invalidParameter("DestinationArn", destinationArn, "Source and destination must be of the same queue type.");
  }
}

function queueNamed(engine: Engine, parameter: string, arn: string): Queue {
  const queue = engine.queueByArn(arn);
  if (queue) return queue;
  throw new SqsError(
    "ResourceNotFoundException",
    `The resource that you specified for the ${parameter} parameter doesn't exist.`,
  );
}

export function listMessageMoveTasks(engine: Engine, input: Input, now: number): ListMessageMoveTasksResult {
  const sourceArn = requiredText(input, "SourceArn");
  queueNamed(engine, "SourceArn", sourceArn);
  const limit = optionalInteger(input, "MaxResults", LIMITS.moveTaskPage) ?? 1;
  progressMoveTasks(engine, now);
  const newestFirst = engine.moveTasks.filter((task) => task.sourceArn === sourceArn).reverse();
  return { Results: newestFirst.slice(0, limit).map(listed) };
}

function listed(task: MoveTask): ListMessageMoveTasksResultEntry {
  return {
    ...(task.status === "RUNNING" ? { TaskHandle: task.handle } : {}),
    Status: task.status,
    SourceArn: task.sourceArn,
    ...(task.destinationArn === undefined ? {} : { DestinationArn: task.destinationArn }),
    ...(task.ratePerSecond === undefined ? {} : { MaxNumberOfMessagesPerSecond: task.ratePerSecond }),
    ApproximateNumberOfMessagesMoved: task.moved,
    ApproximateNumberOfMessagesToMove: task.messageIds.length,
    ...(task.failureReason === undefined ? {} : { FailureReason: task.failureReason }),
    StartedTimestamp: Math.floor(task.startedAt),
  };
}

export function cancelMessageMoveTask(engine: Engine, input: Input): CancelMessageMoveTaskResult {
  const handle = requiredText(input, "TaskHandle");
  const task = engine.moveTasks.find((one) => one.handle === handle);
  if (task?.status !== "RUNNING") {
    throw new SqsError("ResourceNotFoundException", "The task does not exist or is not running.");
  }
  task.status = "CANCELLED";
  return { ApproximateNumberOfMessagesMoved: task.moved };
}
