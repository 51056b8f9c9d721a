import { type AlarmPlan, planAlarm } from "../alarms/alarm-plan.ts";
import { AssemblyError } from "./assembly-error.ts";
import { type FunctionPlan, planFunction } from "./function-plan.ts";
import { resolve, type Scope } from "./intrinsics.ts";
import { type MappingPlan, planMapping } from "./mapping-plan.ts";
import type { AssemblyStack, TemplateResource } from "./read-assembly.ts";
import { planTable, type TablePlan } from "./table-plan.ts";

/** What a stack has, apart from its queues. */
export interface StackPlan {
  readonly tables: readonly TablePlan[];
  readonly functions: readonly FunctionPlan[];
  readonly mappings: readonly MappingPlan[];
  readonly alarms: readonly AlarmPlan[];
  readonly outputs: Readonly<Record<string, string>>;
}

/**
 * Works out a stack whose queues are there.
 *
 * @throws AssemblyError or SyntaxError for what cannot be resolved or is not run here
 */
export function planStack(stack: AssemblyStack, scope: Scope): StackPlan {
  const [nested] = resourcesOf(stack, "AWS::CloudFormation::Stack");
  if (nested) throw new AssemblyError(`'Resources.${nested.logicalId}' is a nested stack, which is not run here`);
  return {
    tables: resourcesOf(stack, "AWS::DynamoDB::Table", "AWS::DynamoDB::GlobalTable").map((each) =>
      planTable(each, scope),
    ),
    functions: resourcesOf(stack, "AWS::Lambda::Function").map((each) => planFunction(each, stack, scope)),
    mappings: resourcesOf(stack, "AWS::Lambda::EventSourceMapping")
      .map((each) => planMapping(each, scope))
      .filter((each) => each !== undefined),
    alarms: resourcesOf(stack, "AWS::CloudWatch::Alarm").map((each) => planAlarm(each, scope)),
    outputs: planOutputs(stack, scope),
  };
}

/** The resources of these types. */
export function resourcesOf(stack: AssemblyStack, ...types: readonly string[]): readonly TemplateResource[] {
  return stack.resources.filter(({ type }) => types.includes(type));
}

function planOutputs(stack: AssemblyStack, scope: Scope): Readonly<Record<string, string>> {
  const entries = Object.entries(stack.outputs).map(([name, { Value }]) => {
    return [name, String(resolve(Value, scope, `Outputs.${name}`))] as const;
  });
  return Object.fromEntries(entries);
}

/** The values that a stack exports to others, by export name. */
export function planExports(stack: AssemblyStack, scope: Scope): readonly (readonly [name: string, value: string])[] {
  return Object.entries(stack.outputs).flatMap(([name, { Value, Export }]) => {
    if (Export === undefined) return [];
    const exported = resolve((Export as { Name?: unknown }).Name, scope, `Outputs.${name}.Export`);
    return [[String(exported), String(resolve(Value, scope, `Outputs.${name}`))] as const];
  });
}
