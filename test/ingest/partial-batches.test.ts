import { describe, expect, it } from "vitest";
import { ingest } from "../../lib/ingest/ingest.ts";
import { awsError } from "./calls.ts";
import { aRecord } from "./records.ts";
import { anInvocation, pipeline } from "./setup.ts";

describe("the answer to an event", () => {
  it("is an explicit empty list when all is well, even for an event without records", async () => {
    const { ports } = await pipeline();
    expect(await ingest([aRecord()], ports, anInvocation())).toEqual({ batchItemFailures: [] });
    expect(await ingest([], ports, anInvocation())).toEqual({ batchItemFailures: [] });
  });

  it("FC-10: a message that was delivered twice in one event counts once and is sent once", async () => {
    const { handle, look, urls, row, telemetry, calls } = await pipeline();
    const [a, b] = [aRecord({ messageId: "a" }), aRecord({ messageId: "b" })];

    expect(await handle([a, b, { ...a }])).toEqual([]);

    expect(
      look(urls.work)
        .map(({ context }) => context?.itemId)
        .sort(),
    ).toEqual(["a", "b"]);
    expect(await row("a")).toMatchObject({ attempts: 1 });
    expect(telemetry.decisions).toHaveLength(2);
    expect(calls.counts()).toEqual({ PutItem: 2, SendMessageBatch: 1 });
  });

  it("names a message that failed and was delivered twice once", async () => {
    const { handle, calls } = await pipeline();
    calls.fault("PutItem", async () => Promise.reject(awsError("InternalServerError")));
    const a = aRecord({ messageId: "a" });
    expect(await handle([a, { ...a }])).toEqual(["a"]);
  });

  it("FC-12: an entry that SQS refused or did not name at all is handed back, and sent by the next delivery", async () => {
    const { handle, look, urls, calls, row, telemetry } = await pipeline();
    const records = [0, 1, 2].map((index) => aRecord({ messageId: `m${index}` }));
    calls.fault("SendMessageBatch", async (input, proceed) => {
      const [first, second] = input.Entries as { Id: string }[];
      const { Successful } = (await proceed({ ...input, Entries: [first] })) as { Successful: object[] };
      return { Successful, Failed: [{ Id: second?.Id, Code: "AccessDenied", SenderFault: false }] };
    });

    expect((await handle(records)).sort()).toEqual(["m1", "m2"]);
    expect(look(urls.work)).toMatchObject([{ context: { itemId: "m0" } }]);
    expect(telemetry.counts).toMatchObject({ Retried: 1, HandedBack: 2 });

    calls.fault("SendMessageBatch", undefined);
    expect(await handle([records[1], records[2]].filter((each) => each !== undefined))).toEqual([]);
    expect(look(urls.work).map(({ context }) => context?.itemId)).toEqual(["m0", "m1", "m2"]);
    expect([await row("m1"), await row("m2")]).toMatchObject([{ attempts: 1 }, { attempts: 1 }]);
  });

  it("FC-13a: an unexpected error of the table hands back that record and no other", async () => {
    const { ports, calls } = await pipeline();
    calls.fault("PutItem", async (input, proceed) => {
      if (keyOf(input) === "m2") throw awsError("ValidationException");
      return proceed();
    });
    const records = [aRecord({ messageId: "m1" }), aRecord({ messageId: "m2" })];
    expect(await ingest(records, ports, anInvocation())).toEqual({ batchItemFailures: [{ itemIdentifier: "m2" }] });
  });

  it("FC-13b: so does something thrown that is no Error", async () => {
    const { ports, calls } = await pipeline();
    calls.fault("PutItem", async (input, proceed) => (keyOf(input) === "m2" ? Promise.reject("x") : proceed()));
    const records = [aRecord({ messageId: "m1" }), aRecord({ messageId: "m2" })];
    expect(await ingest(records, ports, anInvocation())).toEqual({ batchItemFailures: [{ itemIdentifier: "m2" }] });
  });

  it("FC-13b: a failing read hands back what had to be read, whatever was thrown", async () => {
    const { handle, calls } = await pipeline();
    calls.fault("BatchGetItem", async () => Promise.reject("x"));
    const later = aRecord({ messageId: "later", context: { itemId: "item", attempt: 2, dispatchId: "dispatch00" } });
    expect(await handle([aRecord({ messageId: "first" }), later])).toEqual(["later"]);
  });

  it("hands back a whole slice, and only that, when something unforeseen breaks", async () => {
    const { ports, telemetry } = await pipeline();
    const sender = { send: () => Promise.reject(new TypeError("unforeseen")) };
    const records = [aRecord({ messageId: "m1" }), aRecord({ messageId: "m2" })];
    const { batchItemFailures } = await ingest(records, { ...ports, sender }, anInvocation());
    expect(batchItemFailures).toEqual([{ itemIdentifier: "m1" }, { itemIdentifier: "m2" }]);
    expect(telemetry.problems).toMatchObject([{ fields: { why: "TypeError" } }, { fields: { why: "TypeError" } }]);
  });

  it("FC-18: a throttled write hands its record back: no send, nothing counted, and it proceeds later", async () => {
    const { handle, look, urls, calls, found, row } = await pipeline();
    const records = ["a", "b", "c"].map((messageId) => aRecord({ messageId }));
    calls.fault("PutItem", async (input, proceed) => {
      if (keyOf(input) === "b") throw awsError("ProvisionedThroughputExceededException");
      return proceed();
    });

    expect(await handle(records)).toEqual(["b"]);
    expect(look(urls.work).map(({ context }) => context?.itemId)).toEqual(["a", "c"]);
    expect(look(urls.dead)).toEqual([]);
    expect(await found("b")).toEqual({ kind: "absent" });

    calls.fault("PutItem", undefined);
    expect(await handle(records.slice(1, 2))).toEqual([]);
    expect(await row("b")).toMatchObject({ attempts: 1 });
  });

  it("FC-18: a row that DynamoDB leaves unprocessed to the end hands back its record only", async () => {
    const { handle, look, urls, calls, table } = await pipeline();
    calls.fault("BatchGetItem", async (_, proceed) => {
      const answer = (await proceed()) as { Responses: object };
      return { ...answer, UnprocessedKeys: { [table.name]: { Keys: [{ pk: { S: "slow" } }] } } };
    });
    const records = ["slow", "quick"].map((itemId) =>
      aRecord({
        messageId: `report of ${itemId}`,
        context: { itemId, attempt: 2, dispatchId: "dispatch00", kind: "failed" },
      }),
    );
    expect(await handle(records)).toEqual(["report of slow"]);
    expect(look(urls.work)).toMatchObject([{ context: { itemId: "quick", attempt: 3 } }]);
  });

  it("hands back a context that only a newer release may act on", async () => {
    const { handle, look, urls, telemetry, calls } = await pipeline();
    const newer = aRecord({ messageId: "newer", context: { min: 2, v: 2, itemId: "item", attempt: 1 } });
    expect(await handle([newer, aRecord({ messageId: "other" })])).toEqual(["newer"]);
    expect(look(urls.work)).toMatchObject([{ context: { itemId: "other" } }]);
    expect(look(urls.dead)).toEqual([]);
    expect(calls.counts()).toEqual({ PutItem: 1, SendMessageBatch: 1 });
    expect(telemetry.problems).toMatchObject([{ fields: { messageId: "newer", why: "NewerContext" } }]);
  });
});

function keyOf(input: Record<string, unknown>): string | undefined {
  return (input.Item as { pk?: { S?: string } }).pk?.S;
}
