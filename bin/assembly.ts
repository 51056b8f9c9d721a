import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildApp } from "../lib/constructs/index.ts";

/** A synthesized cloud assembly in a folder of its own. */
export interface Assembly {
  readonly directory: string;
  remove(): Promise<void>;
}

/**
 * Synthesizes the product's app under this context.
 *
 * @throws Error that lists everything wrong with the context
 */
export async function synthesize(context: Readonly<Record<string, unknown>>): Promise<Assembly> {
  // The template's check against all service rules takes longer than everything else here; `npm run synth` makes it.
  process.env.CDK_VALIDATION = "false";
  const directory = await mkdtemp(join(tmpdir(), "retry-assembly-"));
  const remove = () => rm(directory, { recursive: true, force: true });
  try {
    buildApp({ outdir: directory, context }).synth();
  } catch (error) {
    await remove();
    throw error;
  }
  return { directory, remove };
}
