import { QueueDoesNotExist } from "@aws-sdk/client-sqs";
import { expect } from "vitest";
import { expectRefused, refusalOf } from "../bench.ts";
import type { ConformanceCase } from "../target.ts";

export const queueCases: readonly ConformanceCase[] = [
  {
    name: "1. CreateQueue answers a URL that names the queue",
    run: async (bench) => {
      const name = bench.newName();
      const url = await bench.queue({}, name);
      expect(new URL(url).pathname.endsWith(`/${name}`)).toBe(true);
      expect(await bench.queue({}, name)).toBe(url);
    },
  },
  {
    name: "2. the URL is usable: send, receive, delete",
    run: async (bench) => {
      const url = await bench.queue();
      const sent = await bench.sqs.sendMessage({ QueueUrl: url, MessageBody: "hello" });
      const message = await bench.receiveOne(url);
      expect(message).toMatchObject({ Body: "hello", MessageId: sent.MessageId, MD5OfBody: sent.MD5OfMessageBody });
      await bench.sqs.deleteMessage({ QueueUrl: url, ReceiptHandle: message.ReceiptHandle });
      await bench.eventually(async () => expect(await bench.counts(url)).toEqual([0, 0, 0]));
    },
  },
  {
    name: "5. a missing queue is an instance of QueueDoesNotExist",
    run: async (bench) => {
      const url = (await bench.queue()).replace(/[^/]+$/, bench.newName());
      const error = await refusalOf(bench.sqs.getQueueAttributes({ QueueUrl: url, AttributeNames: ["All"] }));
      expect(error).toBeInstanceOf(QueueDoesNotExist);
    },
  },
  {
    name: "6. GetQueueUrl answers the URL, or QueueDoesNotExist",
    run: async (bench) => {
      const name = bench.newName();
      const url = await bench.queue({}, name);
      expect((await bench.sqs.getQueueUrl({ QueueName: name })).QueueUrl).toBe(url);
      await expectRefused(bench.sqs.getQueueUrl({ QueueName: bench.newName() }), "QueueDoesNotExist");
    },
  },
  {
    name: "7. SendMessage to a missing queue is refused",
    run: async (bench) => {
      const url = (await bench.queue()).replace(/[^/]+$/, bench.newName());
      await expectRefused(bench.sqs.sendMessage({ QueueUrl: url, MessageBody: "x" }), "QueueDoesNotExist");
    },
  },
  {
    name: "8. CreateQueue with the same name and other attributes is refused",
    run: async (bench) => {
      const name = bench.newName();
      await bench.queue({ VisibilityTimeout: "30" }, name);
      await expectRefused(bench.queue({ VisibilityTimeout: "31" }, name), "QueueNameExists");
    },
  },
  {
    name: "9. CreateQueue with DelaySeconds 901 is refused",
    run: (bench) => expectRefused(bench.queue({ DelaySeconds: "901" }), "InvalidAttributeValue"),
  },
  {
    name: "10. MaximumMessageSize is 1 MiB by default",
    run: async (bench) => {
      expect(await bench.attribute(await bench.queue(), "MaximumMessageSize")).toBe("1048576");
    },
  },
  {
    name: "58. PurgeQueue empties the queue",
    run: async (bench) => {
      const url = await bench.queue();
      await bench.sqs.sendMessage({ QueueUrl: url, MessageBody: "visible" });
      await bench.sqs.sendMessage({ QueueUrl: url, MessageBody: "delayed", DelaySeconds: 600 });
      await bench.receiveOne(url);
      await bench.sqs.purgeQueue({ QueueUrl: url });
      await bench.eventually(async () => expect(await bench.counts(url)).toEqual([0, 0, 0]));
    },
  },
  {
    name: "59. a second PurgeQueue within 60 s is refused",
    run: async (bench) => {
      const url = await bench.queue();
      await bench.sqs.purgeQueue({ QueueUrl: url });
      await expectRefused(bench.sqs.purgeQueue({ QueueUrl: url }), "PurgeQueueInProgress");
    },
  },
  {
    name: "70. SetQueueAttributes changes the visibility timeout",
    run: async (bench) => {
      const url = await bench.queue();
      await bench.sqs.setQueueAttributes({ QueueUrl: url, Attributes: { VisibilityTimeout: "77" } });
      expect(await bench.attribute(url, "VisibilityTimeout")).toBe("77");
    },
  },
  {
    name: "77. tags are set, listed and removed",
    run: async (bench) => {
      const name = bench.newName();
      await bench.sqs.createQueue({ QueueName: name, tags: { team: "a" } });
      const url = await bench.queue({}, name);
      await bench.sqs.tagQueue({ QueueUrl: url, Tags: { team: "b", stage: "test" } });
      expect((await bench.sqs.listQueueTags({ QueueUrl: url })).Tags).toEqual({ team: "b", stage: "test" });
      await bench.sqs.untagQueue({ QueueUrl: url, TagKeys: ["team"] });
      expect((await bench.sqs.listQueueTags({ QueueUrl: url })).Tags).toEqual({ stage: "test" });
    },
  },
  {
    name: "78. SqsManagedSseEnabled is accepted and returned",
    run: async (bench) => {
      const url = await bench.queue({ SqsManagedSseEnabled: "true" });
      expect(await bench.attribute(url, "SqsManagedSseEnabled")).toBe("true");
      await bench.sqs.setQueueAttributes({ QueueUrl: url, Attributes: { SqsManagedSseEnabled: "false" } });
      expect(await bench.attribute(url, "SqsManagedSseEnabled")).toBe("false");
    },
  },
  {
    name: "79. ListQueues takes a prefix and pages",
    run: async (bench) => {
      const prefix = bench.newName();
      const urls = await Promise.all(["-a", "-b", "-c"].map((end) => bench.queue({}, `${prefix}${end}`)));
      await bench.eventually(async () => {
        expect((await bench.sqs.listQueues({ QueueNamePrefix: prefix })).QueueUrls).toHaveLength(3);
      });
      const first = await bench.sqs.listQueues({ QueueNamePrefix: prefix, MaxResults: 2 });
      expect(first.QueueUrls).toHaveLength(2);
      const NextToken = first.NextToken ?? "";
      const second = await bench.sqs.listQueues({ QueueNamePrefix: prefix, MaxResults: 2, NextToken });
      expect([...(first.QueueUrls ?? []), ...(second.QueueUrls ?? [])].sort()).toEqual(urls);
      expect(second.NextToken).toBeUndefined();
    },
  },
  {
    name: "80. retention of 60 s expires a message",
    needsAdvance: true,
    run: async (bench) => {
      const url = await bench.queue({ MessageRetentionPeriod: "60" });
      await bench.sqs.sendMessage({ QueueUrl: url, MessageBody: "old" });
      await bench.pass(50_000);
      expect(await bench.counts(url)).toEqual([1, 0, 0]);
      await bench.pass(20_000);
      expect(await bench.counts(url)).toEqual([0, 0, 0]);
      expect(await bench.receiveNow(url)).toEqual([]);
    },
  },
];
