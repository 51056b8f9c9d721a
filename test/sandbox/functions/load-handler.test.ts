import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { loadHandler } from "../../../lib/sandbox/functions/child/load-handler.ts";

async function aTask(files: Readonly<Record<string, string>>): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), "task-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  for (const [file, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, file)), { recursive: true });
    await writeFile(join(root, file), text);
  }
  return root;
}

describe("loading a handler", () => {
  it.each([
    ["a CommonJS bundle", "index.js", "exports.handler = () => 'found';", "index.handler"],
    [
      "exports that only show at run time",
      "index.cjs",
      "module.exports = { ['hand' + 'ler']: () => 'found' };",
      "index.handler",
    ],
    ["a module", "index.mjs", "export const handler = () => 'found';", "index.handler"],
    ["a file in a directory", "src/app/index.mjs", "export const main = () => 'found';", "src/app/index.main"],
    ["a function within an export", "index.mjs", "export const api = { get: () => 'found' };", "index.api.get"],
  ])("finds %s", async (_, file, text, handler) => {
    const found = await loadHandler(await aTask({ [file]: text }), handler);

    expect(found({}, {})).toBe("found");
  });

  it.each([
    ["index.nobody", "Runtime.HandlerNotFound", "'index.nobody' must name an exported function, got undefined"],
    ["other.handler", "Runtime.ImportModuleError", "cannot find the file of the handler 'other.handler'"],
    ["index", "Runtime.ImportModuleError", "cannot find the file of the handler 'index'"],
  ])("says of %s what is wrong, as Lambda's runtime names it", async (handler, name, message) => {
    const root = await aTask({ "index.mjs": "export const handler = () => {};" });

    await expect(loadHandler(root, handler)).rejects.toMatchObject({ name, message });
  });
});
