/** Aborts calls to AWS when a handler's time is up. */
export interface CallOptions {
  readonly abortSignal?: AbortSignal;
}
