import { describe, expect, it } from "vitest";
import { outsideQueueNames, withStandIns } from "../../../lib/sandbox/queues/outside-queues.ts";

const ARN = "arn:aws:sqs:eu-west-1:123456789012:payments";
const STAND_IN = {
  logicalId: "payments",
  name: "payments",
  url: "http://127.0.0.1:9324/000000000000/payments",
  arn: "arn:aws:sqs:us-east-1:000000000000:payments",
  visibilitySeconds: 30,
};

describe("a queue that is deployed elsewhere", () => {
  it("is found by its ARN anywhere in the template, once", () => {
    const resources = [
      {
        logicalId: "Role",
        type: "AWS::IAM::Role",
        properties: { a: [{ Resource: ARN }, { Resource: `${ARN}.fifo` }] },
      },
      { logicalId: "Other", type: "AWS::IAM::Role", properties: { Resource: ARN } },
    ];
    const stack = { name: "Stack", resources, parameters: {}, outputs: {}, assets: new Map() };

    expect(outsideQueueNames(stack)).toEqual(["payments", "payments.fifo"]);
  });

  it("is stood in for in URLs and ARNs", () => {
    const standIns = new Map([["payments", STAND_IN]]);

    expect(withStandIns("https://sqs.eu-west-1.amazonaws.com/123456789012/payments", standIns)).toBe(STAND_IN.url);
    expect(withStandIns(`move --source-arn ${ARN} now`, standIns)).toBe(`move --source-arn ${STAND_IN.arn} now`);
  });

  it("leaves all other text alone", () => {
    const text = "https://sqs.eu-west-1.amazonaws.com/123456789012/orders";

    expect(withStandIns(text, new Map([["payments", STAND_IN]]))).toBe(text);
  });
});
