import { identityOf } from "./identities.ts";
import type { Scope } from "./intrinsics.ts";
import { Properties } from "./properties.ts";
import type { AssemblyStack, TemplateResource } from "./read-assembly.ts";

/** A function of the template. */
export interface FunctionPlan {
  readonly logicalId: string;
  readonly name: string;
  readonly arn: string;
  readonly codeDirectory: string;
  /** `file.export`, as Lambda takes it. */
  readonly handler: string;
  readonly runtime: string;
  readonly timeoutMs: number;
  readonly memoryMb: number;
  readonly environment: Readonly<Record<string, string>>;
  /** Whether chains of invocations may go on without end. */
  readonly recursiveLoop: "Allow" | "Terminate";
  /** Most invocations at one time; what is above is throttled. */
  readonly reservedConcurrency?: number;
}

/** @throws AssemblyError for a function that is no Node function with its code in an asset directory */
export function planFunction(resource: TemplateResource, stack: AssemblyStack, scope: Scope): FunctionPlan {
  const properties = Properties.of(resource, scope);
  const identity = identityOf(resource.logicalId, scope);
  const runtime = properties.text("Runtime");
  if (!runtime.startsWith("nodejs")) throw properties.wrong("Runtime", runtime, "a Node runtime: no other runs here");
  const recursiveLoop = properties.optionalText("RecursiveLoop") ?? "Terminate";
  if (recursiveLoop !== "Allow" && recursiveLoop !== "Terminate") {
    throw properties.wrong("RecursiveLoop", recursiveLoop, "Allow or Terminate");
  }
  const variables = properties.object("Environment").object("Variables");
  const reservedConcurrency = properties.optionalNumber("ReservedConcurrentExecutions");
  return {
    logicalId: resource.logicalId,
    name: identity.ref,
    arn: identity.attributes.Arn ?? "",
    codeDirectory: codeDirectory(properties, stack),
    handler: properties.text("Handler"),
    runtime,
    timeoutMs: properties.number("Timeout", { least: 1, most: 900, otherwise: 3 }) * 1000,
    memoryMb: properties.number("MemorySize", { least: 128, most: 10_240, otherwise: 128 }),
    environment: Object.fromEntries(variables.names().map((name) => [name, variables.text(name)])),
    recursiveLoop,
    ...(reservedConcurrency !== undefined && { reservedConcurrency }),
  };
}

function codeDirectory(properties: Properties, stack: AssemblyStack): string {
  const code = properties.object("Code");
  const key = code.optionalText("S3Key");
  const directory = key === undefined ? undefined : stack.assets.get(key);
  if (directory === undefined) {
    throw code.wrong("S3Key", key, "the object key of a file asset in the cloud assembly");
  }
  return directory;
}
