import { readFileSync } from "node:fs";
import type { Message } from "@aws-sdk/client-sqs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { variableName } from "../../lib/sandbox/present.ts";
import { runAwsCommand } from "./aws-command.ts";
import { eventually, type RunningProduct, runProduct } from "./running-product.ts";

const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
const session = /<!-- session[^>]*-->([\s\S]*?)<!-- end of session -->/.exec(readme)?.[1] ?? "";
const commands = [...session.matchAll(/^aws (?:\\\n|.)*$/gm)].map(([line]) => line);

describe("the README's session, replayed against the sandbox", () => {
  let product: RunningProduct;

  beforeAll(async () => {
    product = await runProduct({ Retry: {} }, { speed: 60 });
  });

  afterAll(() => product.stop());

  it("sends, exhausts with the reason, rings, and redrives with a fresh budget", async () => {
    const { sandbox } = product;
    const outputs = Object.assign({}, ...sandbox.stacks.map(({ plan }) => plan.outputs)) as Record<string, string>;
    const variables = Object.fromEntries(Object.entries(outputs).map(([name, value]) => [variableName(name), value]));
    const run = (line = "") => runAwsCommand(line, sandbox.sqs, variables);
    const receiveWith = (line = "") =>
      eventually(async () => (await run(line)).Messages as Message[] | undefined, `messages of ${line}`);
    const contextOf = (message?: Message) =>
      JSON.parse(message?.MessageAttributes?.RetryContext?.StringValue ?? "null");
    expect(commands).toHaveLength(4);
    const [send, lookAtDeadLetters, redrive, receiveWork] = commands;

    await run(send);

    const [deadLetter] = await receiveWith(lookAtDeadLetters);
    expect(deadLetter?.Body).toBe('{"order":42}');
    expect(deadLetter?.MessageAttributes?.tenant).toEqual({ DataType: "String", StringValue: "a" });
    expect(contextOf(deadLetter)).toMatchObject({
      itemId: "order-42",
      attempt: 1,
      deadLetter: {
        reason: "not-retryable",
        error: { type: "CardDeclined", message: "the issuer refused the payment" },
      },
    });

    const rings = (name: string) => {
      const alarm = sandbox.alarms().find(({ logicalId }) => logicalId.startsWith(name));
      return alarm?.history.some(({ to }) => to === "ALARM");
    };
    await eventually(() => rings("RetryDeadLettersWaiting") || undefined, "the alarm on waiting dead letters");
    await eventually(() => rings("RetryItemsExhausted") || undefined, "the alarm on exhausted items");
    expect(sandbox.notifications(sandbox.output("RetryAlarmTopicArn")).length).toBeGreaterThan(0);

    await run(redrive);

    const [redriven] = await receiveWith(receiveWork);
    expect(redriven?.Body).toBe('{"order":42}');
    expect(redriven?.MessageAttributes?.tenant).toEqual({ DataType: "String", StringValue: "a" });
    expect(contextOf(redriven)).toMatchObject({ itemId: "order-42", generation: 2, attempt: 1 });
    expect(contextOf(redriven).deadLetter).toBeUndefined();
  });
});
