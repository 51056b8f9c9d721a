import type { SQSClient } from "@aws-sdk/client-sqs";

const HTTP_TRACE_HEADER = "x-amzn-trace-id";

/** Fields that name a trace. Lambda adds others, the lineage by which it stops recursive loops among them. */
const TRACE_FIELDS = ["Root", "Parent", "Sampled"];

/** A trace header without its lineage: the trace goes on, the chain of invocations does not. */
export function withoutLineage(header: string | undefined): string | undefined {
  const fields = header?.split(";").map((field) => field.trim());
  const kept = fields?.filter((field) => TRACE_FIELDS.includes(field.split("=", 1)[0] ?? ""));
  return kept?.length ? kept.join(";") : undefined;
}

/**
 * Makes a client send the HTTP trace header without lineage. Inside Lambda the SDK copies the function's own trace
 * header onto every request, and SQS hands it on as `AWSTraceHeader`: a retry would be cut off as a recursive loop
 * after about 16 rounds. It runs in the build step right behind the SDK's own middleware.
 */
export function dropLineage(client: SQSClient): void {
  client.middlewareStack.add(
    (next) => (args) => {
      const headers = (args.request as { headers?: Record<string, string> } | undefined)?.headers ?? {};
      for (const name of Object.keys(headers)) {
        if (name.toLowerCase() !== HTTP_TRACE_HEADER) continue;
        const kept = withoutLineage(headers[name]);
        if (kept === undefined) delete headers[name];
        else headers[name] = kept;
      }
      return next(args);
    },
    { step: "build", priority: "low", name: "dropLineage" },
  );
}
