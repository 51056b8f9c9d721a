import type * as Sqs from "@aws-sdk/client-sqs";

/** Every action that the engine knows, with its output in the SDK's own types. */
interface Outputs {
  CancelMessageMoveTask: Sqs.CancelMessageMoveTaskResult;
  ChangeMessageVisibility: object;
  ChangeMessageVisibilityBatch: Sqs.ChangeMessageVisibilityBatchResult;
  CreateQueue: Sqs.CreateQueueResult;
  DeleteMessage: object;
  DeleteMessageBatch: Sqs.DeleteMessageBatchResult;
  DeleteQueue: object;
  GetQueueAttributes: Sqs.GetQueueAttributesResult;
  GetQueueUrl: Sqs.GetQueueUrlResult;
  ListDeadLetterSourceQueues: Sqs.ListDeadLetterSourceQueuesResult;
  ListMessageMoveTasks: Sqs.ListMessageMoveTasksResult;
  ListQueues: Sqs.ListQueuesResult;
  ListQueueTags: Sqs.ListQueueTagsResult;
  PurgeQueue: object;
  ReceiveMessage: Sqs.ReceiveMessageResult;
  SendMessage: Sqs.SendMessageResult;
  SendMessageBatch: Sqs.SendMessageBatchResult;
  SetQueueAttributes: object;
  StartMessageMoveTask: Sqs.StartMessageMoveTaskResult;
  TagQueue: object;
  UntagQueue: object;
}

export type Action = keyof Outputs;

/** The output of an action; of a name that is known only at run time, just an object. */
export type OutputOf<Name extends string> = Name extends Action ? Outputs[Name] : object;
