import { describe, expect, it } from "vitest";
import { refusalName, setup } from "./fixtures/setup.ts";

function configured() {
  const world = setup();
  const attributes = (QueueUrl: string) =>
    world.service.call("GetQueueAttributes", { QueueUrl, AttributeNames: ["All"] }).Attributes ?? {};
  const set = (QueueUrl: string, Attributes: Record<string, string>) =>
    world.service.call("SetQueueAttributes", { QueueUrl, Attributes });
  return { ...world, attributes, set };
}

describe("queue attributes", () => {
  it("of a queue that sets nothing are SQS's defaults", () => {
    const { clock, queue, attributes, arn } = configured();
    const seconds = String(clock.now() / 1000);
    expect(attributes(queue("work"))).toEqual({
      ApproximateNumberOfMessages: "0",
      ApproximateNumberOfMessagesDelayed: "0",
      ApproximateNumberOfMessagesNotVisible: "0",
      CreatedTimestamp: seconds,
      DelaySeconds: "0",
      LastModifiedTimestamp: seconds,
      MaximumMessageSize: "1048576",
      MessageRetentionPeriod: "345600",
      QueueArn: arn("work"),
      ReceiveMessageWaitTimeSeconds: "0",
      SqsManagedSseEnabled: "true",
      VisibilityTimeout: "30",
    });
  });

  it("are returned by name, and not at all without names", () => {
    const { service, queue } = configured();
    const QueueUrl = queue();
    const named = service.call("GetQueueAttributes", { QueueUrl, AttributeNames: ["VisibilityTimeout"] });
    expect(named.Attributes).toEqual({ VisibilityTimeout: "30" });
    expect(service.call("GetQueueAttributes", { QueueUrl })).toEqual({});
    const unknown = { QueueUrl, AttributeNames: ["Nonsense"] };
    expect(refusalName(() => service.call("GetQueueAttributes", unknown))).toBe("InvalidAttributeName");
  });

  it("know one kind of encryption at a time", () => {
    const { queue, attributes, set } = configured();
    const url = queue("work", { KmsMasterKeyId: "alias/key" });
    expect(attributes(url)).toMatchObject({
      KmsMasterKeyId: "alias/key",
      KmsDataKeyReusePeriodSeconds: "300",
      SqsManagedSseEnabled: "false",
    });
    set(url, { SqsManagedSseEnabled: "true" });
    expect(attributes(url)).toMatchObject({ SqsManagedSseEnabled: "true" });
    expect(attributes(url).KmsMasterKeyId).toBeUndefined();
  });

  it("are unset by an empty text", () => {
    const { queue, attributes, set, redrive } = configured();
    queue("dead");
    const url = queue("work", { ...redrive("dead"), Policy: "{}" });
    set(url, { RedrivePolicy: "", Policy: "" });
    expect(attributes(url).RedrivePolicy).toBeUndefined();
    expect(attributes(url).Policy).toBeUndefined();
  });

  it("a shorter retention deletes older messages that are there already", () => {
    const { clock, service, queue, send, set } = configured();
    const url = queue();
    send(url, "old");
    clock.advance(100_000);
    send(url, "new");
    set(url, { MessageRetentionPeriod: "60" });
    expect(service.inspect(url).messages.map((message) => message.body)).toEqual(["new"]);
  });

  it("a new delay holds for waiting messages on FIFO queues only", () => {
    const { service, queue, send, set } = configured();
    const standard = queue("work");
    const fifo = queue("work.fifo", { FifoQueue: "true", ContentBasedDeduplication: "true" });
    send(standard);
    send(fifo, "x", { MessageGroupId: "g" });
    for (const url of [standard, fifo]) set(url, { DelaySeconds: "60" });
    expect(service.inspect(standard)).toMatchObject({ visible: 1, delayed: 0 });
    expect(service.inspect(fifo)).toMatchObject({ visible: 0, delayed: 1 });
  });

  it("a deduplication scope of messageGroup lets two groups use one id", () => {
    const { queue, send } = configured();
    const scoped = { FifoQueue: "true", DeduplicationScope: "messageGroup", FifoThroughputLimit: "perMessageGroupId" };
    const url = queue("work.fifo", scoped);
    const ids = ["a", "b", "a"].map((MessageGroupId) =>
      send(url, "x", { MessageGroupId, MessageDeduplicationId: "d" }),
    );
    expect(ids[1]).not.toBe(ids[0]);
    expect(ids[2]).toBe(ids[0]);
  });

  it("a FIFO queue's name, and no other, ends with .fifo", () => {
    const { queue } = configured();
    expect(refusalName(() => queue("work", { FifoQueue: "true" }))).toBe("InvalidParameterValue");
    expect(refusalName(() => queue("work.fifo"))).toBe("InvalidParameterValue");
    expect(refusalName(() => queue("a".repeat(81)))).toBe("InvalidParameterValue");
    expect(refusalName(() => queue("a b"))).toBe("InvalidParameterValue");
  });

  it("a FIFO queue's dead-letter queue must be FIFO, a standard queue's standard", () => {
    const { queue, redrive } = configured();
    queue("dead");
    queue("dead.fifo", { FifoQueue: "true" });
    expect(refusalName(() => queue("a.fifo", { FifoQueue: "true", ...redrive("dead") }))).toBe("InvalidParameterValue");
    expect(refusalName(() => queue("a", redrive("dead.fifo")))).toBe("InvalidParameterValue");
  });

  it("a queue may be purged again after 60 s", () => {
    const { clock, service, queue, send } = configured();
    const QueueUrl = queue();
    service.call("PurgeQueue", { QueueUrl });
    send(QueueUrl);
    clock.advance(59_999);
    expect(refusalName(() => service.call("PurgeQueue", { QueueUrl }))).toBe("PurgeQueueInProgress");
    clock.advance(1);
    service.call("PurgeQueue", { QueueUrl });
    expect(service.inspect(QueueUrl).visible).toBe(0);
  });
});
