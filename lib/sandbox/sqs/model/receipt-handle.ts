import { SqsError } from "../errors.ts";

/** What a receipt handle stands for: the `serial`-th receive of a message from one queue. */
export interface Receipt {
  readonly queueKey: string;
  readonly messageId: string;
  readonly serial: number;
}

const PLAIN = /^receipt\/([^/]+)\/([^/]+)\/(\d+)$/;

export function receiptHandle(receipt: Receipt): string {
  return Buffer.from(`receipt/${receipt.queueKey}/${receipt.messageId}/${receipt.serial}`).toString("base64");
}

/** @throws SqsError ReceiptHandleIsInvalid when the handle did not come from the queue with this key */
export function readReceiptHandle(handle: string, queueKey: string): Receipt {
  const [, key, messageId, serial] = PLAIN.exec(Buffer.from(handle, "base64").toString()) ?? [];
  if (key !== queueKey || messageId === undefined || serial === undefined) {
    throw new SqsError("ReceiptHandleIsInvalid", `The input receipt handle "${handle}" is not a valid receipt handle.`);
  }
  return { queueKey, messageId, serial: Number(serial) };
}
