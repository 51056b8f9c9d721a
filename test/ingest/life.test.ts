import { describe, expect, it } from "vitest";
import { explain } from "../../lib/core/backoff/explain.ts";
import { type Pipeline, pipeline } from "./setup.ts";

/** Lets the item fail until it is dead-lettered; the attempts that were made, with their delays in seconds. */
async function exhaust({ clock, failWork, invoke, look, urls, configuration }: Pipeline) {
  const delays: number[] = [];
  for (let attempt = 1; attempt <= configuration.policy.maxAttempts * 2; attempt++) {
    failWork();
    expect(await invoke()).toMatchObject({ handedBack: [] });
    const [waiting, ...others] = look(urls.work);
    expect(others).toEqual([]);
    if (!waiting) return { attempts: attempt, delays };
    delays.push((waiting.dueAt - clock.now()) / 1000);
    clock.advance(waiting.dueAt - clock.now());
  }
  throw new Error("the item must be dead-lettered some time, but goes on");
}

describe("the life of an item that always fails", () => {
  it("is retried inside its windows and dead-lettered once, with the reason", async () => {
    const world = await pipeline({ policy: { maxAttempts: 6 } });
    const { send, urls, configuration, look, row, calls, telemetry, clock } = world;
    const itemId = send(urls.work, "payload");
    const began = clock.now();

    const { attempts, delays } = await exhaust(world);

    expect(attempts).toBe(6);
    for (const [index, delay] of delays.entries()) {
      const { window, delaySeconds } = explain(configuration.policy, { itemId, generation: 1, attempt: index + 1 });
      expect(delay).toBe(delaySeconds);
      expect(delay * 1000).toBeGreaterThanOrEqual(window.lowMs - 500);
      expect(delay * 1000).toBeLessThanOrEqual(window.highMs + 500);
    }
    const dead = look(urls.dead);
    expect(dead).toMatchObject([
      {
        body: "payload",
        context: {
          itemId,
          generation: 1,
          attempt: 6,
          deadLetter: { reason: "attempts", firstFailedAt: began, lastFailedAt: clock.now() },
        },
      },
    ]);
    expect(await row(itemId)).toMatchObject({ status: "dead-lettered", attempts: 6, generation: 1 });
    expect(telemetry.counts).toMatchObject({ Retried: 5, Exhausted: 1 });
    expect(calls.made.slice(-3).map(({ command }) => command)).toEqual(["PutItem", "SendMessageBatch", "PutItem"]);
    expect(calls.made.at(-3)?.input).toMatchObject({ Item: { status: { S: "exhausted" } } });
    expect(calls.made.at(-1)?.input).toMatchObject({ Item: { status: { S: "dead-lettered" } } });
  });

  it("gets a full budget when SQS moves its dead-letter copy to the work queue: the failing try is number 1", async () => {
    const world = await pipeline({ policy: { maxAttempts: 3 } });
    const { send, urls, redriveTo, look, row } = world;
    const itemId = send(urls.work, "payload");
    await exhaust(world);

    redriveTo("work");
    const { attempts } = await exhaust(world);

    expect(attempts).toBe(3);
    expect(look(urls.dead)).toMatchObject([{ context: { itemId, generation: 2, attempt: 3 } }]);
    const { history, ...rest } = await row(itemId);
    expect(rest).toMatchObject({ status: "dead-lettered", generation: 2, attempts: 3 });
    expect(history.map(({ generation }) => generation)).toEqual([1, 1, 1, 2, 2, 2]);
  });

  it("gets all its tries again when SQS moves its dead-letter copy straight to the ingest queue", async () => {
    const world = await pipeline({ policy: { maxAttempts: 3 } });
    const { send, urls, redriveTo, look, row, invoke, clock, telemetry } = world;
    const itemId = send(urls.work, "payload");
    await exhaust(world);

    redriveTo("ingest");
    await invoke();
    const [waiting] = look(urls.work);
    expect(waiting?.context).toMatchObject({ itemId, generation: 2, attempt: 1 });
    clock.advance((waiting?.dueAt ?? 0) - clock.now());
    const { attempts } = await exhaust(world);

    expect(attempts).toBe(3);
    expect(look(urls.dead)).toMatchObject([{ context: { itemId, generation: 2, attempt: 3 } }]);
    expect(await row(itemId)).toMatchObject({ status: "dead-lettered", generation: 2, attempts: 3 });
    expect(telemetry.counts).toMatchObject({ Redriven: 1, Exhausted: 2 });
  });

  it.each([
    ["work", 1],
    ["ingest", 2],
  ] as const)("with a budget of one attempt, a redrive to the %s queue gives one more", async (destination, events) => {
    const world = await pipeline({ policy: { maxAttempts: 1 } });
    const { send, urls, redriveTo, look, invoke, clock } = world;
    send(urls.work, "payload");
    await exhaust(world);
    expect(look(urls.dead)).toMatchObject([{ context: { generation: 1, attempt: 1 } }]);

    redriveTo(destination);
    if (events === 2) await invoke();
    const [waiting] = look(urls.work);
    clock.advance(Math.max(0, (waiting?.dueAt ?? 0) - clock.now()));
    await exhaust(world);

    expect(look(urls.dead)).toMatchObject([{ context: { generation: 2, attempt: 1 } }]);
  });

  it("keeps its count through aliases when ten attributes leave no room for the context", async () => {
    const world = await pipeline({ policy: { maxAttempts: 4 } });
    const { send, urls, look, row, found, telemetry } = world;
    const MessageAttributes = Object.fromEntries(
      Array.from({ length: 10 }, (_, index) => [`user${index}`, { DataType: "String", StringValue: `${index}` }]),
    );
    const itemId = send(urls.work, "payload", { MessageAttributes });

    const { attempts } = await exhaust(world);

    expect(attempts).toBe(4);
    const dead = look(urls.dead);
    expect(dead).toMatchObject([{ body: "payload", attributes: MessageAttributes, context: undefined }]);
    expect(await row(itemId)).toMatchObject({ status: "dead-lettered", attempts: 4, reason: "attempts" });
    const alias = { itemId, generation: 1, attempt: 4, deadLettered: true };
    expect(await found(dead[0]?.messageId ?? "")).toMatchObject({ kind: "alias", alias });
    expect(telemetry.counts).toMatchObject({ Retried: 3, Exhausted: 1, Aliased: 4 });
  });
});
