import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { aRecord } from "./records.ts";
import { type Pipeline, pipeline } from "./setup.ts";

const MIB = 1_048_576;

/** Fails what is in the work queue once, and lets the retry come due. */
async function failOnce({ failWork, invoke, look, urls, clock }: Pipeline) {
  failWork();
  const { handedBack } = await invoke();
  const [waiting] = look(urls.work);
  clock.advance(Math.max(0, (waiting?.dueAt ?? 0) - clock.now()));
  return { handedBack, waiting };
}

function userAttributes(count: number) {
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`user${index}`, { DataType: "String", StringValue: `${index}` }]),
  );
}

describe("what happens to a message on its way", () => {
  it("FC-06: attributes keep names, types and bytes to the work queue and to the dead-letter queue", async () => {
    const { handle, look, urls } = await pipeline({ policy: { maxAttempts: 2 } });
    const attributes = {
      tenant: { stringValue: "a", dataType: "String", stringListValues: [], binaryListValues: [], binaryValue: null },
      prio: { stringValue: "7", dataType: "Number", stringListValues: [], binaryListValues: [] },
      sig: { binaryValue: "AQID", dataType: "Binary", stringListValues: [], binaryListValues: [] },
      trace: { stringValue: "x", dataType: "String.uuid", stringListValues: [], binaryListValues: [] },
    };
    const expected = {
      tenant: { DataType: "String", StringValue: "a" },
      prio: { DataType: "Number", StringValue: "7" },
      sig: { DataType: "Binary", BinaryValue: Uint8Array.of(1, 2, 3) },
      trace: { DataType: "String.uuid", StringValue: "x" },
    };

    expect(await handle([aRecord({ messageId: "first", attributes })])).toEqual([]);
    const [retry] = look(urls.work);
    const { RetryContext: _, ...sent } = retry?.attributes ?? {};
    expect(sent).toEqual(expected);

    expect(await handle([aRecord({ attributes, context: { ...retry?.context, kind: "failed" } })])).toEqual([]);
    const { RetryContext: __, ...dead } = look(urls.dead)[0]?.attributes ?? {};
    expect(dead).toEqual(expected);
  });

  it("keeps the message group of a standard queue, for fair queues", async () => {
    const { handle, look, urls } = await pipeline();
    await handle([aRecord({ groupId: "tenant-7" })]);
    expect(look(urls.work)).toMatchObject([{ systemAttributes: { MessageGroupId: "tenant-7" } }]);
  });

  it.each([8, 9, 10])("FC-07: %i user attributes all survive and the attempt number stays right", async (count) => {
    const world = await pipeline({ policy: { maxAttempts: 3 } });
    const { send, urls, look, row, telemetry } = world;
    const MessageAttributes = userAttributes(count);
    const itemId = send(urls.work, "x", { MessageAttributes });

    for (const attempts of [1, 2]) {
      const { handedBack, waiting } = await failOnce(world);
      expect(handedBack).toEqual([]);
      expect(waiting?.attributes).toMatchObject(MessageAttributes);
      expect(Object.keys(waiting?.attributes ?? {})).toHaveLength(Math.min(10, count + 1));
      expect(await row(itemId)).toMatchObject({ attempts });
    }
    const leftOut = telemetry.decisions.filter(({ fields }) => fields.contextLeftOut);
    expect(leftOut).toHaveLength(count === 10 ? 2 : 0);
    await failOnce(world);
    expect(look(urls.dead)).toMatchObject([{ attributes: MessageAttributes }]);
  });

  it.each([
    ["of exactly 1 MiB", "x".repeat(MIB)],
    ["with no room for the context", "x".repeat(MIB - 10)],
    ["of 1 MiB in two-byte characters", "é".repeat(MIB / 2)],
  ])("FC-08: a body %s goes round unchanged and ends in the dead-letter queue", async (_, body) => {
    const world = await pipeline({ policy: { maxAttempts: 2 } });
    const { send, urls, look, row } = world;
    const itemId = send(urls.work, body);

    expect(await failOnce(world)).toMatchObject({ handedBack: [] });
    expect(look(urls.work).map((message) => message.body === body)).toEqual([true]);
    expect(await row(itemId)).toMatchObject({ attempts: 1 });

    expect(await failOnce(world)).toMatchObject({ handedBack: [] });
    expect(look(urls.dead).map((message) => message.body === body)).toEqual([true]);
    expect(await row(itemId)).toMatchObject({ status: "dead-lettered", attempts: 2, reason: "attempts" });
  });

  it.each([
    ["\u001b[31mboom\u001b[0m", "\ufffd[31mboom\ufffd[0m"],
    ["bad byte \u0000", "bad byte \ufffd"],
    ["\ufffe", "\ufffd"],
    ["half \ud83d", "half \ufffd"],
  ])("FC-09: error text %j is made legal, and the body stays", async (message, legal) => {
    const { handle, look, urls, row } = await pipeline({ policy: { maxAttempts: 1 } });
    const context = { itemId: "item", attempt: 1, kind: "failed", error: { type: "Error", message } };

    expect(await handle([aRecord({ body: "untouched 🙂", context })])).toEqual([]);

    const [dead] = look(urls.dead);
    expect(dead?.body).toBe("untouched 🙂");
    expect(dead?.context?.deadLetter?.error?.message).toBe(legal);
    expect((await row("item")).errors).toMatchObject([{ type: "Error", message: legal }]);
  });

  it("FC-11: odd bodies are opaque items of their own, and hold nobody up", async () => {
    const { send, urls, invoke, look, telemetry } = await pipeline();
    const bodies = ['{"id":1}', "not json", '\ufeff{"id":1}', "null", "42", "[1,2]", '"text"', " ", '{"id":2}'];
    const ids = bodies.map((body) => send(urls.ingest, body));

    expect(await invoke()).toEqual({ received: ids, handedBack: [] });

    const waiting = look(urls.work);
    expect(waiting.map(({ body }) => body).sort()).toEqual([...bodies].sort());
    expect(waiting.map(({ context }) => context?.itemId).sort()).toEqual([...ids].sort());
    expect(telemetry.decisions.map(({ fields }) => fields.itemId).sort()).toEqual([...ids].sort());
  });

  it.each(['{ "orderId":9007199254740993, "amount":1.10, "a":1, "a":2 }', "é and 🙂"])(
    "FC-28: the body %s comes back byte for byte in three retries and in the dead-letter queue",
    async (body) => {
      const world = await pipeline({ policy: { maxAttempts: 4 } });
      const { send, urls, look } = world;
      const sha256 = (text: string | undefined) =>
        createHash("sha256")
          .update(text ?? "")
          .digest("hex");
      send(urls.work, body);

      for (let retry = 1; retry <= 3; retry++) {
        const { waiting } = await failOnce(world);
        expect(sha256(waiting?.body)).toBe(sha256(body));
      }
      await failOnce(world);
      expect(look(urls.dead).map((dead) => sha256(dead.body))).toEqual([sha256(body)]);
    },
  );

  it("dead-letters an unreadable context with a fresh readable one that holds the original", async () => {
    const { handle, look, urls, telemetry } = await pipeline();
    expect(await handle([aRecord({ messageId: "m", body: "as it was", context: '{"itemId": 5}' })])).toEqual([]);
    expect(look(urls.dead)).toMatchObject([
      {
        body: "as it was",
        context: { itemId: "m", deadLetter: { reason: "unreadable-context", original: '{"itemId": 5}' } },
      },
    ]);
    expect(telemetry.counts).toMatchObject({ UnreadableContexts: 1, Exhausted: 1 });
    expect(telemetry.problems).toMatchObject([{ name: "unreadable context", fields: { messageId: "m" } }]);
  });

  it("dead-letters a context that claims an attempt far above the budget", async () => {
    const { handle, look, urls } = await pipeline({ policy: { maxAttempts: 3 } });
    const context = { itemId: "item", attempt: 5, dispatchId: "dispatch00", kind: "failed" };
    expect(await handle([aRecord({ messageId: "m", context })])).toEqual([]);
    expect(look(urls.dead)).toMatchObject([{ context: { itemId: "m", deadLetter: { reason: "unreadable-context" } } }]);
  });

  it("leads a worker's report of a message that went without context to its item, by the alias", async () => {
    const { handle, look, urls, row } = await pipeline();
    const attributes = Object.fromEntries(
      Array.from({ length: 10 }, (_, index) => [`user${index}`, { dataType: "String", stringValue: "x" }]),
    );
    await handle([aRecord({ messageId: "m", attributes })]);
    const itemId = look(urls.work)[0]?.messageId;

    const error = { type: "Late", message: "again" };
    expect(await handle([aRecord({ context: { itemId, attempt: 1, kind: "failed", error } })])).toEqual([]);
    expect(await row("m")).toMatchObject({ attempts: 2, errors: [{ type: "Late" }] });
    expect(look(urls.work).at(-1)?.context).toMatchObject({ itemId: "m", attempt: 3 });
  });
});
