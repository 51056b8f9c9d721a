import { describe, expect, it } from "vitest";
import { failedMessages } from "../../../lib/sandbox/mapping/batch-response.ts";

const IDS = ["one", "two", "three"];

const failed = (payload: string) => [...failedMessages(payload, IDS)];
const answer = (...identifiers: unknown[]) =>
  JSON.stringify({ batchItemFailures: identifiers.map((itemIdentifier) => ({ itemIdentifier })) });

describe("a partial batch response", () => {
  it("names the messages that failed", () => {
    expect(failed(answer("two"))).toEqual(["two"]);
  });

  it.each(["null", "{}", '{"batchItemFailures":null}', '{"batchItemFailures":[]}', '{"other":1}'])(
    "is full success as %s",
    (payload) => {
      expect(failed(payload)).toEqual([]);
    },
  );

  it.each([
    ["no JSON", "{"],
    ["a text", '"done"'],
    ["a list", "[]"],
    ["failures that are no list", '{"batchItemFailures":"one"}'],
    ["an empty id", answer("")],
    ["a null id", answer(null)],
    ["a wrong key", '{"batchItemFailures":[{"messageId":"one"}]}'],
    ["a failure that is no object", '{"batchItemFailures":["one"]}'],
    ["an id that is not in the batch", answer("one", "four")],
  ])("is full failure with %s", (_, payload) => {
    expect(failed(payload)).toEqual(IDS);
  });
});
