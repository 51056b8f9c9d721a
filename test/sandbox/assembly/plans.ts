import type { Scope } from "../../../lib/sandbox/assembly/intrinsics.ts";
import type { TemplateResource } from "../../../lib/sandbox/assembly/read-assembly.ts";

/** A resource as the template has it. */
export function aResource(type: string, properties: object): TemplateResource {
  return { logicalId: "It", type, properties: { ...properties } };
}

/** A scope where the resource `It` has this `Ref`. */
export function aScope(ref = "it"): Scope {
  return {
    parameters: {},
    resources: new Map([["It", { ref, attributes: { Arn: `arn:${ref}` } }]]),
    exports: new Map(),
  };
}
