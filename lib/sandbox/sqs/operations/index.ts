import type { Action } from "../actions.ts";
import type { Input } from "../limits/index.ts";
import type { Engine } from "../model/engine.ts";
import {
  changeMessageVisibility,
  changeMessageVisibilityBatch,
  deleteMessage,
  deleteMessageBatch,
} from "./in-flight.ts";
import { cancelMessageMoveTask, listMessageMoveTasks, startMessageMoveTask } from "./move-tasks.ts";
import {
  createQueue,
  deleteQueue,
  getQueueAttributes,
  getQueueUrl,
  listDeadLetterSourceQueues,
  listQueues,
  purgeQueue,
  setQueueAttributes,
} from "./queues.ts";
import { receiveMessage } from "./receive.ts";
import { sendMessage, sendMessageBatch } from "./send.ts";
import { listQueueTags, tagQueue, untagQueue } from "./tags.ts";

type Operation = (engine: Engine, input: Input, now: number) => object;

const OPERATIONS: Readonly<Record<Action, Operation>> = {
  CancelMessageMoveTask: cancelMessageMoveTask,
  ChangeMessageVisibility: changeMessageVisibility,
  ChangeMessageVisibilityBatch: changeMessageVisibilityBatch,
  CreateQueue: createQueue,
  DeleteMessage: deleteMessage,
  DeleteMessageBatch: deleteMessageBatch,
  DeleteQueue: deleteQueue,
  GetQueueAttributes: getQueueAttributes,
  GetQueueUrl: getQueueUrl,
  ListDeadLetterSourceQueues: listDeadLetterSourceQueues,
  ListMessageMoveTasks: listMessageMoveTasks,
  ListQueues: listQueues,
  ListQueueTags: listQueueTags,
  PurgeQueue: purgeQueue,
  ReceiveMessage: receiveMessage,
  SendMessage: sendMessage,
  SendMessageBatch: sendMessageBatch,
  SetQueueAttributes: setQueueAttributes,
  StartMessageMoveTask: startMessageMoveTask,
  TagQueue: tagQueue,
  UntagQueue: untagQueue,
};

const BY_NAME: ReadonlyMap<string, Operation> = new Map(Object.entries(OPERATIONS));

export function operationNamed(action: string): Operation | undefined {
  return BY_NAME.get(action);
}
