import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { setup } from "./fixtures/setup.ts";

type Step =
  | { readonly kind: "send"; readonly delay: number; readonly group: string }
  | { readonly kind: "receive"; readonly limit: number; readonly visibility: number }
  | { readonly kind: "delete" | "release"; readonly pick: number }
  | { readonly kind: "advance"; readonly ms: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant("send" as const), delay: fc.nat(20), group: fc.constantFrom("a", "b", "c") }),
  fc.record({ kind: fc.constant("receive" as const), limit: fc.integer({ min: 1, max: 10 }), visibility: fc.nat(15) }),
  fc.record({ kind: fc.constantFrom("delete" as const, "release" as const), pick: fc.nat(50) }),
  fc.record({ kind: fc.constant("advance" as const), ms: fc.nat(20_000) }),
);

const steps = fc.array(step, { minLength: 1, maxLength: 80 });

/** Plays steps on a queue with a dead-letter queue, and keeps its own account from the events alone. */
function play(fifo: boolean, list: readonly Step[]) {
  const world = setup();
  const { clock, service, queue, send, receive, redrive } = world;
  const end = fifo ? ".fifo" : "";
  const kind: Record<string, string> = fifo ? { FifoQueue: "true" } : {};
  const dead = queue(`dead${end}`, kind);
  const work = queue(`work${end}`, { ...kind, ...redrive(`dead${end}`, 3) });
  const alive = new Map<string, string>();
  service.onEvent((event) => {
    if (event.type === "sent") alive.set(event.messageId, event.queueName);
    if (event.type === "deleted" || event.type === "expired") alive.delete(event.messageId);
    if (event.type === "moved") alive.set(event.messageId, event.toQueueName);
  });
  const handles: string[] = [];
  let sent = 0;
  const check = (): void => {
    const looks = [service.inspect(work), service.inspect(dead)];
    const present = looks.flatMap((look) => look.messages.map((message) => message.messageId));
    expect(new Set(present).size).toBe(present.length);
    expect([...present].sort()).toEqual([...alive.keys()].sort());
    for (const look of looks) {
      for (const state of ["visible", "notVisible", "delayed"] as const) {
        expect(look.messages.filter((message) => message.state === state)).toHaveLength(look[state]);
      }
    }
  };
  for (const one of list) {
    if (one.kind === "send") {
      sent += 1;
      const fifoIds = { MessageGroupId: one.group, MessageDeduplicationId: `${sent}` };
      send(work, `${sent}`, fifo ? fifoIds : { DelaySeconds: one.delay });
    } else if (one.kind === "receive") {
      const messages = receive(work, { MaxNumberOfMessages: one.limit, VisibilityTimeout: one.visibility });
      handles.push(...messages.map((message) => message.ReceiptHandle ?? ""));
    } else if (one.kind === "advance") {
      clock.advance(one.ms);
    } else {
      const ReceiptHandle = handles[one.pick % Math.max(handles.length, 1)];
      if (ReceiptHandle === undefined) continue;
      const Entries = [{ Id: "x", ReceiptHandle, VisibilityTimeout: 0 }];
      const action = one.kind === "delete" ? "DeleteMessageBatch" : "ChangeMessageVisibilityBatch";
      service.call(action, { QueueUrl: work, Entries });
    }
    check();
  }
  return { ...world, work, dead, alive };
}

/** Takes everything out of a queue and deletes it. */
function drain({ clock, service, receive }: ReturnType<typeof setup>, url: string): string[] {
  const drained: string[] = [];
  for (let round = 0; round < 200; round++) {
    const messages = receive(url);
    for (const message of messages) {
      drained.push(message.MessageId ?? "");
      service.call("DeleteMessage", { QueueUrl: url, ReceiptHandle: message.ReceiptHandle });
    }
    const { visible, notVisible, delayed } = service.inspect(url);
    if (visible + notVisible + delayed === 0) break;
    if (messages.length === 0) clock.advance(20_000);
  }
  return drained;
}

describe.each([
  ["standard", false],
  ["FIFO", true],
] as const)("a %s queue", (_name, fifo) => {
  it("neither loses nor duplicates a message, whatever happens to it", () => {
    fc.assert(
      fc.property(steps, (list) => {
        const world = play(fifo, list);
        const expected = [...world.alive.keys()].sort();
        const drained = [...drain(world, world.work), ...drain(world, world.dead)];
        expect(drained.sort()).toEqual(expected);
      }),
      { numRuns: 150 },
    );
  });
});

describe("a FIFO queue", () => {
  it("never gives a message of a group while an earlier one of that group is still there", () => {
    const groups = fc.array(fc.constantFrom("a", "b", "c"), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(groups, fc.array(fc.boolean(), { minLength: 40, maxLength: 40 }), (list, fates) => {
        const { clock, service, queue, send, receive } = setup();
        const url = queue("work.fifo", { FifoQueue: "true" });
        list.forEach((group, index) => {
          send(url, `${index}`, { MessageGroupId: group, MessageDeduplicationId: `${index}` });
        });
        const done = new Map<string, number[]>();
        for (let round = 0; service.inspect(url).messages.length > 0; round++) {
          const locked = new Set<string>();
          for (const { Body, Attributes, ReceiptHandle } of receive(url, { MaxNumberOfMessages: 4 })) {
            const group = Attributes?.MessageGroupId ?? "";
            const succeeds = round > 60 || fates[(round + Number(Body)) % fates.length] === true;
            if (!succeeds) locked.add(group);
            if (locked.has(group)) continue;
            service.call("DeleteMessage", { QueueUrl: url, ReceiptHandle });
            done.set(group, [...(done.get(group) ?? []), Number(Body)]);
          }
          clock.advance(10_000);
        }
        for (const order of done.values()) expect(order).toEqual([...order].sort((left, right) => left - right));
        expect([...done.values()].flat()).toHaveLength(list.length);
      }),
      { numRuns: 60 },
    );
  });
});
