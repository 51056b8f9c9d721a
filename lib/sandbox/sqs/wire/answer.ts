import { randomUUID } from "node:crypto";
import { SqsError } from "../errors.ts";
import { type Input, isRecord } from "../limits/index.ts";
import type { QueueService } from "../service.ts";
import { decodedInput, encodedOutput } from "./binary.ts";
import { withTraceHeader } from "./trace-header.ts";

const TARGET = /^AmazonSQS\.(\w+)$/;

/** A request of the AWS JSON protocol; header names in lower case. */
export interface WireRequest {
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
}

export interface WireResponse {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What an injected fault may do to a call. Inputs and outputs are the model's, binary values as bytes. */
export interface CallHooks {
  /** Runs before the action; what it throws is the answer, and the action is not done. */
  readonly before?: (action: string, input: Input) => void | Promise<void>;
  /** Runs after the action was done; may throw, or return another output. */
  readonly after?: (action: string, input: Input, output: object) => object | undefined | Promise<object | undefined>;
}

/**
 * Answers one request. What SQS refuses becomes an error response; anything else that is thrown (an aborted signal, a
 * hook's connection error) is thrown on.
 */
export async function answer(
  service: QueueService,
  request: WireRequest,
  signal?: AbortSignal,
  hooks: CallHooks = {},
): Promise<WireResponse> {
  try {
    const action = actionOf(request);
    const input = withTraceHeader(action, decodedInput(parsed(request.body)), request.headers["x-amzn-trace-id"]);
    await hooks.before?.(action, input);
    const output = action === "ReceiveMessage" ? await service.receive(input, signal) : service.call(action, input);
    return response(200, encodedOutput((await hooks.after?.(action, input, output)) ?? output));
  } catch (error) {
    if (error instanceof SqsError) return refusal(error);
    throw error;
  }
}

/** The response that says what SQS refused. */
export function refusal(error: SqsError): WireResponse {
  const body = { __type: `com.amazonaws.sqs#${error.name}`, message: error.message };
  return response(error.statusCode, body, { "x-amzn-query-error": `${error.queryCode};${error.fault}` });
}

function response(statusCode: number, body: object, headers: Readonly<Record<string, string>> = {}): WireResponse {
  return {
    statusCode,
    headers: { "content-type": "application/x-amz-json-1.0", "x-amzn-requestid": randomUUID(), ...headers },
    body: JSON.stringify(body),
  };
}

function actionOf(request: WireRequest): string {
  const target = request.headers["x-amz-target"];
  const action = TARGET.exec(target ?? "")?.[1];
  if (action !== undefined) return action;
  throw new SqsError(
    "UnknownOperationException",
    `X-Amz-Target must be AmazonSQS.<action> (AWS JSON protocol 1.0), got '${target ?? ""}'.`,
  );
}

function parsed(body: string): Input {
  try {
    const json: unknown = JSON.parse(body === "" ? "{}" : body);
    if (isRecord(json)) return json;
  } catch {
    // Not JSON is refused like JSON that is no object.
  }
  throw new SqsError("SerializationException", "The request body must be a JSON object.");
}
