import { describe, expect, it } from "vitest";
import { resolve, type Scope } from "../../../lib/sandbox/assembly/intrinsics.ts";

const SCOPE: Scope = {
  parameters: { "AWS::Region": "eu-west-1", "AWS::AccountId": "123456789012", Stage: "test" },
  resources: new Map([
    ["Queue", { ref: "http://sqs/queue", attributes: { Arn: "arn:queue", QueueName: "queue" } }],
    ["Table", { ref: "table", attributes: { Arn: "arn:table" } }],
  ]),
  exports: new Map([["Other:QueueArn", "arn:other"]]),
};

/** A reference within the text of Fn::Sub. */
const sub = (name: string) => `\${${name}}`;

const at = (value: unknown) => resolve(value, SCOPE, "Resources.X.Properties.Y");

describe("the intrinsic functions of a template", () => {
  it.each([
    ["plain values stay", ["a", 1, true, null], ["a", 1, true, null]],
    ["Ref of a resource", { Ref: "Queue" }, "http://sqs/queue"],
    ["Ref of a parameter with a default", { Ref: "Stage" }, "test"],
    ["Ref of a pseudo parameter", { Ref: "AWS::Region" }, "eu-west-1"],
    ["Fn::GetAtt with a list", { "Fn::GetAtt": ["Queue", "Arn"] }, "arn:queue"],
    ["Fn::GetAtt with a text", { "Fn::GetAtt": "Queue.QueueName" }, "queue"],
    ["Fn::Join", { "Fn::Join": ["-", ["a", { Ref: "Table" }, 3]] }, "a-table-3"],
    ["Fn::Join of a function's list", { "Fn::Join": ["/", { "Fn::Split": [":", "a:b"] }] }, "a/b"],
    [
      "Fn::Sub",
      { "Fn::Sub": `${sub("AWS::Region")}/${sub("Queue.Arn")}/${sub("Table")}` },
      "eu-west-1/arn:queue/table",
    ],
    ["Fn::Sub with its own values", { "Fn::Sub": [sub("a") + sub("Stage"), { a: { Ref: "Table" } }] }, "tabletest"],
    ["Fn::Sub with a literal", { "Fn::Sub": sub("!Stage") }, sub("Stage")],
    [
      "Fn::Select of Fn::Split",
      { "Fn::Select": ["1", { "Fn::Split": [":", { "Fn::GetAtt": ["Queue", "Arn"] }] }] },
      "queue",
    ],
    ["Fn::ImportValue", { "Fn::ImportValue": "Other:QueueArn" }, "arn:other"],
    ["a function deep inside", { a: [{ b: { Ref: "Table" } }] }, { a: [{ b: "table" }] }],
    ["an object that only looks like a function", { Ref: "Table", Other: 1 }, { Ref: "Table", Other: 1 }],
  ])("works out: %s", (_, value, expected) => {
    expect(at(value)).toEqual(expected);
  });

  it("leaves out what is AWS::NoValue, from objects and lists", () => {
    expect(at({ a: { Ref: "AWS::NoValue" }, b: [{ Ref: "AWS::NoValue" }, 1] })).toEqual({ b: [1] });
  });

  it.each([
    [{ Ref: "Nobody" }, /^cannot resolve {"Ref":"Nobody"} at Resources\.X\.Properties\.Y: it names no parameter/],
    [{ Ref: "toString" }, /names no parameter/],
    [{ "Fn::GetAtt": ["Queue", "Colour"] }, /known attributes of Queue are Arn, QueueName/],
    [{ "Fn::GetAtt": ["Nobody", "Arn"] }, /Nobody is no resource that runs here/],
    [{ "Fn::If": ["c", 1, 2] }, /Fn::If is not run here; known are Ref, Fn::GetAtt/],
    [{ "Fn::Select": [2, ["a", "b"]] }, /index 2 is not in the list of 2/],
    [{ "Fn::Join": ["", [{ a: 1 }]] }, /a text is wanted here/],
    [{ "Fn::ImportValue": "Nobody" }, /no stack of the assembly exports it/],
    [{ a: [{ Ref: "Nobody" }] }, /at Resources\.X\.Properties\.Y\.a\[0\]/],
  ])("says what it cannot work out, where and why: %j", (value, message) => {
    expect(() => at(value)).toThrow(message);
  });
});
