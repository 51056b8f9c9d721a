import { isObject, type JsonObject, printed } from "../json.ts";
import { AssemblyError } from "./assembly-error.ts";

/** What a resource answers to `Ref` and `Fn::GetAtt`. */
export interface ResourceIdentity {
  readonly ref: string;
  readonly attributes: Readonly<Record<string, string>>;
}

/** Everything that an intrinsic function of a template may refer to. */
export interface Scope {
  /** Pseudo parameters (`AWS::Region` …) and parameters with a default. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Resources by logical id. */
  readonly resources: ReadonlyMap<string, ResourceIdentity>;
  /** Values that other stacks export, by export name. */
  readonly exports: ReadonlyMap<string, string>;
}

type Resolver = (argument: unknown, scope: Scope, path: string) => unknown;

const FUNCTIONS: Readonly<Record<string, Resolver>> = {
  Ref: (name, scope, path) => reference(asText(name, path), scope, path),
  "Fn::GetAtt": getAttribute,
  "Fn::Join": join,
  "Fn::Sub": substitute,
  "Fn::Select": select,
  "Fn::Split": split,
  "Fn::ImportValue": importValue,
};

/**
 * The value of a template with its intrinsic functions worked out. Pure.
 *
 * @param path where the value stands, for messages: `Resources.Queue.Properties.QueueName`
 * @returns the value, or `undefined` for `AWS::NoValue`
 * @throws AssemblyError for what cannot be resolved, with the path
 */
export function resolve(value: unknown, scope: Scope, path: string): unknown {
  if (Array.isArray(value)) {
    return value.map((item, index) => resolve(item, scope, `${path}[${index}]`)).filter((item) => item !== undefined);
  }
  if (!isObject(value)) return value;
  const [name, ...others] = Object.keys(value);
  if (name !== undefined && others.length === 0 && isIntrinsic(name)) {
    const resolver = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined;
    if (resolver) return resolver(value[name], scope, path);
    throw cannot(path, value, `${name} is not run here; known are ${Object.keys(FUNCTIONS).join(", ")}`);
  }
  return resolvedObject(value, scope, path);
}

function isIntrinsic(name: string): boolean {
  return name === "Ref" || name === "Condition" || name.startsWith("Fn::");
}

function resolvedObject(value: JsonObject, scope: Scope, path: string): JsonObject {
  const entries = Object.entries(value).map(([key, item]) => [key, resolve(item, scope, `${path}.${key}`)] as const);
  return Object.fromEntries(entries.filter(([, item]) => item !== undefined));
}

function reference(name: string, scope: Scope, path: string): string | undefined {
  if (name === "AWS::NoValue") return undefined;
  const found = scope.resources.get(name)?.ref ?? ownValue(scope.parameters, name);
  if (found === undefined) {
    throw cannot(path, { Ref: name }, "it names no parameter with a default and no resource that runs here");
  }
  return found;
}

function getAttribute(argument: unknown, scope: Scope, path: string): string {
  const text = typeof argument === "string" ? argument : undefined;
  const [id, attribute] = Array.isArray(argument)
    ? [String(argument[0]), String(resolve(argument[1], scope, path))]
    : [text?.split(".", 1)[0] ?? "", text?.split(".").slice(1).join(".") ?? ""];
  const resource = scope.resources.get(id);
  const found = resource && ownValue(resource.attributes, attribute);
  if (found !== undefined) return found;
  const why = resource
    ? `known attributes of ${id} are ${Object.keys(resource.attributes).join(", ")}`
    : `${id} is no resource that runs here`;
  throw cannot(path, { "Fn::GetAtt": argument }, why);
}

function join(argument: unknown, scope: Scope, path: string): string {
  if (!Array.isArray(argument) || argument.length !== 2) {
    throw cannot(path, { "Fn::Join": argument }, "it takes a delimiter and a list");
  }
  const list = listOf(argument[1], scope, path, "Fn::Join");
  return list.map((item) => asText(item, path)).join(asText(argument[0], path));
}

function substitute(argument: unknown, scope: Scope, path: string): string {
  const [template, given] = Array.isArray(argument) ? argument : [argument, {}];
  if (typeof template !== "string" || !isObject(given ?? {})) {
    throw cannot(path, { "Fn::Sub": argument }, "it takes a text, or a text and an object of values");
  }
  const own = resolvedObject(isObject(given) ? given : {}, scope, path);
  return template.replace(/\$\{(!?)([^}]+)\}/g, (whole, literal: string, name: string) => {
    if (literal) return `\${${name}}`;
    if (Object.hasOwn(own, name)) return asText(own[name], path);
    const value = name.includes(".") ? getAttribute(name, scope, path) : reference(name, scope, path);
    if (value === undefined) throw cannot(path, whole, "it has no value");
    return value;
  });
}

function select(argument: unknown, scope: Scope, path: string): unknown {
  const [position, values] = Array.isArray(argument) ? argument : [];
  const index = Number(resolve(position, scope, path));
  const list = listOf(values, scope, path, "Fn::Select");
  if (!Number.isInteger(index) || index < 0 || index >= list.length) {
    throw cannot(path, { "Fn::Select": argument }, `index ${index} is not in the list of ${list.length}`);
  }
  return list[index];
}

function split(argument: unknown, scope: Scope, path: string): readonly string[] {
  const [delimiter, source] = Array.isArray(argument) ? argument : [];
  return asText(resolve(source, scope, path), path).split(asText(delimiter, path));
}

function importValue(argument: unknown, scope: Scope, path: string): string {
  const name = asText(resolve(argument, scope, path), path);
  const found = scope.exports.get(name);
  if (found === undefined) throw cannot(path, { "Fn::ImportValue": name }, "no stack of the assembly exports it");
  return found;
}

function listOf(value: unknown, scope: Scope, path: string, name: string): readonly unknown[] {
  const list = resolve(value, scope, path);
  if (Array.isArray(list)) return list;
  throw cannot(path, { [name]: value }, "it takes a list");
}

function asText(value: unknown, path: string): string {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  throw cannot(path, value, "a text is wanted here");
}

function ownValue(record: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

function cannot(path: string, value: unknown, why: string): AssemblyError {
  return new AssemblyError(`cannot resolve ${printed(value)} at ${path}: ${why}`);
}
