import { type Input, isRecord } from "../limits/index.ts";

/** Sends take the HTTP header `X-Amzn-Trace-Id` as their `AWSTraceHeader`, except entries that set their own. */
export function withTraceHeader(action: string, input: Input, traceId: string | undefined): Input {
  if (traceId === undefined || traceId === "") return input;
  if (action === "SendMessage") return traced(input, traceId);
  if (action !== "SendMessageBatch" || !Array.isArray(input.Entries)) return input;
  const entries: readonly unknown[] = input.Entries;
  return { ...input, Entries: entries.map((entry) => (isRecord(entry) ? traced(entry, traceId) : entry)) };
}

function traced(entry: Input, traceId: string): Input {
  const own = entry.MessageSystemAttributes ?? {};
  if (!isRecord(own) || own.AWSTraceHeader !== undefined) return entry;
  return {
    ...entry,
    MessageSystemAttributes: { ...own, AWSTraceHeader: { DataType: "String", StringValue: traceId } },
  };
}
