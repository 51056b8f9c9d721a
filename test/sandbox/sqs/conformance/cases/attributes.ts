import type { SQS } from "@aws-sdk/client-sqs";
import { expect } from "vitest";
import type { ConformanceCase } from "../target.ts";

const TRACE = "Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8;Sampled=1";
const OTHER_TRACE = "Root=1-6759e988-ad862e3fe1be46a994272793;Parent=63995c3f42cd8ad8;Sampled=0";

const traceHeader = (StringValue: string) => ({ AWSTraceHeader: { DataType: "String", StringValue } });

export const attributeCases: readonly ConformanceCase[] = [
  {
    name: "35. attributes come back with name, type and value: String, Number, Binary and custom types",
    run: async (bench) => {
      const url = await bench.queue();
      const MessageAttributes = {
        text: { DataType: "String", StringValue: "a \u{1F642}" },
        number: { DataType: "Number", StringValue: "-12.5e3" },
        bytes: { DataType: "Binary", BinaryValue: Uint8Array.of(0, 1, 254, 255) },
        "custom.text": { DataType: "String.foo", StringValue: "b" },
        "custom-bytes": { DataType: "Binary.png", BinaryValue: Uint8Array.of(1, 2, 3) },
        custom_number: { DataType: "Number.int", StringValue: "7" },
      };
      const sent = await bench.sqs.sendMessage({ QueueUrl: url, MessageBody: "x", MessageAttributes });
      const message = await bench.receiveOne(url);
      expect(message.MessageAttributes).toEqual(MessageAttributes);
      expect(message.MD5OfMessageAttributes).toBe(sent.MD5OfMessageAttributes);
    },
  },
  {
    name: "36. without MessageAttributeNames no message attributes are returned",
    run: async (bench) => {
      const url = await bench.queue();
      const MessageAttributes = { a: { DataType: "String", StringValue: "v" } };
      await bench.sqs.sendMessage({ QueueUrl: url, MessageBody: "x", MessageAttributes });
      const message = await bench.receiveOne(url, { MessageAttributeNames: [] });
      expect(message.MessageAttributes).toBeUndefined();
      expect(message.MD5OfMessageAttributes).toBeUndefined();
    },
  },
  {
    name: "37. without MessageSystemAttributeNames no system attributes are returned",
    run: async (bench) => {
      const url = await bench.queue();
      await bench.sqs.sendMessage({ QueueUrl: url, MessageBody: "x" });
      expect((await bench.receiveOne(url, { MessageSystemAttributeNames: [] })).Attributes).toBeUndefined();
    },
  },
  {
    name: "38. system attributes All",
    run: async (bench) => {
      const url = await bench.queue();
      await bench.sqs.sendMessage({ QueueUrl: url, MessageBody: "x" });
      const { Attributes } = await bench.receiveOne(url);
      expect(Attributes).toEqual({
        SenderId: expect.stringMatching(/./),
        SentTimestamp: expect.stringMatching(/^\d{13}$/),
        ApproximateReceiveCount: "1",
        ApproximateFirstReceiveTimestamp: expect.stringMatching(/^\d{13}$/),
      });
    },
  },
  {
    name: "39. AWSTraceHeader comes back",
    run: async (bench) => {
      const url = await bench.queue();
      await bench.sqs.sendMessage({ QueueUrl: url, MessageBody: "x", MessageSystemAttributes: traceHeader(TRACE) });
      expect((await bench.receiveOne(url)).Attributes?.AWSTraceHeader).toBe(TRACE);
    },
  },
  {
    name: "40. MessageGroupId on a standard queue (fair queues) comes back",
    run: async (bench) => {
      const url = await bench.queue();
      await bench.sqs.sendMessage({ QueueUrl: url, MessageBody: "x", MessageGroupId: "tenant-1" });
      expect((await bench.receiveOne(url)).Attributes?.MessageGroupId).toBe("tenant-1");
    },
  },
  {
    name: "92. the HTTP header X-Amzn-Trace-Id becomes AWSTraceHeader unless the entry sets its own",
    run: async (bench) => {
      const url = await bench.queue();
      const client = bench.newClient();
      sendHeader(client, "x-amzn-trace-id", TRACE);
      const own = { MessageSystemAttributes: traceHeader(OTHER_TRACE) };
      await client.sendMessage({ QueueUrl: url, MessageBody: "single" });
      await client.sendMessage({ QueueUrl: url, MessageBody: "single, own", ...own });
      await client.sendMessageBatch({
        QueueUrl: url,
        Entries: [
          { Id: "a", MessageBody: "batch" },
          { Id: "b", MessageBody: "batch, own", ...own },
        ],
      });
      client.destroy();
      const messages = await bench.receive(url, 4);
      const headers = messages.map((message) => [message.Body, message.Attributes?.AWSTraceHeader]);
      expect(Object.fromEntries(headers)).toEqual({
        single: TRACE,
        "single, own": OTHER_TRACE,
        batch: TRACE,
        "batch, own": OTHER_TRACE,
      });
    },
  },
];

function sendHeader(client: SQS, name: string, value: string): void {
  client.middlewareStack.add(
    (next) => (args) => {
      const request = args.request as { readonly headers: Record<string, string> };
      request.headers[name] = value;
      return next(args);
    },
    { step: "build", name: "conformanceHeader" },
  );
}
