import { readFile } from "node:fs/promises";
import { join, resolve as resolvePath } from "node:path";
import { isObject, type JsonObject } from "../json.ts";
import { AssemblyError } from "./assembly-error.ts";

/** Services whose resources the sandbox runs, so that it matters whether they exist. */
const RUN_HERE = /^AWS::(SQS|DynamoDB|Lambda|SNS|CloudWatch|CloudFormation)::/;

/** A resource as it stands in the template. */
export interface TemplateResource {
  readonly logicalId: string;
  readonly type: string;
  readonly properties: JsonObject;
}

/** A stack of the assembly, its intrinsic functions unresolved. */
export interface AssemblyStack {
  readonly name: string;
  readonly region?: string;
  readonly accountId?: string;
  readonly resources: readonly TemplateResource[];
  /** Values of parameters that have a default. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly outputs: Readonly<Record<string, JsonObject>>;
  /** Directories of file assets, by the object key they would have in the bucket. */
  readonly assets: ReadonlyMap<string, string>;
}

/**
 * Reads a synthesized cloud assembly: `manifest.json`, the templates and the asset manifests of its stacks. Nested
 * assemblies (stages) are read too.
 *
 * @throws AssemblyError when a file is missing or is not what it should be
 */
export async function readAssembly(directory: string): Promise<readonly AssemblyStack[]> {
  const stacks: AssemblyStack[] = [];
  const { artifacts } = await readObject(join(directory, "manifest.json"));
  const assets = new Map<string, string>();
  const entries = Object.entries(isObject(artifacts) ? artifacts : {}).filter(isArtifact);
  for (const [, artifact] of entries) {
    if (artifact.type === "cdk:asset-manifest") await readAssets(directory, text(artifact.properties, "file"), assets);
  }
  for (const [id, artifact] of entries) {
    if (artifact.type === "aws:cloudformation:stack") stacks.push(await readStack(directory, id, artifact, assets));
    if (artifact.type === "cdk:cloud-assembly") {
      stacks.push(...(await readAssembly(join(directory, text(artifact.properties, "directoryName")))));
    }
  }
  if (stacks.length === 0) throw new AssemblyError(`the cloud assembly ${directory} has no stack`);
  return stacks;
}

interface Artifact {
  readonly type: string;
  readonly environment?: unknown;
  readonly properties: JsonObject;
}

function isArtifact(entry: [string, unknown]): entry is [string, Artifact & JsonObject] {
  return isObject(entry[1]) && isObject(entry[1].properties);
}

async function readStack(
  directory: string,
  id: string,
  { environment, properties }: Artifact,
  assets: ReadonlyMap<string, string>,
): Promise<AssemblyStack> {
  const file = text(properties, "templateFile");
  const template = await readObject(join(directory, file));
  const [, accountId, region] = /^aws:\/\/(\d{12})\/([a-z][a-z0-9-]*\d)$/.exec(String(environment)) ?? [];
  return {
    name: typeof properties.stackName === "string" ? properties.stackName : id,
    ...(accountId !== undefined && region !== undefined && { accountId, region }),
    resources: Object.entries(objectOf(template.Resources)).map(([logicalId, value]) => {
      const resource = objectOf(value);
      if (typeof resource.Type !== "string") throw new AssemblyError(`'Resources.${logicalId}' of ${file} has no Type`);
      if (resource.Condition !== undefined && RUN_HERE.test(resource.Type)) {
        throw new AssemblyError(`'Resources.${logicalId}' of ${file} has a Condition: conditions are not run here`);
      }
      return { logicalId, type: resource.Type, properties: objectOf(resource.Properties) };
    }),
    parameters: defaults(objectOf(template.Parameters)),
    outputs: Object.fromEntries(
      Object.entries(objectOf(template.Outputs)).map(([name, output]) => [name, objectOf(output)]),
    ),
    assets,
  };
}

async function readAssets(directory: string, file: string, assets: Map<string, string>): Promise<void> {
  const manifest = await readObject(join(directory, file));
  for (const value of Object.values(objectOf(manifest.files))) {
    const { source, destinations } = objectOf(value);
    const { path } = objectOf(source);
    if (typeof path !== "string") continue;
    for (const destination of Object.values(objectOf(destinations))) {
      const key = objectOf(destination).objectKey;
      if (typeof key === "string") assets.set(key, resolvePath(directory, path));
    }
  }
}

function defaults(parameters: JsonObject): Record<string, string> {
  const values: Record<string, string> = {};
  for (const [name, parameter] of Object.entries(parameters)) {
    const value = objectOf(parameter).Default;
    if (value !== undefined) values[name] = String(value);
  }
  return values;
}

function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

function text(properties: JsonObject, name: string): string {
  const value = properties[name];
  if (typeof value === "string") return value;
  throw new AssemblyError(`'${name}' of an artifact in manifest.json must be a text`);
}

async function readObject(file: string): Promise<JsonObject> {
  let content: string;
  try {
    content = await readFile(file, "utf8");
  } catch {
    throw new AssemblyError(`cannot read ${file}: a cloud assembly has it; make one with 'npm run synth'`);
  }
  try {
    const value: unknown = JSON.parse(content);
    if (isObject(value)) return value;
  } catch {
    // Not JSON is refused like JSON that is no object.
  }
  throw new AssemblyError(`${file} must hold a JSON object`);
}
