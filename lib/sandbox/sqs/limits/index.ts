/** Everything that SQS refuses, in one place: pure checks that throw `SqsError`. */
export { type AttributeValue, checkedAttributes, type MessageAttributes } from "./attributes.ts";
export { type BatchEntry, checkBatchSize, checkedEntries } from "./batch.ts";
export { illegalCharacterAt } from "./characters.ts";
export { type Input, isRecord, optionalInteger, optionalText, requiredText, textList, textMap } from "./input.ts";
export { checkedMessage, type QueueRules } from "./message.ts";
export {
  checkedRedriveAllowPolicy,
  checkedRedrivePolicy,
  type RedriveAllowPolicy,
  type RedrivePolicy,
} from "./policies.ts";
export { checkQueueAttributes, checkReadableNames } from "./queue-attributes.ts";
export { checkFifoName, checkQueueName } from "./queue-name.ts";
export { checkedReceive, type ReceiveRequest, type SystemAttribute } from "./receive.ts";
export { requestBytes } from "./size.ts";
export { checkTags } from "./tags.ts";
export { LIMITS } from "./values.ts";
