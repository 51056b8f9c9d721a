import { once } from "node:events";
import { connect } from "node:net";
import { SQS } from "@aws-sdk/client-sqs";
import { afterEach, describe, expect, it, vi } from "vitest";
import { QueueService, type SqsServer, startSqsServer, systemClock } from "../../../../lib/sandbox/sqs/index.ts";

const servers: SqsServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function started(service = new QueueService({ clock: systemClock })) {
  const server = await startSqsServer(service);
  servers.push(server);
  const post = async (body: string, headers: Record<string, string> = {}) => {
    const response = await fetch(server.endpoint, { method: "POST", body, headers });
    return { status: response.status, headers: response.headers, json: (await response.json()) as object };
  };
  const url = service.call("CreateQueue", { QueueName: "work" }).QueueUrl ?? "";
  return { service, server, post, url };
}

const target = (action: string): Record<string, string> => ({
  "content-type": "application/x-amz-json-1.0",
  "x-amz-target": `AmazonSQS.${action}`,
});

describe("the SQS server", () => {
  it("speaks AWS's JSON protocol 1.0", async () => {
    const { post, url, server } = await started();
    expect(url).toBe(`${server.endpoint}/000000000000/work`);
    const sent = await post(JSON.stringify({ QueueUrl: url, MessageBody: "hello" }), target("SendMessage"));
    expect(sent.status).toBe(200);
    expect(sent.headers.get("content-type")).toBe("application/x-amz-json-1.0");
    expect(sent.headers.get("x-amzn-requestid")).toMatch(/^[0-9a-f-]{36}$/);
    expect(sent.json).toMatchObject({ MD5OfMessageBody: "5d41402abc4b2a76b9719d911017c592" });
  });

  it("answers errors with type, message and the code of the query protocol", async () => {
    const { post } = await started();
    const missing = await post(JSON.stringify({ QueueName: "missing" }), target("GetQueueUrl"));
    expect(missing.status).toBe(400);
    expect(missing.headers.get("x-amzn-query-error")).toBe("AWS.SimpleQueueService.NonExistentQueue;Sender");
    expect(missing.json).toEqual({
      __type: "com.amazonaws.sqs#QueueDoesNotExist",
      message: "The specified queue does not exist.",
    });
  });

  it("refuses what is no request of the protocol", async () => {
    const { post } = await started();
    const send = target("SendMessage");
    const withValue = (BinaryValue: unknown): string =>
      JSON.stringify({ QueueUrl: "/000000000000/work", MessageBody: "x", MessageAttributes: { a: { BinaryValue } } });
    const answers = [
      await post("{}"),
      await post("{}", target("Nonsense")),
      await post("{", send),
      await post("[]", send),
      await post(withValue("no base64!"), send),
      await post(withValue(7), send),
    ];
    expect(answers.map(({ status, json }) => [status, json])).toMatchObject([
      [400, { __type: "com.amazonaws.sqs#UnknownOperationException" }],
      [400, { __type: "com.amazonaws.sqs#UnknownOperationException" }],
      [400, { __type: "com.amazonaws.sqs#SerializationException" }],
      [400, { __type: "com.amazonaws.sqs#SerializationException" }],
      [400, { __type: "com.amazonaws.sqs#SerializationException" }],
      [400, { __type: "com.amazonaws.sqs#SerializationException" }],
    ]);
  });

  it("FC-28: bodies and binary attributes come back byte for byte", async () => {
    const { url, server } = await started();
    const client = new SQS({ endpoint: server.endpoint, region: "us-east-1", credentials });
    const bodies = ['{ "orderId":9007199254740993, "amount":1.10, "a":1, "a":2 }', "é 🙂 \u2028 \ufeff", "\t\r\n "];
    const sig = { DataType: "Binary", BinaryValue: Uint8Array.from({ length: 256 }, (_, byte) => byte) };
    for (const MessageBody of bodies) {
      await client.sendMessage({ QueueUrl: url, MessageBody, MessageAttributes: { sig } });
      const { Messages } = await client.receiveMessage({ QueueUrl: url, MessageAttributeNames: ["sig"] });
      expect(Messages).toMatchObject([{ Body: MessageBody, MessageAttributes: { sig } }]);
    }
    client.destroy();
  });

  it("ends the long poll of a client that is gone, and keeps the message for others", async () => {
    const { service, server, url } = await started();
    const { hostname, port } = new URL(server.endpoint);
    const socket = connect(Number(port), hostname);
    await once(socket, "connect");
    const body = JSON.stringify({ QueueUrl: url, WaitTimeSeconds: 20 });
    const head = `POST / HTTP/1.1\r\nHost: x\r\nX-Amz-Target: AmazonSQS.ReceiveMessage\r\nContent-Length: ${body.length}`;
    const { poll } = await openPoll(service, () => socket.write(`${head}\r\n\r\n${body}`));
    socket.destroy();
    await expect(poll).rejects.toThrow("the client is gone");
    service.call("SendMessage", { QueueUrl: url, MessageBody: "kept" });
    expect(service.inspect(url)).toMatchObject({ visible: 1, notVisible: 0 });
  });

  it("closes while long polls are open", async () => {
    const { service, server, url } = await started();
    const client = new SQS({ endpoint: server.endpoint, region: "us-east-1", credentials, maxAttempts: 1 });
    const answers: Promise<unknown>[] = [];
    const { poll } = await openPoll(service, () => {
      answers.push(client.receiveMessage({ QueueUrl: url, WaitTimeSeconds: 20 }).catch((error: unknown) => error));
    });
    const gone = expect(poll).rejects.toThrow("the client is gone");
    await server.close();
    await gone;
    expect(await answers[0]).toBeInstanceOf(Error);
    servers.length = 0;
    client.destroy();
  });

  it("keeps queue URLs on an endpoint that was given", async () => {
    const { url } = await started(new QueueService({ clock: systemClock, endpoint: "http://queues.test:9000/" }));
    expect(url).toBe("http://queues.test:9000/000000000000/work");
  });

  it("says when its port is taken", async () => {
    const { server } = await started();
    const port = Number(new URL(server.endpoint).port);
    const second = startSqsServer(new QueueService({ clock: systemClock }), { port });
    await expect(second).rejects.toMatchObject({ code: "EADDRINUSE" });
  });
});

const credentials = { accessKeyId: "test", secretAccessKey: "test" };

/** Resolves once a request has reached the service's receive; `poll` is what that receive ends with. */
async function openPoll(service: QueueService, request: () => void): Promise<{ readonly poll: Promise<unknown> }> {
  const receive = vi.spyOn(service, "receive");
  request();
  await vi.waitFor(() => expect(receive).toHaveBeenCalled(), { timeout: 10_000 });
  return { poll: Promise.resolve(receive.mock.results[0]?.value) };
}
