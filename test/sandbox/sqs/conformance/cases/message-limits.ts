import type { MessageAttributeValue, SendMessageCommandInput } from "@aws-sdk/client-sqs";
import { expect } from "vitest";
import { type Bench, expectRefused } from "../bench.ts";
import type { ConformanceCase } from "../target.ts";

const MEBIBYTE = 1_048_576;

async function send(bench: Bench, input: Partial<SendMessageCommandInput>): Promise<void> {
  await bench.sqs.sendMessage({ QueueUrl: await bench.queue(), MessageBody: "x", ...input });
}

function refuses(input: Partial<SendMessageCommandInput>, name = "InvalidParameterValue") {
  return (bench: Bench) => expectRefused(send(bench, input), name);
}

function text(StringValue: string, DataType = "String"): MessageAttributeValue {
  return { DataType, StringValue };
}

function attributes(count: number): Record<string, MessageAttributeValue> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`a${index}`, text("v")]));
}

export const messageLimitCases: readonly ConformanceCase[] = [
  {
    name: "3. a body with an emoji (U+1F642) is accepted and comes back",
    run: async (bench) => {
      const url = await bench.queue();
      await bench.sqs.sendMessage({ QueueUrl: url, MessageBody: "a\u{1F642}b" });
      expect((await bench.receiveOne(url)).Body).toBe("a\u{1F642}b");
    },
  },
  {
    name: "4. the error name is InvalidParameterValue, without a prefix",
    run: refuses({ DelaySeconds: 901 }),
  },
  { name: "11. DelaySeconds 900 is accepted", run: (bench) => send(bench, { DelaySeconds: 900 }) },
  { name: "12. DelaySeconds 901 is refused", run: refuses({ DelaySeconds: 901 }) },
  { name: "13. DelaySeconds -1 is refused", run: refuses({ DelaySeconds: -1 }) },
  { name: "14. DelaySeconds 1.5 is refused", run: refuses({ DelaySeconds: 1.5 }) },
  {
    name: "16. a per-message delay is honoured, and 0 overrides the queue's default",
    run: async (bench) => {
      const url = await bench.queue({ DelaySeconds: "600" });
      await bench.sqs.sendMessage({ QueueUrl: url, MessageBody: "at once", DelaySeconds: 0 });
      await bench.sqs.sendMessage({ QueueUrl: url, MessageBody: "later", DelaySeconds: 3 });
      expect((await bench.receiveOne(url)).Body).toBe("at once");
      expect(await bench.receiveNow(url)).toEqual([]);
      await bench.pass(3_100);
      expect((await bench.receiveOne(url)).Body).toBe("later");
    },
  },
  {
    name: "17. the queue's default DelaySeconds is used",
    run: async (bench) => {
      const url = await bench.queue({ DelaySeconds: "3" });
      await bench.sqs.sendMessage({ QueueUrl: url, MessageBody: "later" });
      expect(await bench.receiveNow(url)).toEqual([]);
      await bench.pass(3_100);
      expect((await bench.receiveOne(url)).Body).toBe("later");
    },
  },
  {
    name: "24. a message of 300 KiB is accepted",
    run: (bench) => send(bench, { MessageBody: "x".repeat(300 * 1024) }),
  },
  { name: "25. a message of 1 MiB + 1 is refused", run: refuses({ MessageBody: "x".repeat(MEBIBYTE + 1) }) },
  {
    name: "26. MaximumMessageSize 262144 is honoured",
    run: async (bench) => {
      const QueueUrl = await bench.queue({ MaximumMessageSize: "262144" });
      await bench.sqs.sendMessage({ QueueUrl, MessageBody: "x".repeat(262_144) });
      await expectRefused(
        bench.sqs.sendMessage({ QueueUrl, MessageBody: "x".repeat(262_145) }),
        "InvalidParameterValue",
      );
    },
  },
  { name: "27. an empty body is refused", run: refuses({ MessageBody: "" }, "MissingParameter") },
  { name: "28. a body with U+0001 is refused", run: refuses({ MessageBody: "a\u0001" }, "InvalidMessageContents") },
  {
    name: "29. ten message attributes are accepted",
    run: (bench) => send(bench, { MessageAttributes: attributes(10) }),
  },
  { name: "30. eleven message attributes are refused", run: refuses({ MessageAttributes: attributes(11) }) },
  {
    name: "31. a Number attribute that is no number is refused",
    run: refuses({ MessageAttributes: { n: text("seven", "Number") } }),
  },
  { name: "32. an empty String attribute is refused", run: refuses({ MessageAttributes: { s: text("") } }) },
  {
    name: "33. an unknown data type is refused",
    run: refuses({ MessageAttributes: { s: text("v", "Text") } }),
  },
  {
    name: "34. an attribute name that starts with AWS. is refused",
    run: refuses({ MessageAttributes: { "AWS.s": text("v") } }),
  },
  {
    name: "82. attribute names, types and values count to the size limit",
    run: async (bench) => {
      const MessageAttributes = { name: text("value", "String.foo") };
      const spent = "name".length + "String.foo".length + "value".length;
      await send(bench, { MessageBody: "x".repeat(MEBIBYTE - spent), MessageAttributes });
      await refuses({ MessageBody: "x".repeat(MEBIBYTE - spent + 1), MessageAttributes })(bench);
    },
  },
  {
    name: "84. AWSTraceHeader counts neither to the attribute limit nor to the size",
    run: (bench) =>
      send(bench, {
        MessageBody: "x".repeat(MEBIBYTE - 10 * ("a0".length + "String".length + "v".length)),
        MessageAttributes: attributes(10),
        MessageSystemAttributes: {
          AWSTraceHeader: text("Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8;Sampled=1"),
        },
      }),
  },
];
