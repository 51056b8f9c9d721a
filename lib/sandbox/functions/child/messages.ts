import type { ClockSettings } from "../../clock.ts";

/** First message to a function's process: what to load, and which time it is. */
export interface InitMessage {
  readonly kind: "init";
  readonly clock: ClockSettings;
  readonly taskRoot: string;
  /** `file.export`, as Lambda takes it. */
  readonly handler: string;
}

/** One invocation. */
export interface InvokeMessage {
  readonly kind: "invoke";
  /** The event as JSON. */
  readonly payload: string;
  readonly requestId: string;
  readonly traceId: string;
  /** Real time that the invocation may take. */
  readonly timeoutMs: number;
  readonly functionArn: string;
}

export type RequestMessage = InitMessage | InvokeMessage;

/** How an invocation ended; errors in Lambda's words. */
export type InvocationOutcome =
  | { readonly kind: "returned"; readonly payload: string }
  | { readonly kind: "failed"; readonly errorType: string; readonly errorMessage: string; readonly trace?: string };

/** What a function's process answers: once after `init`, and once after each `invoke`. */
export type AnswerMessage = { readonly kind: "ready" } | InvocationOutcome;
