import { setMaxListeners } from "node:events";
import { describe, expect, it } from "vitest";
import type { MessageSender } from "../../lib/aws/sender/message-sender.ts";
import type { StateStore } from "../../lib/aws/state-store/state-store.ts";
import { ingest } from "../../lib/ingest/ingest.ts";
import { awsError } from "./calls.ts";
import { aRecord } from "./records.ts";
import { anInvocation, pipeline } from "./setup.ts";

describe("a large event", () => {
  it("of 10,000 records is handled whole, with a bounded number of calls under way", async () => {
    const { ports } = await pipeline();
    let underWay = 0;
    let most = 0;
    const busy = async <T>(result: T): Promise<T> => {
      underWay += 1;
      most = Math.max(most, underWay);
      await new Promise((resolve) => setImmediate(resolve));
      underWay -= 1;
      return result;
    };
    let sent = 0;
    const store: Pick<StateStore, "write"> = { write: () => busy({ kind: "written" }) };
    const sender: MessageSender = {
      send: (_, messages) => {
        sent += messages.length;
        return busy(messages.map((_message, index) => ({ sent: true, messageId: String(index) })));
      },
    };
    const records = Array.from({ length: 10_000 }, (_, index) => aRecord({ messageId: `m${index}` }));

    const answer = await ingest(records, { ...ports, store: { ...ports.store, ...store }, sender }, anInvocation());

    expect(answer).toEqual({ batchItemFailures: [] });
    expect(sent).toBe(10_000);
    expect(most).toBeGreaterThan(10);
    expect(most).toBeLessThanOrEqual(50);
  });

  it("is left off before the time is up: what was not begun is handed back, untouched", async () => {
    const { ports, calls, telemetry } = await pipeline();
    const records = Array.from({ length: 450 }, (_, index) => aRecord({ messageId: `m${index}` }));
    let slices = 0;
    calls.fault("SendMessageBatch", async (_, proceed) => {
      slices += 0.1;
      return proceed();
    });
    const remainingMs = () => 60_000 - 20_000 * Math.floor(slices + 0.001);

    const { batchItemFailures } = await ingest(records, ports, { ...anInvocation(), remainingMs });

    expect(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier)).toEqual(
      records.slice(300).map(({ messageId }) => messageId),
    );
    expect(calls.counts()).toEqual({ PutItem: 300, SendMessageBatch: 30 });
    expect(telemetry.counts).toMatchObject({ Retried: 300, HandedBack: 150 });
    expect(telemetry.problems[0]).toMatchObject({ fields: { why: "OutOfTime" } });
  });

  it("still begins when the function's whole time is short", async () => {
    const { handle } = await pipeline();
    expect(await handle([aRecord()], { remainingMs: () => 3_000 })).toEqual([]);
  });

  it("is broken off by the abort signal: calls under way are handed back and nothing new begins", async () => {
    const { ports, calls } = await pipeline();
    const abort = new AbortController();
    setMaxListeners(0, abort.signal);
    calls.fault("SendMessageBatch", async () => {
      abort.abort();
      throw awsError("AbortError");
    });
    const records = Array.from({ length: 150 }, (_, index) => aRecord({ messageId: `m${index}` }));
    const { batchItemFailures } = await ingest(records, ports, { ...anInvocation(), abortSignal: abort.signal });
    expect(batchItemFailures).toHaveLength(150);
    expect(calls.of("PutItem")).toHaveLength(100);
  });
});

describe("a record received more than three times", () => {
  it("is handled alone and last, so that a crash costs its neighbours nothing", async () => {
    const { handle, calls, look, urls } = await pipeline();
    const records = [
      aRecord({ messageId: "suspect 1", receives: 4 }),
      aRecord({ messageId: "calm 1", receives: 3 }),
      aRecord({ messageId: "suspect 2", receives: 9 }),
      aRecord({ messageId: "calm 2" }),
    ];
    expect(await handle(records)).toEqual([]);
    expect(look(urls.work).map(({ context }) => context?.itemId)).toEqual([
      "calm 1",
      "calm 2",
      "suspect 1",
      "suspect 2",
    ]);
    expect(calls.of("SendMessageBatch").map(({ input }) => (input.Entries as unknown[]).length)).toEqual([2, 1, 1]);
  });

  it("does not count the receives of the work queue, which SQS goes on from when it moves a message", async () => {
    const { handle, calls } = await pipeline({ configuration: { workMaxReceiveCount: 5 } });
    const receives = [6, 7, 8, 9];
    await handle(receives.map((count) => aRecord({ messageId: `received ${count}`, receives: count, moved: true })));
    expect(calls.of("SendMessageBatch").map(({ input }) => (input.Entries as unknown[]).length)).toEqual([3, 1]);
  });

  it("leaves its neighbours acknowledged when it breaks its own slice", async () => {
    const { ports } = await pipeline();
    const sender: MessageSender = {
      send: async (url, messages, options) => {
        if (messages.some(({ body }) => body === "poison")) throw new Error("crash");
        return ports.sender.send(url, messages, options);
      },
    };
    const records = [aRecord({ messageId: "poison", body: "poison", receives: 4 }), aRecord(), aRecord()];
    const { batchItemFailures } = await ingest(records, { ...ports, sender }, anInvocation());
    expect(batchItemFailures).toEqual([{ itemIdentifier: "poison" }]);
  });
});
