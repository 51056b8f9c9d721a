import { describe, expect, it } from "vitest";
import { aRecord } from "./records.ts";
import { pipeline } from "./setup.ts";

const BODY = "the body, which is nobody's business";

describe("what a pipeline says of its work", () => {
  it("FC-29: the dead-letter copy and the row say what, why, how often and when", async () => {
    const { handle, look, urls, row, clock, telemetry } = await pipeline({ policy: { maxAttempts: 3 } });
    const attributes = { corr: { dataType: "String", stringValue: "42" } };
    const began = clock.now();
    let context: object = { itemId: "item", attempt: 1 };
    for (const message of ["first text", "second text", "third text"]) {
      const failed = { ...context, kind: "failed", error: { type: "PaymentError", message } };
      expect(await handle([aRecord({ body: BODY, attributes, context: failed })])).toEqual([]);
      context = look(urls.work).at(-1)?.context ?? {};
      clock.advance(10_000);
    }

    const [dead] = look(urls.dead);
    expect(dead?.attributes).toMatchObject({ corr: { DataType: "String", StringValue: "42" } });
    expect(dead?.context).toMatchObject({
      itemId: "item",
      attempt: 3,
      deadLetter: {
        reason: "attempts",
        at: began + 20_000,
        firstFailedAt: began,
        lastFailedAt: began + 20_000,
        error: { type: "PaymentError", message: "third text" },
      },
    });
    const { errors, ...state } = await row("item");
    expect(state).toMatchObject({ attempts: 3, firstFailedAt: began, lastFailedAt: began + 20_000 });
    expect(errors.map(({ message }) => message)).toEqual(["first text", "second text", "third text"]);

    expect(telemetry.decisions.map(({ name, fields }) => [name, fields.itemId, fields.attempt])).toEqual([
      ["retry", "item", 1],
      ["retry", "item", 2],
      ["exhaust", "item", 3],
    ]);
    const delays = telemetry.decisions.slice(0, 2).map(({ fields }) => fields.delaySeconds);
    expect(telemetry.delays).toEqual(delays);
    expect(telemetry.decisions.at(-1)?.fields).toMatchObject({ reason: "attempts", errorMessage: "third text" });
    expect(telemetry.counts).toMatchObject({ Retried: 2, Exhausted: 1 });
    expect(JSON.stringify([telemetry.decisions, telemetry.problems])).not.toContain(BODY);
  });

  it("FC-29: one line per record, whatever is decided, and never a body", async () => {
    const { handle, telemetry } = await pipeline({ policy: { maxAttempts: 2 } });
    const report = { itemId: "a", attempt: 1, kind: "failed", dispatchId: "work message" };
    await handle([aRecord({ messageId: "1", body: BODY, context: report })]);
    await handle([
      aRecord({ messageId: "1", body: BODY, context: report }),
      aRecord({ messageId: "2", body: BODY, context: report }),
      aRecord({
        messageId: "3",
        body: BODY,
        context: { itemId: "b", attempt: 2, kind: "failed", dispatchId: "dispatch00" },
      }),
      aRecord({ messageId: "4", body: BODY, context: { itemId: "c", attempt: 1, kind: "succeeded" } }),
      aRecord({ messageId: "5", body: BODY, context: "no context" }),
      aRecord({ messageId: "6", body: BODY, context: { min: 9, itemId: "d", attempt: 1 } }),
    ]);

    const lines = telemetry.decisions.slice(1).map(({ name, fields }) => [fields.messageId, name]);
    expect(lines.sort()).toEqual([
      ["1", "repeat"],
      ["2", "stale"],
      ["3", "exhaust"],
      ["4", "nothing"],
      ["5", "exhaust"],
    ]);
    expect(telemetry.problems.map(({ fields }) => fields.messageId).sort()).toEqual(["5", "6"]);
    expect(JSON.stringify([telemetry.decisions, telemetry.problems])).not.toContain(BODY);
    expect(telemetry.counts).toEqual({
      Retried: 1,
      Repeated: 1,
      Stale: 1,
      Exhausted: 2,
      RowsLost: 1,
      UnreadableContexts: 1,
      HandedBack: 1,
    });
    expect(telemetry.flushes).toBe(2);
  });

  it("counts an exhaustion again when its send is made again", async () => {
    const { handle, telemetry, calls } = await pipeline({ policy: { maxAttempts: 1 } });
    const record = aRecord({ messageId: "m" });
    calls.fault("PutItem", async ({ Item }, proceed) => {
      if ((Item as { status?: { S?: string } }).status?.S === "dead-lettered") throw new Error("injected");
      return proceed();
    });
    await handle([record]);
    expect(telemetry.counts).toEqual({ HandedBack: 1 });
    calls.fault("PutItem", undefined);
    await handle([record]);
    expect(telemetry.counts).toMatchObject({ Exhausted: 1, Repeated: 1 });
  });

  it("counts reports that nobody can recognise again, and messages that share an identity", async () => {
    const configuration = { idAttribute: "orderId" };
    const { handle, telemetry } = await pipeline({ configuration });
    const attributes = { orderId: { dataType: "String", stringValue: "7" } };
    await handle([aRecord(), aRecord({ moved: true }), aRecord({ attributes })]);
    expect(telemetry.counts).toEqual({ Retried: 3, ReportsWithoutIdentity: 1 });
    await handle([aRecord({ attributes })]);
    expect(telemetry.counts).toMatchObject({ SharedIdentities: 1 });
  });

  it("writes its counts out even when the event fails as a whole", async () => {
    const { handle, telemetry } = await pipeline();
    const broken = {
      ...aRecord(),
      get messageAttributes(): never {
        throw new Error("hostile");
      },
    };
    expect(await handle([broken])).toEqual([broken.messageId]);
    expect(telemetry).toMatchObject({ flushes: 1, counts: { HandedBack: 1 } });
  });
});
