import { createServer, type Server } from "node:net";

/** The interface that engines listen on: this machine only. */
export const LOOPBACK = "127.0.0.1";

/** Listens on the loopback interface. @returns the port @throws Error when it cannot */
export async function listeningPort(server: Server, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, LOOPBACK, () => {
      server.off("error", reject);
      resolve();
    });
  });
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : port;
}

/** A port that nobody listens on right now; `port` itself unless it is 0. @throws Error when it is taken */
export async function freePort(port: number): Promise<number> {
  const server = createServer();
  const free = await listeningPort(server, port);
  await new Promise((resolve) => server.close(resolve));
  return free;
}
