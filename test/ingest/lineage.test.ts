import { describe, expect, it } from "vitest";
import { aRecord } from "./records.ts";
import { pipeline } from "./setup.ts";

const TRACE = "Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8;Sampled=1";
const FUNCTION_TRACE = `Root=1-99999999-bd862e3fe1be46a994272793;Parent=11995c3f42cd8ad8;Sampled=0;Lineage=2:a87bd80c:9`;

/** A report with identity: SQS moved it here. */
const moved = () => aRecord({ messageId: "m", moved: true, traceHeader: `${TRACE};Lineage=1:a87bd80c:3` });

describe("AWS's guard against loops", () => {
  it("FC-30: a send goes on with the trace of its record, without the lineage", async () => {
    const { handle, look, urls } = await pipeline();
    await handle([moved()], { traceHeader: FUNCTION_TRACE });
    expect(look(urls.work)).toMatchObject([{ systemAttributes: { AWSTraceHeader: TRACE } }]);
  });

  it("FC-30: so does a dead-letter copy", async () => {
    const { handle, look, urls } = await pipeline({ policy: { maxAttempts: 1 } });
    await handle([moved()], { traceHeader: FUNCTION_TRACE });
    expect(look(urls.dead)).toMatchObject([{ systemAttributes: { AWSTraceHeader: TRACE } }]);
  });

  it("FC-30: entries of one batch each keep the trace of their own record", async () => {
    const { handle, look, urls } = await pipeline();
    const other = "Root=1-00000000-bd862e3fe1be46a994272793";
    await handle([moved(), aRecord({ messageId: "o", moved: true, traceHeader: other }), aRecord({ moved: true })]);
    expect(look(urls.work).map(({ systemAttributes }) => systemAttributes.AWSTraceHeader)).toEqual([
      TRACE,
      other,
      undefined,
    ]);
  });

  it("FC-30: a send without identity keeps the function's lineage, so that AWS's own guard stays on", async () => {
    const { handle, look, urls } = await pipeline();
    await handle([aRecord({ traceHeader: TRACE })], { traceHeader: FUNCTION_TRACE });
    expect(look(urls.work)).toMatchObject([{ systemAttributes: { AWSTraceHeader: FUNCTION_TRACE } }]);
  });

  it("FC-30: a repeat of such a send keeps it as well", async () => {
    const { handle, look, urls, calls } = await pipeline();
    const record = aRecord({ traceHeader: TRACE });
    calls.fault("SendMessageBatch", async () => Promise.reject(new Error("injected")));
    await handle([record], { traceHeader: FUNCTION_TRACE });
    calls.fault("SendMessageBatch", undefined);
    await handle([record], { traceHeader: FUNCTION_TRACE });
    expect(look(urls.work)).toMatchObject([{ systemAttributes: { AWSTraceHeader: FUNCTION_TRACE } }]);
  });

  it("FC-30: an item of 20 attempts goes through all of them: its own hard stop ends it", async () => {
    const { handle, look, urls } = await pipeline({ policy: { maxAttempts: 20 } });
    let context: object = { itemId: "item", attempt: 1 };
    for (let attempt = 1; attempt <= 20; attempt++) {
      await handle([aRecord({ traceHeader: TRACE, context: { ...context, kind: "failed" } })]);
      context = look(urls.work).at(-1)?.context ?? {};
    }
    expect(look(urls.work)).toHaveLength(19);
    expect(look(urls.dead)).toMatchObject([{ context: { attempt: 20, deadLetter: { reason: "attempts" } } }]);
  });
});
