import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { AssetHashType, DockerImage } from "aws-cdk-lib";
import { Code } from "aws-cdk-lib/aws-lambda";
import { buildSync } from "esbuild";

/** The handlers' sources: `lambda/` at the root of this package. */
const SOURCES = fileURLToPath(new URL("../../lambda", import.meta.url));

/** The handlers; each is one file of the asset. */
const ENTRIES = ["ingest.ts"];

/**
 * The code of all functions, of all pipelines: one asset, bundled once per synthesis by esbuild in this process. The
 * SDK is in it, so that what was tested is what runs.
 */
export function handlerCode(): Code {
  return Code.fromAsset(SOURCES, {
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      // Named because the CDK wants an image; the local bundling below never falls back to it.
      image: DockerImage.fromRegistry("scratch"),
      local: { tryBundle: bundle },
    },
  });
}

function bundle(outputDirectory: string): boolean {
  const entryPoints = ENTRIES.map((entry) => join(SOURCES, entry));
  const missing = entryPoints.filter((entry) => !existsSync(entry));
  if (missing.length > 0)
    throw new Error(`the sources of the handlers must be there, but are not: ${missing.join(", ")}`);
  buildSync({
    entryPoints,
    outdir: outputDirectory,
    absWorkingDir: fileURLToPath(new URL("../..", import.meta.url)),
    bundle: true,
    platform: "node",
    target: "node24",
    format: "cjs",
    mainFields: ["module", "main"],
    minify: true,
    keepNames: true,
    legalComments: "external",
    charset: "utf8",
    logLevel: "error",
  });
  return true;
}
