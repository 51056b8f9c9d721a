import { describe, expect, it } from "vitest";
import { QueueService } from "../../../lib/sandbox/sqs/index.ts";
import { JumpingClock } from "./fixtures/jumping-clock.ts";
import { setup } from "./fixtures/setup.ts";

const WAIT = { WaitTimeSeconds: 20 };

describe("a long poll", () => {
  it("wakes at once on a send", async () => {
    const { service, queue, send } = setup();
    const QueueUrl = queue();
    const poll = service.receive({ QueueUrl, ...WAIT });
    send(QueueUrl, "wake");
    expect((await poll).Messages).toMatchObject([{ Body: "wake" }]);
  });

  it("wakes when the clock jumps to a due delay", async () => {
    const { clock, service, queue, send } = setup();
    const QueueUrl = queue();
    send(QueueUrl, "due", { DelaySeconds: 900 });
    const poll = service.receive({ QueueUrl, ...WAIT });
    clock.advance(900_000);
    service.progress();
    expect((await poll).Messages).toMatchObject([{ Body: "due" }]);
  });

  it("wakes by itself on a due delay and on an expired visibility, on a clock that runs fast", async () => {
    const start = Date.now();
    const fast = { now: () => start + (Date.now() - start) * 60, realMs: (ms: number) => ms * 60 };
    const service = new QueueService({ clock: fast });
    const QueueUrl = service.call("CreateQueue", { QueueName: "work" }).QueueUrl ?? "";
    service.call("SendMessage", { QueueUrl, MessageBody: "x", DelaySeconds: 6 });
    const first = await service.receive({ QueueUrl, ...WAIT, VisibilityTimeout: 1 });
    expect(first.Messages).toHaveLength(1);
    const again = await service.receive({
      QueueUrl,
      ...WAIT,
      MessageSystemAttributeNames: ["ApproximateReceiveCount"],
    });
    expect(again.Messages).toMatchObject([{ Attributes: { ApproximateReceiveCount: "2" } }]);
  });

  it("wakes when a FIFO group is unlocked, and when a move task brings a message", async () => {
    const { clock, service, queue, send, receive, redrive } = setup();
    const fifo = queue("work.fifo", { FifoQueue: "true", ContentBasedDeduplication: "true" });
    send(fifo, "1", { MessageGroupId: "g" });
    send(fifo, "2", { MessageGroupId: "g" });
    const [first] = receive(fifo, { MaxNumberOfMessages: 1 });
    const unlocked = service.receive({ QueueUrl: fifo, ...WAIT });
    service.call("DeleteMessage", { QueueUrl: fifo, ReceiptHandle: first?.ReceiptHandle });
    expect((await unlocked).Messages).toMatchObject([{ Body: "2" }]);

    const dead = queue("dead");
    const work = queue("work", redrive("dead"));
    send(work, "poison");
    receive(work, { VisibilityTimeout: 0 });
    receive(work);
    const moved = service.receive({ QueueUrl: work, ...WAIT });
    service.call("StartMessageMoveTask", { SourceArn: "arn:aws:sqs:us-east-1:000000000000:dead" });
    clock.advance(1);
    service.progress();
    expect((await moved).Messages).toMatchObject([{ Body: "poison" }]);
    expect(service.inspect(dead).visible).toBe(0);
  });

  it("is served in order of arrival, one message each", async () => {
    const { service, queue, send } = setup();
    const QueueUrl = queue();
    const first = service.receive({ QueueUrl, ...WAIT });
    const second = service.receive({ QueueUrl, ...WAIT });
    send(QueueUrl, "1");
    send(QueueUrl, "2");
    expect((await first).Messages).toMatchObject([{ Body: "1" }]);
    expect((await second).Messages).toMatchObject([{ Body: "2" }]);
  });

  it("that was aborted receives nothing", async () => {
    const { service, queue, send } = setup();
    const QueueUrl = queue();
    const abort = new AbortController();
    const poll = service.receive({ QueueUrl, ...WAIT }, abort.signal);
    const ended = expect(poll).rejects.toThrow("gone");
    abort.abort(new Error("gone"));
    send(QueueUrl);
    await ended;
    await expect(service.receive({ QueueUrl }, abort.signal)).rejects.toThrow("gone");
    expect(service.inspect(QueueUrl)).toMatchObject({ visible: 1, notVisible: 0 });
  });

  it("ends with QueueDoesNotExist when its queue is deleted", async () => {
    const { service, queue } = setup();
    const QueueUrl = queue();
    const poll = service.receive({ QueueUrl, ...WAIT });
    const ended = expect(poll).rejects.toMatchObject({ name: "QueueDoesNotExist" });
    service.call("DeleteQueue", { QueueUrl });
    await ended;
  });

  it("ends after its own real time even if the clock stands still", async () => {
    const service = new QueueService({ clock: new JumpingClock() });
    const QueueUrl = service.call("CreateQueue", { QueueName: "work" }).QueueUrl;
    expect(await service.receive({ QueueUrl, WaitTimeSeconds: 1 })).toEqual({});
  });

  it("WaitTimeSeconds 0 overrides the queue's wait", async () => {
    const { service, queue } = setup();
    const QueueUrl = queue("work", { ReceiveMessageWaitTimeSeconds: "20" });
    expect(await service.receive({ QueueUrl, WaitTimeSeconds: 0 })).toEqual({});
  });
});
