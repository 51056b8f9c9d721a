const NO_MOVE_TASKS = "StartMessageMoveTask is not implemented";

/** Lines of the behaviour list that moto 5.2.1 is known to fail, by name, with what it does instead. */
export const MOTO_DIFFERENCES: ReadonlyMap<string, string> = new Map([
  ["9. CreateQueue with DelaySeconds 901 is refused", "accepted"],
  ["13. DelaySeconds -1 is refused", "accepted"],
  ["14. DelaySeconds 1.5 is refused", "accepted"],
  ["15. one batch entry with DelaySeconds 901 fails, the other is sent", 'SenderFault is the string "true"'],
  ["27. an empty body is refused", "accepted"],
  ["28. a body with U+0001 is refused", "accepted"],
  ["30. eleven message attributes are refused", "accepted"],
  ["31. a Number attribute that is no number is refused", "accepted"],
  ["32. an empty String attribute is refused", "accepted"],
  ["34. an attribute name that starts with AWS. is refused", "accepted"],
  ["59. a second PurgeQueue within 60 s is refused", "accepted"],
  ["61. DeadLetterQueueSourceArn names the queue that a moved message came from", "the attribute is absent"],
  ["64. a RedrivePolicy that names a missing queue is refused", "refused as QueueDoesNotExist"],
  ["65. maxReceiveCount 1001 is refused", "accepted"],
  ["67. StartMessageMoveTask moves messages from the dead-letter queue back to their source", NO_MOVE_TASKS],
  ["68. RedriveAllowPolicy byQueue lets the queues in its list redrive, and no other", "not enforced"],
  ["69. RedriveAllowPolicy is stored and returned", "not kept"],
  ["73. one deduplication id: the same MessageId twice, one delivery", "the second send answers a new MessageId"],
  ["79. ListQueues takes a prefix and pages", "MaxResults is ignored"],
  [
    "81. bodies and attributes of a batch count together: 1,048,576 bytes are accepted, one more refused",
    "attributes do not count",
  ],
  ["82. attribute names, types and values count to the size limit", "attributes do not count"],
  ["88. the receive count starts again after a move task or a re-send", NO_MOVE_TASKS],
  [
    "89. without a destination, a message sent to the dead-letter queue directly fails the task and stays",
    NO_MOVE_TASKS,
  ],
  ["90. a move task from a queue that is nobody's dead-letter queue is refused", NO_MOVE_TASKS],
  ["91. a moved message has a new messageId and enqueue time, and keeps body and attributes", NO_MOVE_TASKS],
  ["92. the HTTP header X-Amzn-Trace-Id becomes AWSTraceHeader unless the entry sets its own", "the header is ignored"],
]);
