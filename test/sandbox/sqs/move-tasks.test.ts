import { describe, expect, it } from "vitest";
import { refusalName, setup } from "./fixtures/setup.ts";

function world() {
  const base = setup();
  const { service, queue, send, receive, redrive, arn } = base;
  const dead = queue("dead");
  const work = queue("work", redrive("dead"));
  const other = queue("other");
  const deadLetter = (count: number): void => {
    for (let index = 0; index < count; index++) send(work, `${index}`);
    while (receive(work, { VisibilityTimeout: 0 }).length > 0);
  };
  const start = (more: object = {}) => service.call("StartMessageMoveTask", { SourceArn: arn("dead"), ...more });
  const tasks = (MaxResults = 1) =>
    service.call("ListMessageMoveTasks", { SourceArn: arn("dead"), MaxResults }).Results ?? [];
  return { ...base, dead, work, other, deadLetter, start, tasks };
}

describe("message move tasks", () => {
  it("move as fast as MaxNumberOfMessagesPerSecond says", () => {
    const { clock, service, dead, work, deadLetter, start, tasks } = world();
    deadLetter(5);
    start({ MaxNumberOfMessagesPerSecond: 2 });
    const moved = [1, 500, 500, 500, 500].map((ms) => {
      clock.advance(ms);
      return service.inspect(work).visible;
    });
    expect(moved).toEqual([1, 2, 3, 4, 5]);
    expect(service.inspect(dead).visible).toBe(0);
    expect(tasks()).toMatchObject([
      { Status: "COMPLETED", ApproximateNumberOfMessagesMoved: 5, ApproximateNumberOfMessagesToMove: 5 },
    ]);
  });

  it("give each message the enqueue time of its own move, even if the clock jumped", () => {
    const { clock, service, work, deadLetter, start } = world();
    deadLetter(3);
    const began = clock.now();
    start({ MaxNumberOfMessagesPerSecond: 1 });
    clock.advance(60_000);
    const times = service
      .inspect(work)
      .messages.map((message) => Number(message.systemAttributes.SentTimestamp) - began);
    expect(times).toEqual([1, 1_001, 2_001]);
  });

  it("stop when cancelled, and leave what was not moved", () => {
    const { clock, service, dead, other, deadLetter, start, tasks, arn } = world();
    deadLetter(3);
    const { TaskHandle } = start({ DestinationArn: arn("other"), MaxNumberOfMessagesPerSecond: 1 });
    clock.advance(1_500);
    const cancelled = service.call("CancelMessageMoveTask", { TaskHandle });
    expect(cancelled.ApproximateNumberOfMessagesMoved).toBe(2);
    clock.advance(60_000);
    expect([service.inspect(other).visible, service.inspect(dead).visible]).toEqual([2, 1]);
    expect(tasks()).toMatchObject([{ Status: "CANCELLED" }]);
    expect(refusalName(() => service.call("CancelMessageMoveTask", { TaskHandle }))).toBe("ResourceNotFoundException");
  });

  it("run one at a time per queue, and are listed newest first", () => {
    const { clock, deadLetter, start, tasks } = world();
    deadLetter(2);
    const first = start({ MaxNumberOfMessagesPerSecond: 1 });
    expect(refusalName(() => start())).toBe("InvalidParameterValue");
    expect(tasks()).toMatchObject([{ TaskHandle: first.TaskHandle, Status: "RUNNING" }]);
    clock.advance(2_000);
    const second = start();
    expect(tasks(10).map((task) => [task.TaskHandle, task.Status])).toEqual([
      [second.TaskHandle, "RUNNING"],
      [undefined, "COMPLETED"],
    ]);
  });

  it("fail when the source of a message is gone", () => {
    const { clock, service, dead, work, deadLetter, start, tasks, queue, redrive } = world();
    deadLetter(1);
    queue("again", redrive("dead"));
    service.call("DeleteQueue", { QueueUrl: work });
    start();
    clock.advance(1);
    expect(tasks()).toMatchObject([
      {
        Status: "FAILED",
        FailureReason: "AWS.SimpleQueueService.NonExistentQueue",
        ApproximateNumberOfMessagesMoved: 0,
      },
    ]);
    expect(service.inspect(dead).visible).toBe(1);
  });

  it("leave messages in flight where they are", () => {
    const { clock, service, dead, work, deadLetter, receive, start, tasks } = world();
    deadLetter(2);
    start();
    receive(dead, { MaxNumberOfMessages: 1 });
    clock.advance(1);
    expect(tasks()).toMatchObject([{ Status: "COMPLETED", ApproximateNumberOfMessagesMoved: 1 }]);
    expect(service.inspect(work).visible).toBe(1);
    expect(service.inspect(dead).notVisible).toBe(1);
  });

  it.each([
    [{ SourceArn: "arn:aws:sqs:us-east-1:000000000000:missing" }, "ResourceNotFoundException"],
    [{ SourceArn: "arn:aws:sqs:us-east-1:000000000000:other" }, "InvalidParameterValue"],
    [{ DestinationArn: "arn:aws:sqs:us-east-1:000000000000:missing" }, "ResourceNotFoundException"],
    [{ DestinationArn: "arn:aws:sqs:us-east-1:000000000000:dead" }, "InvalidParameterValue"],
    [{ MaxNumberOfMessagesPerSecond: 0 }, "InvalidParameterValue"],
    [{ MaxNumberOfMessagesPerSecond: 501 }, "InvalidParameterValue"],
  ])("%j is refused as %s", (input, name) => {
    const { start } = world();
    expect(refusalName(() => start(input))).toBe(name);
  });
});
