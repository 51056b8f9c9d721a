import type { CreateTableCommandInput } from "@aws-sdk/client-dynamodb";
import { isObject } from "../json.ts";
import { identityOf } from "./identities.ts";
import type { Scope } from "./intrinsics.ts";
import { Properties } from "./properties.ts";
import type { TemplateResource } from "./read-assembly.ts";

/** A table of the template. */
export interface TablePlan {
  readonly logicalId: string;
  readonly name: string;
  readonly create: CreateTableCommandInput;
  /** Attribute with the epoch second after which a row is deleted. */
  readonly timeToLiveAttribute?: string;
}

/** Keys, indexes and time to live as the template has them; capacity is always on demand. */
export function planTable(resource: TemplateResource, scope: Scope): TablePlan {
  const properties = Properties.of(resource, scope);
  const name = identityOf(resource.logicalId, scope).ref;
  const indexes = (property: string) => {
    const list = properties.list(property).filter(isObject);
    const kept = list.map(({ IndexName, KeySchema, Projection }) => ({ IndexName, KeySchema, Projection }));
    return kept.length > 0 ? { [property]: kept } : {};
  };
  const create = {
    TableName: name,
    AttributeDefinitions: properties.list("AttributeDefinitions"),
    KeySchema: properties.list("KeySchema"),
    BillingMode: "PAY_PER_REQUEST",
    ...indexes("GlobalSecondaryIndexes"),
    ...indexes("LocalSecondaryIndexes"),
  } as CreateTableCommandInput;
  const timeToLive = properties.object("TimeToLiveSpecification");
  return {
    logicalId: resource.logicalId,
    name,
    create,
    ...(timeToLive.isTrue("Enabled") && { timeToLiveAttribute: timeToLive.text("AttributeName") }),
  };
}
