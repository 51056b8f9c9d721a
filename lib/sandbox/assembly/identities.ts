import { AssemblyError } from "./assembly-error.ts";
import type { ResourceIdentity, Scope } from "./intrinsics.ts";
import { physicalName } from "./physical-name.ts";
import { Properties } from "./properties.ts";
import type { AssemblyStack, TemplateResource } from "./read-assembly.ts";

/** The account that the sandbox stands for. */
export interface Environment {
  readonly region: string;
  readonly accountId: string;
}

interface ResourceKind {
  /** Property that holds a name given by the template. */
  readonly nameProperty: string;
  /** Longest name that the service takes. */
  readonly limit: number;
  readonly identity: (name: string, arnOf: (service: string, resource: string) => string) => ResourceIdentity;
}

const TABLE: ResourceKind = {
  nameProperty: "TableName",
  limit: 255,
  identity: (name, arnOf) => ({ ref: name, attributes: { Arn: arnOf("dynamodb", `table/${name}`) } }),
};

/** The resources, apart from queues, that a template may refer to. */
const KINDS: Readonly<Record<string, ResourceKind>> = {
  "AWS::DynamoDB::Table": TABLE,
  "AWS::DynamoDB::GlobalTable": TABLE,
  "AWS::Lambda::Function": {
    nameProperty: "FunctionName",
    limit: 64,
    identity: (name, arnOf) => ({ ref: name, attributes: { Arn: arnOf("lambda", `function:${name}`) } }),
  },
  "AWS::SNS::Topic": {
    nameProperty: "TopicName",
    limit: 256,
    identity: (name, arnOf) => ({
      ref: arnOf("sns", name),
      attributes: { TopicArn: arnOf("sns", name), TopicName: name },
    }),
  },
  "AWS::CloudWatch::Alarm": {
    nameProperty: "AlarmName",
    limit: 255,
    identity: (name, arnOf) => ({ ref: name, attributes: { Arn: arnOf("cloudwatch", `alarm:${name}`) } }),
  },
  "AWS::Logs::LogGroup": {
    nameProperty: "LogGroupName",
    limit: 512,
    identity: (name, arnOf) => ({ ref: name, attributes: { Arn: arnOf("logs", `log-group:${name}:*`) } }),
  },
};

/** What can be referred to in a stack before any of its queues exists. */
export function scopeOf(stack: AssemblyStack, environment: Environment, exports: ReadonlyMap<string, string>): Scope {
  const { region, accountId } = environment;
  const arnOf = (service: string, resource: string) => `arn:aws:${service}:${region}:${accountId}:${resource}`;
  const parameters = {
    ...stack.parameters,
    "AWS::Region": region,
    "AWS::AccountId": accountId,
    "AWS::Partition": "aws",
    "AWS::URLSuffix": "amazonaws.com",
    "AWS::StackName": stack.name,
    "AWS::StackId": arnOf("cloudformation", `stack/${stack.name}/sandbox`),
  };
  const nameless: Scope = { parameters, resources: new Map(), exports };
  const resources = new Map<string, ResourceIdentity>();
  for (const resource of stack.resources) {
    const kind = KINDS[resource.type];
    if (!kind) continue;
    resources.set(resource.logicalId, kind.identity(nameOf(resource, stack.name, kind, nameless), arnOf));
  }
  return { parameters, resources, exports };
}

function nameOf(resource: TemplateResource, stackName: string, kind: ResourceKind, scope: Scope): string {
  const given = Properties.of(resource, scope).optionalText(kind.nameProperty);
  return given ?? physicalName(stackName, resource.logicalId, kind.limit);
}

/** The physical identity of a resource that is known to be there. @throws AssemblyError when it is not */
export function identityOf(logicalId: string, scope: Scope): ResourceIdentity {
  const identity = scope.resources.get(logicalId);
  if (identity) return identity;
  throw new AssemblyError(`'${logicalId}' is no resource that runs here`);
}
