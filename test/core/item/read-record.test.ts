import { describe, expect, it } from "vitest";
import { type Alias, reportIdOf } from "../../../lib/core/item/failure-report.ts";
import { disbelieve, readRecord, withAlias } from "../../../lib/core/item/read-record.ts";
import type { RetryContext } from "../../../lib/core/item/retry-context.ts";
import { aContext, aRecord, NOW, reportOf } from "../factories.ts";

const idAttribute = { orderId: { dataType: "String", stringValue: "order-7" } };
const dispatched: RetryContext = aContext({ attempt: 3, dispatchId: "2m5e8a0q4t" });
const copy: RetryContext = {
  ...dispatched,
  deadLetter: { reason: "deadline", at: NOW, firstFailedAt: NOW, error: { message: "old" } },
};

describe("the identity of a report", () => {
  it("is the context's item id before the caller's own id", () => {
    const report = reportOf(aRecord({ context: dispatched, attributes: idAttribute }), "orderId");

    expect(report).toMatchObject({ itemId: "order-42", identity: "context", generation: 1, attempt: 3 });
    expect(report).toMatchObject({ dispatchId: "2m5e8a0q4t", dispatched: true });
  });

  it("is the caller's own id, made an item id, if the pipeline names the attribute", () => {
    const orderId = { dataType: "String", stringValue: "x".repeat(200) };

    expect(reportOf(aRecord({ attributes: idAttribute }), "orderId")).toMatchObject({
      itemId: "order-7",
      identity: "attribute",
      attempt: 1,
    });
    expect(reportOf(aRecord({ attributes: { orderId } }), "orderId").itemId).toHaveLength(100);
  });

  it.each([
    ["no such attribute", {}],
    ["an empty one", { orderId: { dataType: "String", stringValue: "" } }],
    ["a binary one", { orderId: { dataType: "Binary", binaryValue: "AQID" } }],
  ])("is the message id, with %s", (_name, attributes) => {
    expect(reportOf(aRecord({ messageId: "m1", attributes }), "orderId")).toMatchObject({
      itemId: "m1",
      identity: "message",
      dispatchId: reportIdOf("m1"),
      dispatched: false,
    });
  });

  it("is the message id where the pipeline names no attribute, even one called like a property of every object", () => {
    expect(reportOf(aRecord({ messageId: "m1", attributes: idAttribute }))).toMatchObject({ itemId: "m1" });
    expect(reportOf(aRecord({ messageId: "m1" }), "constructor")).toMatchObject({ itemId: "m1", identity: "message" });
  });

  it("of an alias is the item that it stands for", () => {
    const alias: Alias = { itemId: "order-7", generation: 2, attempt: 4, dispatchId: "d", deadLettered: false };

    const report = withAlias(reportOf(aRecord({ messageId: "m1", moved: true })), alias);

    expect(report).toMatchObject({ itemId: "order-7", identity: "alias", generation: 2, attempt: 4, dispatchId: "d" });
    expect(report).toMatchObject({ dispatched: true, reportId: reportIdOf("m1") });
    expect(report).not.toHaveProperty("redrive");
  });
});

describe("the dispatch that a report is on", () => {
  it("is the message's own where SQS moved it, so a report and its item's first delivery are one", () => {
    const report = reportOf(aRecord({ messageId: "m1", moved: true }));

    expect(report).toMatchObject({ moved: true, dispatchId: report.reportId });
  });

  it("is the report's own where a context names none: two messages that share an item id are two", () => {
    const reports = ["m1", "m2"].map((messageId) => reportOf(aRecord({ messageId, context: aContext() })));

    expect(reports.map(({ itemId }) => itemId)).toEqual(["order-42", "order-42"]);
    expect(new Set(reports.map(({ dispatchId }) => dispatchId)).size).toBe(2);
    expect(reports.every((report) => !report.dispatched)).toBe(true);
  });

  it("may be named by a worker after the work-queue message: then its report and SQS's move are one", () => {
    const workMessage = "5fea7756-0ea4-451a-a703-a558b933e274";
    const told = reportOf(aRecord({ messageId: "m2", context: aContext({ dispatchId: workMessage }) }));
    const moved = reportOf(aRecord({ messageId: workMessage, moved: true }));

    expect(told.dispatchId).toBe(moved.dispatchId);
    expect(told.dispatched).toBe(false);
  });

  it.each(["a b", "a.b.c", "|", "é", "ü".repeat(40), "D-1"])(
    "has a short name of plain characters, also where the context calls it '%s'",
    (dispatchId) => {
      expect(reportOf(aRecord({ context: aContext({ dispatchId }) })).dispatchId).toMatch(/^[0-9a-v]{10}$/);
    },
  );
});

describe("what a report says", () => {
  it("is the error, hints, deadline and times of its context", () => {
    const told = {
      error: { type: "TimeoutError", message: "no answer" },
      retryable: true,
      retryAfterMs: 30_000,
      deadlineAt: NOW + 1,
      firstFailedAt: NOW - 1,
    };
    const context = { ...dispatched, ...told, kind: "failed", delayMs: 7_000, unknown: { later: 1 } } as const;

    expect(reportOf(aRecord({ context }))).toMatchObject({ ...told, previousDelayMs: 7_000, unknown: { later: 1 } });
  });

  it("is a failure, unless it says that the item succeeded", () => {
    expect(reportOf(aRecord({ context: dispatched })).kind).toBe("failed");
    expect(reportOf(aRecord({ context: { ...dispatched, kind: "succeeded" } })).kind).toBe("succeeded");
  });

  it("is read from a record of any number of receives in the same way", () => {
    expect(reportOf(aRecord({ receiveCount: 900 }))).toEqual(reportOf(aRecord()));
  });

  it("is left to newer code where the context asks for it", () => {
    expect(readRecord(aRecord({ context: '{"min":9}' }))).toEqual({ kind: "newer", min: 9 });
  });
});

describe("a dead-letter copy that came back", () => {
  it("is untried where it stands in the ingest queue as it was", () => {
    expect(reportOf(aRecord({ context: copy })).redrive).toEqual({ tried: false });
  });

  it("is tried where SQS moved it from the work queue, or a worker reports on it", () => {
    expect(reportOf(aRecord({ context: copy, moved: true })).redrive).toEqual({ tried: true });
    expect(reportOf(aRecord({ context: { ...copy, kind: "failed" } })).redrive).toEqual({ tried: true });
  });

  it("brings nothing of the old generation along", () => {
    const old = {
      error: { message: "old" },
      retryable: false,
      retryAfterMs: 1,
      deadlineAt: 1,
      firstFailedAt: 1,
      delayMs: 1,
    };
    const report = reportOf(aRecord({ context: { ...copy, ...old }, moved: true }));

    for (const field of ["error", "retryable", "retryAfterMs", "deadlineAt", "firstFailedAt", "previousDelayMs"]) {
      expect(report, field).not.toHaveProperty(field);
    }
  });

  it("brings along the error and hints of a worker that has had it since, but no deadline", () => {
    const told = {
      kind: "failed",
      error: { message: "new" },
      retryable: false,
      deadlineAt: 1,
      firstFailedAt: 1,
    } as const;
    const report = reportOf(aRecord({ context: { ...copy, ...told } }));

    expect(report).toMatchObject({ error: { message: "new" }, retryable: false });
    expect(report).not.toHaveProperty("deadlineAt");
    expect(report).not.toHaveProperty("firstFailedAt");
  });

  it("is known by its alias as well, tried or not", () => {
    const alias: Alias = { itemId: "order-7", generation: 1, attempt: 3, dispatchId: "d", deadLettered: true };
    const workers = reportOf(aRecord({ messageId: "m2", context: aContext({ itemId: "m1", kind: "failed" }) }));

    expect(withAlias(reportOf(aRecord({ messageId: "m1" })), alias).redrive).toEqual({ tried: false });
    expect(withAlias(reportOf(aRecord({ messageId: "m1", moved: true })), alias).redrive).toEqual({ tried: true });
    expect(withAlias(workers, alias).redrive).toEqual({ tried: true });
  });
});

describe("a context that cannot be read", () => {
  it.each([
    ["is no JSON", aRecord({ messageId: "m1", context: "\u0007 not json" }), "\ufffd not json"],
    [
      "is Binary",
      aRecord({ messageId: "m1", attributes: { RetryContext: { dataType: "Binary", binaryValue: "eyJhIjoxfQ==" } } }),
      '{"a":1}',
    ],
    [
      "is a Number",
      aRecord({ messageId: "m1", attributes: { RetryContext: { dataType: "Number", stringValue: "42" } } }),
      "42",
    ],
  ])("because it %s makes a report of its own, with the original cut and legal", (_name, record, original) => {
    expect(reportOf(record)).toMatchObject({
      itemId: "m1",
      identity: "message",
      attempt: 1,
      generation: 1,
      dispatched: false,
      unreadable: { original, why: expect.stringMatching(/^it must /) },
    });
  });

  it("is never believed in part, though it names an item and the message the caller's id", () => {
    const record = aRecord({ messageId: "m1", context: '{"itemId":"order-42","attempt":0}', attributes: idAttribute });

    expect(reportOf(record, "orderId")).toMatchObject({ itemId: "m1", attempt: 1 });
  });

  it("takes the message along without it", () => {
    const reading = readRecord(aRecord({ context: "x".repeat(3_000), attributes: idAttribute }));

    expect(reading).toMatchObject({ message: { body: "a body", attributes: { orderId: { text: "order-7" } } } });
    expect(reading).toMatchObject({ report: { unreadable: { original: "x".repeat(500) } } });
  });

  it("may be one that is well formed and claims what cannot be", () => {
    const claims = reportOf(aRecord({ messageId: "m1", context: { ...dispatched, attempt: 5_000 }, moved: true }));

    expect(disbelieve(claims, "what it claimed", "why not")).toEqual({
      ...reportOf(aRecord({ messageId: "m1", moved: true })),
      unreadable: { original: "what it claimed", why: "why not" },
    });
  });
});
