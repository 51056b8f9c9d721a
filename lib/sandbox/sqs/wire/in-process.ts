import type { QueueService } from "../service.ts";
import { answer, type CallHooks } from "./answer.ts";

/** The part of an SDK request that the handler reads. */
interface SdkRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** Either the platform's signal or the SDK's older one. */
interface SdkSignal {
  readonly aborted: boolean;
  onabort: ((this: never, event: never) => unknown) | null;
}

interface SdkResponse {
  readonly response: {
    readonly statusCode: number;
    readonly headers: Record<string, string>;
    readonly body: Uint8Array;
  };
}

/** What an SDK v3 client takes as `requestHandler`. */
export type InProcessRequestHandler = {
  handle(request: SdkRequest, options?: { readonly abortSignal?: AbortSignal | SdkSignal }): Promise<SdkResponse>;
  updateHttpClientConfig(): void;
  httpHandlerConfigs(): Record<string, never>;
  destroy(): void;
};

/**
 * A request handler that answers an SDK v3 client from `service` without a socket:
 * `new SQSClient({ requestHandler: inProcessRequestHandler(service), region, credentials })`. Serialisation, middleware
 * and error mapping of the SDK all run.
 *
 * @param hooks inject faults: `before` may throw an `SqsError` (the answer is that refusal) or any other error (a
 *   connection fault); `after` may do the same once the action is done, or return another output
 */
export function inProcessRequestHandler(service: QueueService, hooks: CallHooks = {}): InProcessRequestHandler {
  return {
    handle: async (request, options = {}) => {
      const headers = Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value]),
      );
      const { signal, release } = platformSignal(options.abortSignal);
      try {
        const {
          statusCode,
          headers: answerHeaders,
          body,
        } = await answer(service, { headers, body: bodyText(request.body) }, signal, hooks);
        return { response: { statusCode, headers: { ...answerHeaders }, body: Buffer.from(body) } };
      } finally {
        release();
      }
    },
    updateHttpClientConfig: () => {},
    httpHandlerConfigs: () => ({}),
    destroy: () => {},
  };
}

function bodyText(body: unknown): string {
  if (body === undefined || body === null) return "";
  if (typeof body === "string") return body;
  if (body instanceof Uint8Array) return Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString();
  throw new TypeError("the in-process SQS handler takes text and byte bodies only");
}

function platformSignal(given: AbortSignal | SdkSignal | undefined): {
  readonly signal: AbortSignal | undefined;
  readonly release: () => void;
} {
  if (given === undefined || given instanceof AbortSignal) return { signal: given, release: () => {} };
  const controller = new AbortController();
  if (given.aborted) controller.abort();
  given.onabort = () => controller.abort();
  return {
    signal: controller.signal,
    release: () => {
      given.onabort = null;
    },
  };
}
