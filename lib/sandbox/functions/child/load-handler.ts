import { statSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

export type Handler = (event: unknown, context: object) => unknown;

/** Endings that Lambda tries, in this order. */
const ENDINGS = ["", ".js", ".mjs", ".cjs"];

/**
 * Loads a handler as Lambda's runtime does: `dir/file.export`, where the export may be a path of names.
 *
 * @throws Error named as Lambda's runtime names it: the file is not there, or exports no such function
 */
export async function loadHandler(taskRoot: string, handler: string): Promise<Handler> {
  const [, path, exported = ""] = /^((?:.*\/)?[^./]+)\.(.+)$/.exec(handler) ?? [];
  const files = path === undefined ? [] : ENDINGS.map((ending) => join(taskRoot, path + ending));
  const file = files.find((each) => statSync(each, { throwIfNoEntry: false })?.isFile());
  if (file === undefined) throw runtimeError("ImportModuleError", `cannot find the file of the handler '${handler}'`);
  const loaded: unknown = await import(pathToFileURL(file).href);
  const found = exportOf(loaded, exported) ?? exportOf(exportOf(loaded, "default"), exported);
  if (typeof found === "function") return found as Handler;
  throw runtimeError("HandlerNotFound", `'${handler}' must name an exported function, got ${typeof found}`);
}

function exportOf(module: unknown, path: string): unknown {
  return path
    .split(".")
    .reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], module);
}

function runtimeError(name: string, message: string): Error {
  const error = new Error(message);
  error.name = `Runtime.${name}`;
  return error;
}
