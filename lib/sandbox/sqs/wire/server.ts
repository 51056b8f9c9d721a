import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { SqsError } from "../errors.ts";
import type { QueueService } from "../service.ts";
import { answer, refusal, type WireResponse } from "./answer.ts";

/** 1 MiB of body can be six times as long as JSON (`\u0009`), and a batch may carry as much again in base64. */
const LARGEST_REQUEST = 16 * 1024 * 1024;
/** Longer than any SDK keeps an idle connection, so that it is never the server that closes under a request. */
const KEEP_ALIVE_MS = 75_000;

export interface SqsServer {
  readonly endpoint: string;
  /** Ends open long polls and connections, and stops listening. */
  close(): Promise<void>;
}

export interface SqsServerOptions {
  /** @default "127.0.0.1" */
  readonly host?: string;
  /** @default 0: a free one */
  readonly port?: number;
}

/**
 * Serves `service` over HTTP with AWS's JSON protocol, unsigned or signed alike.
 *
 * @throws Error when the address cannot be listened on (for example EADDRINUSE)
 */
export async function startSqsServer(service: QueueService, options: SqsServerOptions = {}): Promise<SqsServer> {
  const { host = "127.0.0.1", port = 0 } = options;
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    respond(service, request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
  const address = server.address();
  const actualPort = typeof address === "object" && address !== null ? address.port : port;
  const endpoint = `http://${host.includes(":") ? `[${host}]` : host}:${actualPort}`;
  service.offerEndpoint(endpoint);
  return {
    endpoint,
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()));
        server.closeAllConnections();
      }),
  };
}

async function respond(service: QueueService, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const gone = new AbortController();
  response.once("close", () => {
    if (!response.writableFinished) gone.abort(new Error("the client is gone"));
  });
  const { statusCode, headers, body } = await answered(service, request, gone.signal);
  response.writeHead(statusCode, { ...headers, "content-length": Buffer.byteLength(body) }).end(body);
}

async function answered(service: QueueService, request: IncomingMessage, signal: AbortSignal): Promise<WireResponse> {
  try {
    const body = await textOf(request);
    return await answer(service, { headers: singleHeaders(request), body }, signal);
  } catch (error) {
    if (signal.aborted) throw error;
    if (error instanceof SqsError) return refusal(error);
    return refusal(new SqsError("InternalFailure", error instanceof Error ? error.message : String(error)));
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.byteLength;
    if (bytes > LARGEST_REQUEST)
      throw new SqsError("RequestEntityTooLarge", "The request is too long.", { statusCode: 413 });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function singleHeaders(request: IncomingMessage): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(",") : value]),
  );
}
