import { RemovalPolicy } from "aws-cdk-lib";
import { describe, expect, it } from "vitest";
import { itemRow } from "../../lib/aws/state-store/row.ts";
import { aPipeline, one, TABLE } from "./synthesized.ts";

const ROW = itemRow({
  itemId: "item",
  status: "retrying",
  generation: 1,
  attempts: 1,
  lastReport: "report",
  errors: [],
  history: [],
  revision: 1,
  expiresAt: 1_797_206_400_000,
});

describe("the state table", () => {
  it("FC-19: lets DynamoDB delete by the attribute that the store writes, a number of epoch seconds", () => {
    const { TimeToLiveSpecification } = one(aPipeline().template, TABLE).properties;

    expect(TimeToLiveSpecification).toEqual({ AttributeName: "expiresAt", Enabled: true });
    expect(ROW[TimeToLiveSpecification.AttributeName]).toEqual({ N: "1797206400" });
  });

  it("has the store's key as its key, and is billed by request", () => {
    const { properties } = one(aPipeline().template, TABLE);

    expect(properties.KeySchema).toEqual([{ AttributeName: "pk", KeyType: "HASH" }]);
    expect(ROW.pk).toEqual({ S: "item" });
    expect(properties.BillingMode).toBe("PAY_PER_REQUEST");
  });

  it("FC-26: is retained with point-in-time recovery, under no fixed name", () => {
    const { properties, resource } = one(aPipeline().template, TABLE);

    expect(resource).toMatchObject({ DeletionPolicy: "Retain", UpdateReplacePolicy: "Retain" });
    expect(properties.PointInTimeRecoverySpecification).toEqual({ PointInTimeRecoveryEnabled: true });
    expect(properties.TableName).toBeUndefined();
  });

  it("goes with its stack where that is asked for", () => {
    const { template } = aPipeline({ tableRemovalPolicy: RemovalPolicy.DESTROY });

    expect(one(template, TABLE).resource.DeletionPolicy).toBe("Delete");
  });
});
