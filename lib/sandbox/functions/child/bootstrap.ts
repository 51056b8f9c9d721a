/** The program of a function's process: plays Lambda's Node runtime over the channel to the sandbox. */
import { type Handler, loadHandler } from "./load-handler.ts";
import type { AnswerMessage, InitMessage, InvocationOutcome, InvokeMessage, RequestMessage } from "./messages.ts";
import { shiftDate } from "./shifted-date.ts";

let handler: Handler | undefined;

// Ctrl-C reaches every process of the terminal; the sandbox ends this one in its own order.
process.on("SIGINT", () => {});
// The sandbox may end without a word.
process.on("disconnect", () => process.exit());
process.on("message", (message: RequestMessage) => {
  const answer = message.kind === "init" ? init(message) : invoke(message);
  answer.catch(failure).then((sent) => process.send?.(sent), process.abort);
});

async function init({ clock, taskRoot, handler: name }: InitMessage): Promise<AnswerMessage> {
  shiftDate(clock);
  handler = await loadHandler(taskRoot, name);
  return { kind: "ready" };
}

async function invoke(message: InvokeMessage): Promise<AnswerMessage> {
  process.env._X_AMZN_TRACE_ID = message.traceId;
  const result: unknown = await handler?.(JSON.parse(message.payload), contextOf(message));
  return { kind: "returned", payload: JSON.stringify(result) ?? "null" };
}

function contextOf({ requestId, functionArn, timeoutMs }: InvokeMessage): object {
  const deadline = performance.now() + timeoutMs;
  const { env } = process;
  return {
    awsRequestId: requestId,
    callbackWaitsForEmptyEventLoop: true,
    functionName: env.AWS_LAMBDA_FUNCTION_NAME,
    functionVersion: env.AWS_LAMBDA_FUNCTION_VERSION,
    invokedFunctionArn: functionArn,
    logGroupName: env.AWS_LAMBDA_LOG_GROUP_NAME,
    logStreamName: env.AWS_LAMBDA_LOG_STREAM_NAME,
    memoryLimitInMB: env.AWS_LAMBDA_FUNCTION_MEMORY_SIZE,
    getRemainingTimeInMillis: () => Math.max(0, Math.floor(deadline - performance.now())),
  };
}

function failure(error: unknown): InvocationOutcome {
  if (!(error instanceof Error)) return { kind: "failed", errorType: typeof error, errorMessage: String(error) };
  const { name, message, stack } = error;
  return { kind: "failed", errorType: name, errorMessage: message, ...(stack !== undefined && { trace: stack }) };
}
