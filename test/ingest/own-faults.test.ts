import { describe, expect, it } from "vitest";
import { awsError } from "./calls.ts";
import { aRecord } from "./records.ts";
import { pipeline } from "./setup.ts";

const HOUR_MS = 3_600_000;

describe("faults of our own", () => {
  it("FC-14: a refused dead-letter send hands back, and the row says dead-lettered only after it went out", async () => {
    const { send, urls, invoke, look, row, calls, telemetry, passVisibility } = await pipeline({
      policy: { maxAttempts: 1 },
    });
    const itemId = send(urls.ingest, "x");
    calls.fault("SendMessageBatch", async () => Promise.reject(awsError("KMS.AccessDeniedException")));

    for (let delivery = 1; delivery <= 3; delivery++) {
      expect(await invoke()).toEqual({ received: [itemId], handedBack: [itemId] });
      expect(await row(itemId)).toMatchObject({ status: "exhausted", attempts: 1 });
      expect(telemetry.problems.at(-1)).toMatchObject({ fields: { why: "KMS.AccessDeniedException" } });
      passVisibility();
    }
    expect(telemetry.counts).toEqual({ HandedBack: 3 });

    calls.fault("SendMessageBatch", undefined);
    expect(await invoke()).toEqual({ received: [itemId], handedBack: [] });
    expect(look(urls.dead)).toHaveLength(1);
    expect(await row(itemId)).toMatchObject({ status: "dead-lettered", attempts: 1 });
    expect(telemetry.counts).toMatchObject({ Exhausted: 1 });
  });

  it("FC-14: a mark that cannot be written hands the report back, until the row is marked", async () => {
    const { send, urls, invoke, row, calls, passVisibility } = await pipeline({ policy: { maxAttempts: 1 } });
    const itemId = send(urls.ingest, "x");
    calls.fault("PutItem", async ({ Item }, proceed) => {
      if ((Item as { status?: { S?: string } }).status?.S === "dead-lettered") throw awsError("ThrottlingException");
      return proceed();
    });
    expect((await invoke()).handedBack).toEqual([itemId]);
    expect(await row(itemId)).toMatchObject({ status: "exhausted" });

    calls.fault("PutItem", undefined);
    passVisibility();
    expect((await invoke()).handedBack).toEqual([]);
    expect(await row(itemId)).toMatchObject({ status: "dead-lettered", attempts: 1 });
  });

  it("FC-15a: four sends that time out after the state was written consume no attempt", async () => {
    const { send, urls, invoke, look, row, calls, telemetry, passVisibility } = await pipeline({
      policy: { maxAttempts: 5 },
    });
    const itemId = send(urls.ingest, "x");
    calls.fault("SendMessageBatch", async () => Promise.reject(awsError("TimeoutError")));
    for (let delivery = 1; delivery <= 4; delivery++) {
      expect((await invoke()).handedBack).toEqual([itemId]);
      passVisibility();
    }
    const { revision } = await row(itemId);

    calls.fault("SendMessageBatch", undefined);
    expect((await invoke()).handedBack).toEqual([]);

    const [waiting] = look(urls.work);
    expect(waiting).toMatchObject({ state: "visible", context: { itemId, attempt: 2 } });
    expect(await row(itemId)).toMatchObject({ status: "retrying", attempts: 1, revision });
    expect(telemetry.counts).toMatchObject({ Repeated: 1, HandedBack: 4 });
  });

  it("FC-15b: a send whose answer was lost makes one copy, and copies do not multiply in ten further cycles", async () => {
    const { send, urls, invoke, look, row, calls, failWork, clock, passVisibility } = await pipeline({
      policy: { maxAttempts: 12 },
    });
    const itemId = send(urls.work, "x");
    failWork();
    calls.fault("SendMessageBatch", async (_, proceed) => {
      await proceed();
      throw awsError("TimeoutError");
    });
    expect((await invoke()).handedBack).toEqual([itemId]);
    calls.fault("SendMessageBatch", undefined);
    passVisibility();
    expect((await invoke()).handedBack).toEqual([]);
    const copies = look(urls.work);
    expect(new Set(copies.map(({ context }) => context?.dispatchId)).size).toBe(1);
    expect(copies).toHaveLength(2);

    const alive: number[] = [];
    for (let cycle = 1; cycle <= 10; cycle++) {
      clock.advance(15 * 60_000);
      failWork();
      expect((await invoke()).handedBack).toEqual([]);
      alive.push(look(urls.work).length);
      expect(await row(itemId)).toMatchObject({ attempts: cycle + 1, status: "retrying" });
    }
    expect(alive).toEqual(Array.from({ length: 10 }, () => 1));
  });

  it("loses nothing when sends fail until SQS moves the report to the dead-letter queue, and an operator moves it back", async () => {
    const { send, urls, invoke, look, row, calls, failWork, clock, take, redriveTo } = await pipeline();
    const itemId = send(urls.work, "x");
    failWork();
    calls.fault("SendMessageBatch", async () => Promise.reject(awsError("ServiceUnavailable")));
    await invoke();
    clock.advance(24 * HOUR_MS);
    while (look(urls.dead).length === 0) take(urls.ingest, 1, { VisibilityTimeout: 0 });
    expect(look(urls.dead)).toMatchObject([{ messageId: itemId, context: undefined }]);
    calls.fault("SendMessageBatch", undefined);

    redriveTo("ingest");
    expect((await invoke()).handedBack).toEqual([]);
    expect(look(urls.work)).toMatchObject([{ body: "x" }]);
    expect(await row(itemId)).toMatchObject({ attempts: 1 });
  });

  it("FC-17: the receive count is no attempt count", async () => {
    const { handle, look, urls, row, configuration } = await pipeline({ policy: { jitter: { mode: "none" } } });
    expect(await handle([aRecord({ messageId: "m", receives: 4, moved: true })])).toEqual([]);
    const [waiting] = look(urls.work);
    expect(waiting).toMatchObject({ context: { attempt: 2, delayMs: configuration.policy.baseMs } });
    expect(await row("m")).toMatchObject({ attempts: 1 });
  });
});
