import { type Assembly, synthesize } from "../../bin/assembly.ts";
import { type Sandbox, type SandboxOptions, startSandbox } from "../../lib/sandbox/index.ts";

/** The real app in the sandbox, with the context `pipelines` of its own. */
export interface RunningProduct {
  readonly sandbox: Sandbox;
  stop(): Promise<void>;
}

export async function runProduct(
  pipelines: Readonly<Record<string, object>>,
  options: Omit<SandboxOptions, "assemblyDirectory"> = {},
): Promise<RunningProduct> {
  const assembly: Assembly = await synthesize({ pipelines });
  try {
    const sandbox = await startSandbox({ ...options, assemblyDirectory: assembly.directory });
    const stop = async () => {
      await sandbox.stop();
      await assembly.remove();
    };
    return { sandbox, stop };
  } catch (error) {
    await assembly.remove();
    throw error;
  }
}

/** Looks again and again until something is there; what is awaited decides the time, not a guess. */
export async function eventually<T>(look: () => Promise<T | undefined> | T | undefined, what: string): Promise<T> {
  const deadline = performance.now() + 60_000;
  while (performance.now() < deadline) {
    const found = await look();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`gave up waiting for ${what}`);
}
