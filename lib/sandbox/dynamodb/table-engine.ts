import { startDynalite } from "./dynalite-engine.ts";
import { dynoxideBinary, startDynoxide } from "./dynoxide-engine.ts";
import type { TableEngine } from "./engine.ts";

/**
 * Starts the engine of this machine: dynoxide where its optional package is installed, else dynalite.
 *
 * @param port 0: a free one
 * @throws Error when the port cannot be listened on
 */
export async function startTableEngine(port = 0): Promise<TableEngine> {
  const binary = dynoxideBinary();
  return binary === undefined ? startDynalite(port) : startDynoxide(binary, port);
}
