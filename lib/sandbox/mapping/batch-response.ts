import { isObject } from "../json.ts";

/**
 * The messages of a batch that failed, by the answer of a function that reports them
 * (https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-errorhandling.html#services-sqs-batchfailurereporting):
 * none with an answer or a list that is null or empty; all with one that is not as it should be, or names a message that
 * is not in the batch.
 *
 * @param payload what the function returned, as JSON
 */
export function failedMessages(payload: string, messageIds: readonly string[]): ReadonlySet<string> {
  const all = new Set(messageIds);
  const answer = parsed(payload);
  if (answer === null) return new Set();
  if (!isObject(answer)) return all;
  const failures = answer.batchItemFailures ?? [];
  if (!Array.isArray(failures)) return all;
  const failed = new Set<string>();
  for (const failure of failures) {
    const id: unknown = isObject(failure) ? failure.itemIdentifier : undefined;
    if (typeof id !== "string" || !all.has(id)) return all;
    failed.add(id);
  }
  return failed;
}

function parsed(payload: string): unknown {
  try {
    return JSON.parse(payload);
  } catch {
    return undefined;
  }
}
