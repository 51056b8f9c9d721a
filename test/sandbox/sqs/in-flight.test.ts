import { describe, expect, it } from "vitest";
import { refusalName, setup } from "./fixtures/setup.ts";

describe("receipt handles", () => {
  it("an older handle of a message received again deletes nothing, but succeeds, on a standard queue", () => {
    const { service, queue, send, receive } = setup();
    const QueueUrl = queue();
    send(QueueUrl);
    const [first] = receive(QueueUrl, { VisibilityTimeout: 0 });
    const [second] = receive(QueueUrl);
    service.call("DeleteMessage", { QueueUrl, ReceiptHandle: first?.ReceiptHandle });
    expect(service.inspect(QueueUrl).notVisible).toBe(1);
    service.call("DeleteMessage", { QueueUrl, ReceiptHandle: second?.ReceiptHandle });
    service.call("DeleteMessage", { QueueUrl, ReceiptHandle: second?.ReceiptHandle });
    expect(service.inspect(QueueUrl)).toMatchObject({ visible: 0, notVisible: 0 });
  });

  it("an expired handle is refused on a FIFO queue", () => {
    const { clock, service, queue, send, receive } = setup();
    const QueueUrl = queue("work.fifo", { FifoQueue: "true", ContentBasedDeduplication: "true" });
    send(QueueUrl, "x", { MessageGroupId: "g" });
    const [message] = receive(QueueUrl);
    clock.advance(30_000);
    const stale = { QueueUrl, ReceiptHandle: message?.ReceiptHandle };
    expect(refusalName(() => service.call("DeleteMessage", stale))).toBe("InvalidParameterValue");
    expect(service.inspect(QueueUrl).visible).toBe(1);
  });

  it("a handle of another queue is refused", () => {
    const { service, queue, send, receive } = setup();
    const [work, other] = [queue("work"), queue("other")];
    send(work);
    const [message] = receive(work);
    const foreign = { QueueUrl: other, ReceiptHandle: message?.ReceiptHandle };
    expect(refusalName(() => service.call("DeleteMessage", foreign))).toBe("ReceiptHandleIsInvalid");
  });
});

describe("ChangeMessageVisibility", () => {
  function held() {
    const world = setup();
    const QueueUrl = world.queue();
    world.send(QueueUrl);
    const [message] = world.receive(QueueUrl);
    const change = (VisibilityTimeout: unknown): string | undefined =>
      refusalName(() =>
        world.service.call("ChangeMessageVisibility", {
          QueueUrl,
          ReceiptHandle: message?.ReceiptHandle,
          VisibilityTimeout,
        }),
      );
    return { ...world, QueueUrl, message, change };
  }

  it("hides from now on, for the new time", () => {
    const { clock, service, QueueUrl, change } = held();
    clock.advance(20_000);
    expect(change(25)).toBeUndefined();
    clock.advance(24_999);
    expect(service.inspect(QueueUrl).notVisible).toBe(1);
    clock.advance(1);
    expect(service.inspect(QueueUrl).visible).toBe(1);
  });

  it("refuses more than 12 hours since the receive", () => {
    const { clock, change } = held();
    clock.advance(10_000);
    expect(change(43_200)).toBe("InvalidParameterValue");
    expect(change(43_190)).toBeUndefined();
  });

  it("refuses a missing or fractional time", () => {
    const { change } = held();
    expect(change(undefined)).toBe("MissingParameter");
    expect(change(0.5)).toBe("InvalidParameterValue");
  });

  it("is refused as MessageNotInflight once the message is visible again, and leaves it visible", () => {
    const { clock, service, QueueUrl, change } = held();
    clock.advance(30_000);
    expect(change(60)).toBe("MessageNotInflight");
    expect(service.inspect(QueueUrl).visible).toBe(1);
  });

  it("is refused for a deleted message", () => {
    const { service, QueueUrl, message, change } = held();
    service.call("DeleteMessage", { QueueUrl, ReceiptHandle: message?.ReceiptHandle });
    expect(change(60)).toBe("InvalidParameterValue");
  });
});

describe("a clock that runs 60 times as fast", () => {
  it("scales message delays, and leaves visibility timeouts real", () => {
    const { clock, service, queue, send, receive } = setup({ realFactor: 60 });
    const url = queue();
    send(url, "delayed", { DelaySeconds: 60 });
    send(url, "taken");
    receive(url);
    clock.advance(60_000);
    expect(service.inspect(url)).toMatchObject({ visible: 1, notVisible: 1, delayed: 0 });
    clock.advance(29 * 60_000);
    expect(service.inspect(url)).toMatchObject({ visible: 2, notVisible: 0 });
  });
});

describe("redrive by SQS", () => {
  it("counts the receives of the queue itself, so that a moved message has its tries there", () => {
    const { queue, send, receive, redrive } = setup();
    queue("dead");
    const ingest = queue("ingest", redrive("dead", 2));
    const work = queue("work", redrive("ingest", 3));
    send(work);
    for (let round = 0; round < 3; round++) receive(work, { VisibilityTimeout: 0 });
    expect(receive(work)).toEqual([]);
    expect(receive(ingest, { VisibilityTimeout: 0 })[0]?.Attributes?.ApproximateReceiveCount).toBe("4");
    expect(receive(ingest, { VisibilityTimeout: 0 })[0]?.Attributes?.ApproximateReceiveCount).toBe("5");
    expect(receive(ingest)).toEqual([]);
  });

  it("keeps a message whose dead-letter queue is gone", () => {
    const { service, queue, send, receive, redrive } = setup();
    const dead = queue("dead");
    const work = queue("work", redrive("dead"));
    send(work);
    receive(work, { VisibilityTimeout: 0 });
    service.call("DeleteQueue", { QueueUrl: dead });
    expect(receive(work)).toHaveLength(1);
  });

  it("a failing message does not keep the others from being received", () => {
    const { queue, send, receive } = setup();
    const work = queue();
    send(work, "poison");
    send(work, "good");
    receive(work, { MaxNumberOfMessages: 1, VisibilityTimeout: 0 });
    expect(receive(work).map((message) => message.Body)).toEqual(["good", "poison"]);
  });
});
