import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/** The files that functions run from: a temporary directory that is removed at the end. */
export interface TaskFiles {
  /** Program of every function's process, for plain Node. */
  readonly bootstrap: string;
  /** A copy of a function's code; made once for each directory. */
  taskRoot(codeDirectory: string): Promise<string>;
  remove(): Promise<void>;
}

/** Compiles the bootstrap and makes room for the functions' code. */
export async function createTaskFiles(): Promise<TaskFiles> {
  const directory = await mkdtemp(join(tmpdir(), "sandbox-"));
  const bootstrap = join(directory, "bootstrap.cjs");
  const copies = new Map<string, Promise<string>>();
  await build({
    entryPoints: [fileURLToPath(new URL("child/bootstrap.ts", import.meta.url))],
    outfile: bootstrap,
    bundle: true,
    platform: "node",
    format: "cjs",
    target: "node20",
    logLevel: "error",
  });
  return {
    bootstrap,
    // A copy away from any package.json, as in Lambda: one above would change how Node loads the bundle.
    taskRoot: (codeDirectory) => {
      const known = copies.get(codeDirectory);
      if (known) return known;
      const root = join(directory, `task-${copies.size}`);
      const copied = cp(codeDirectory, root, { recursive: true }).then(() => root);
      copies.set(codeDirectory, copied);
      return copied;
    },
    remove: () => rm(directory, { recursive: true, force: true }),
  };
}
