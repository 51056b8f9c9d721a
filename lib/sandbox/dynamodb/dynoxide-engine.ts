import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { TableEngine } from "./engine.ts";
import { freePort, LOOPBACK } from "./free-port.ts";

/** How long the binary may take until it answers. */
const START_LIMIT_MS = 10_000;

/** Tries on other ports when somebody else takes the free one first. */
const TRIES = 3;

/** The binary's path, or `undefined` where no package for this machine is installed. */
export function dynoxideBinary(): string | undefined {
  try {
    const manifest = `@dynoxide/${process.platform}-${process.arch}/package.json`;
    return join(dirname(createRequire(import.meta.url).resolve(manifest)), "dynoxide");
  } catch {
    return undefined;
  }
}

/**
 * Starts dynoxide as a child process, in memory.
 *
 * @param port 0: a free one
 * @throws Error when the port is taken, or the binary does not start
 */
export async function startDynoxide(binary: string, port = 0): Promise<TableEngine> {
  for (let tried = 1; ; tried++) {
    const actual = await freePort(port);
    const engine = await started(binary, actual);
    if (engine) return engine;
    if (port !== 0 || tried === TRIES) throw new Error(`dynoxide (${binary}) does not start on port ${actual}`);
  }
}

async function started(binary: string, port: number): Promise<TableEngine | undefined> {
  const endpoint = `http://${LOOPBACK}:${port}`;
  const child = spawn(binary, ["serve", "--host", LOOPBACK, "--port", String(port)], { stdio: "ignore" });
  const kill = () => child.kill("SIGKILL");
  // This process may end without `stop()`; the child would live on.
  process.once("exit", kill);
  const ended = once(child, "exit").catch(() => {});
  const stop = async () => {
    process.off("exit", kill);
    kill();
    await ended;
  };
  if (await answers(endpoint, child)) return { name: "dynoxide", endpoint, stop };
  await stop();
  return undefined;
}

async function answers(endpoint: string, child: ChildProcess): Promise<boolean> {
  const limit = AbortSignal.timeout(START_LIMIT_MS);
  while (child.pid !== undefined && child.exitCode === null && child.signalCode === null && !limit.aborted) {
    try {
      await (await fetch(endpoint, { signal: limit, headers: { connection: "close" } })).arrayBuffer();
      return true;
    } catch {
      await sleep(20);
    }
  }
  return false;
}
