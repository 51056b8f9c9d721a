import { invalidParameter } from "../errors.ts";
import { LIMITS } from "./values.ts";

const NAME = /^[A-Za-z0-9_-]+(\.fifo)?$/;

/** @throws SqsError InvalidParameterValue when SQS takes no queue of this name */
export function checkQueueName(name: string): void {
  if (name.length > LIMITS.queueNameLength || !NAME.test(name)) {
    throw invalidParameter(
      "QueueName",
      name,
      `Can only include alphanumeric characters, hyphens, or underscores. 1 to ${LIMITS.queueNameLength} in length.`,
    );
  }
}

/** @throws SqsError InvalidParameterValue when name and `FifoQueue` do not say the same */
export function checkFifoName(name: string, fifo: boolean): void {
  if (name.endsWith(".fifo") !== fifo) {
    throw invalidParameter("QueueName", name, "The name of a FIFO queue, and only of one, ends with '.fifo'.");
  }
}
