import dynalite from "dynalite";
import type { TableEngine } from "./engine.ts";
import { LOOPBACK, listeningPort } from "./free-port.ts";

/** Dynalite in this process. @throws Error when the port cannot be listened on */
export async function startDynalite(port = 0): Promise<TableEngine> {
  const server = dynalite({ createTableMs: 0, deleteTableMs: 0, updateTableMs: 0 });
  const actual = await listeningPort(server, port);
  return {
    name: "dynalite",
    endpoint: `http://${LOOPBACK}:${actual}`,
    stop: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()));
        server.closeAllConnections();
      }),
  };
}
