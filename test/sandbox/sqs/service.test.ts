import { describe, expect, it } from "vitest";
import { type QueueEvent, QueueService, SqsError, systemClock } from "../../../lib/sandbox/sqs/index.ts";
import { refusalName, setup } from "./fixtures/setup.ts";

const DAY_MS = 86_400_000;

describe("QueueService", () => {
  it("refuses an action that it does not know", () => {
    const { service } = setup();
    expect(refusalName(() => service.call("Nonsense", {}))).toBe("UnknownOperationException");
    expect(refusalName(() => service.call("constructor", {}))).toBe("UnknownOperationException");
  });

  it("finds a queue by the path of its URL, whatever the host", () => {
    const { service, queue } = setup();
    queue("work");
    expect(service.inspect("https://sqs.eu-west-1.amazonaws.com/000000000000/work").visible).toBe(0);
    expect(service.inspect("/000000000000/work").visible).toBe(0);
    expect(refusalName(() => service.inspect("http://localhost/111111111111/work"))).toBe("QueueDoesNotExist");
    expect(refusalName(() => service.inspect("work"))).toBe("InvalidAddress");
  });

  it("says how its errors travel", () => {
    expect(new SqsError("QueueDoesNotExist", "m")).toMatchObject({
      name: "QueueDoesNotExist",
      statusCode: 400,
      fault: "Sender",
      queryCode: "AWS.SimpleQueueService.NonExistentQueue",
    });
    expect(new SqsError("InternalFailure", "m")).toMatchObject({ statusCode: 500, fault: "Receiver" });
    expect(new SqsError("Anything", "m", { statusCode: 503 })).toMatchObject({ fault: "Receiver" });
  });

  it("makes valid version 4 message ids that do not repeat", () => {
    const service = new QueueService({ clock: systemClock });
    const QueueUrl = service.call("CreateQueue", { QueueName: "work" }).QueueUrl;
    const ids = Array.from(
      { length: 500 },
      () => service.call("SendMessage", { QueueUrl, MessageBody: "x" }).MessageId,
    );
    expect(new Set(ids).size).toBe(500);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it("inspects without receiving", () => {
    const { clock, service, queue, send, receive } = setup();
    const url = queue();
    send(url, "a", { MessageAttributes: { k: { DataType: "String", StringValue: "v" } } });
    clock.advance(1_000);
    send(url, "b", { DelaySeconds: 60 });
    receive(url);
    send(url, "c");
    const look = service.inspect(url);
    expect(look).toMatchObject({ visible: 1, notVisible: 1, delayed: 1, oldestAgeMs: 1_000 });
    expect(look.messages.map(({ body, state, dueAt }) => [body, state, dueAt - clock.now()])).toEqual([
      ["a", "notVisible", 30_000],
      ["b", "delayed", 60_000],
      ["c", "visible", 0],
    ]);
    expect(look.messages[0]).toMatchObject({
      attributes: { k: { DataType: "String", StringValue: "v" } },
      systemAttributes: { ApproximateReceiveCount: "1" },
    });
    expect(service.inspect(url)).toMatchObject({ visible: 1, notVisible: 1, delayed: 1 });
  });

  it("FC-22: a dead-letter queue's age counts from the move, its retention from the first send", () => {
    const { clock, service, queue, send, receive, redrive } = setup();
    const dead = queue("dead", { MessageRetentionPeriod: String((4 * DAY_MS) / 1000) });
    const work = queue("work", redrive("dead"));
    send(work);
    clock.advance(DAY_MS);
    receive(work, { VisibilityTimeout: 0 });
    receive(work);
    clock.advance(1_000);
    expect(service.inspect(dead)).toMatchObject({ visible: 1, oldestAgeMs: 1_000 });
    clock.advance(3 * DAY_MS - 2_000);
    expect(service.inspect(dead).visible).toBe(1);
    clock.advance(1_000);
    expect(service.inspect(dead)).toMatchObject({ visible: 0, oldestAgeMs: 0 });
  });

  it("names the next time at which something becomes due", () => {
    const { clock, service, queue, send, receive } = setup();
    const url = queue("work", { MessageRetentionPeriod: "3600" });
    expect(service.nextEventAt()).toBeUndefined();
    const start = clock.now();
    send(url);
    expect(service.nextEventAt()).toBe(start + 3_600_000);
    send(url, "later", { DelaySeconds: 300 });
    expect(service.nextEventAt()).toBe(start + 300_000);
    receive(url);
    expect(service.nextEventAt()).toBe(start + 30_000);
  });

  it("tells of everything that happens to messages", () => {
    const { clock, service, queue, send, receive, redrive } = setup();
    const dead = queue("dead", { MessageRetentionPeriod: "60" });
    const work = queue("work", redrive("dead"));
    const events: QueueEvent[] = [];
    const stop = service.onEvent((event) => events.push(event));
    const start = clock.now();
    const moved = send(work);
    receive(work, { VisibilityTimeout: 0 });
    receive(work);
    clock.advance(90_000);
    const deleted = send(work);
    const [message] = receive(work);
    service.call("DeleteMessage", { QueueUrl: work, ReceiptHandle: message?.ReceiptHandle });
    service.inspect(dead);
    stop();
    send(work);
    const at = start + 90_000;
    expect(events).toEqual([
      { type: "sent", queueName: "work", messageId: moved, at: start },
      { type: "received", queueName: "work", messageId: moved, at: start },
      {
        type: "moved",
        by: "redrive",
        queueName: "work",
        messageId: moved,
        toQueueName: "dead",
        toMessageId: moved,
        at: start,
      },
      { type: "sent", queueName: "work", messageId: deleted, at },
      { type: "received", queueName: "work", messageId: deleted, at },
      { type: "deleted", queueName: "work", messageId: deleted, at },
      { type: "expired", queueName: "dead", messageId: moved, at: start + 60_000 },
    ]);
  });

  it("lets a listener call the service again", () => {
    const { service, queue, send } = setup();
    const [work, copy] = [queue("work"), queue("copy")];
    service.onEvent((event) => {
      if (event.type === "sent" && event.queueName === "work") send(copy, event.messageId);
    });
    const id = send(work);
    expect(service.inspect(copy).messages.map((message) => message.body)).toEqual([id]);
  });

  it("keeps a deleted queue's name for 60 s, and refuses the receipt handles of its predecessor", () => {
    const { clock, service, queue, send, receive } = setup();
    const url = queue();
    send(url);
    const [message] = receive(url);
    service.call("DeleteQueue", { QueueUrl: url });
    expect(refusalName(() => receive(url))).toBe("QueueDoesNotExist");
    expect(refusalName(() => queue())).toBe("QueueDeletedRecently");
    clock.advance(60_000);
    queue();
    const stale = { QueueUrl: url, ReceiptHandle: message?.ReceiptHandle };
    expect(refusalName(() => service.call("DeleteMessage", stale))).toBe("ReceiptHandleIsInvalid");
  });
});
