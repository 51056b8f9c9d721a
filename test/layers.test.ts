import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
let copy: string;

/** What the project's linter says of a file at this place, with this text. */
function lint(path: string, text: string): string {
  const file = join(copy, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  const args = ["lint", "--vcs-enabled=false", "--error-on-warnings", path];
  const { stdout, stderr, status } = spawnSync(join(root, "node_modules/.bin/biome"), args, {
    cwd: copy,
    encoding: "utf8",
  });
  rmSync(file);
  return status === 0 ? "" : stdout + stderr;
}

describe("the layers", () => {
  beforeAll(() => {
    copy = mkdtempSync(join(tmpdir(), "retry-layers-"));
    for (const each of ["biome.json", ".ci"]) cpSync(join(root, each), join(copy, each), { recursive: true });
  });

  afterAll(() => rmSync(copy, { recursive: true, force: true }));

  it.each([
    ["lib/core/probe.ts", "../aws/clients.ts"],
    ["lib/core/item/probe.ts", "@aws-sdk/client-sqs"],
    ["lib/core/probe.ts", "node:crypto"],
    ["lib/aws/probe.ts", "../ingest/ingest.ts"],
    ["lib/aws/sender/probe.ts", "../../constructs/index.ts"],
    ["lib/ingest/probe.ts", "@aws-sdk/client-dynamodb"],
    ["lib/constructs/probe.ts", "../aws/clients.ts"],
    ["lib/sandbox/probe.ts", "../constructs/index.ts"],
    ["lib/sandbox/probe.ts", "../../lambda/ingest.ts"],
    ["lambda/probe.ts", "../lib/sandbox/index.ts"],
  ])("%s may not import %s", (path, imported) => {
    expect(lint(path, `export { x } from "${imported}";\n`)).toContain("noRestrictedImports");
  });

  it.each(["Math.random()", "Date.now()", "new Date()", "performance.now()", "crypto.randomUUID()", "process.env.X"])(
    "the core may not call %s",
    (call) => {
      expect(lint("lib/core/probe.ts", `export const probe = () => ${call};\n`)).toMatch(/core is pure|noProcessEnv/);
    },
  );

  it("may import downwards", () => {
    expect(lint("lib/ingest/probe.ts", 'export { x } from "../core/state/advance.ts";\n')).toBe("");
  });
});
