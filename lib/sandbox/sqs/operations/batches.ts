import type { BatchResultErrorEntry } from "@aws-sdk/client-sqs";
import { SqsError } from "../errors.ts";
import { type BatchEntry, checkedEntries, type Input } from "../limits/index.ts";

export interface BatchOutput<Result> {
  readonly Successful: Result[];
  readonly Failed: BatchResultErrorEntry[];
}

/** Does `each` entry for itself: one that is refused does not keep the others. */
export function forEachEntry<Result>(input: Input, each: (entry: BatchEntry) => Result): BatchOutput<Result> {
  const output: BatchOutput<Result> = { Successful: [], Failed: [] };
  for (const entry of checkedEntries(input)) {
    try {
      output.Successful.push(each(entry));
    } catch (error) {
      if (!(error instanceof SqsError)) throw error;
      output.Failed.push({
        Id: entry.id,
        SenderFault: error.fault === "Sender",
        Code: error.name,
        Message: error.message,
      });
    }
  }
  return output;
}
