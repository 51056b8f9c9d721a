import type { SendMessageBatchCommand, SendMessageBatchResult, SQSClient } from "@aws-sdk/client-sqs";
import type { QueueService } from "../../lib/sandbox/sqs/index.ts";
import type { Life } from "./life.ts";
import type { Random } from "./random.ts";
import { timeout } from "./simulated-table.ts";

/** How often sends misbehave, as probabilities. */
export interface SendFaults {
  readonly refusedCall: number;
  readonly lostAnswer: number;
  /** Of one entry: SQS answers 200, and names it as failed. */
  readonly failedEntry: number;
  /** Of one entry: it is sent, and the answer does not name it. */
  readonly unnamedEntry: number;
  /** A planted bug, of one entry: it is said to be sent, and is not. */
  readonly swallowedEntry?: number;
}

/** An SQS client of one invocation: the strict queue engine, with the faults that AWS documents. */
export function simulatedSender(service: QueueService, random: Random, life: Life, faults: SendFaults): SQSClient {
  const send = async ({ input }: SendMessageBatchCommand): Promise<SendMessageBatchResult> => {
    await life.beforeCall();
    if (random.chance(faults.refusedCall)) throw Object.assign(new Error("simulated"), { name: "ServiceUnavailable" });
    const refused = (input.Entries ?? []).filter(() => random.chance(faults.failedEntry));
    const swallowed = (input.Entries ?? []).filter(() => random.chance(faults.swallowedEntry ?? 0));
    const Entries = (input.Entries ?? []).filter((entry) => !refused.includes(entry) && !swallowed.includes(entry));
    const answer: SendMessageBatchResult =
      Entries.length > 0
        ? service.call("SendMessageBatch", { QueueUrl: input.QueueUrl, Entries })
        : { Successful: [], Failed: [] };
    life.afterCall();
    if (random.chance(faults.lostAnswer)) throw timeout();
    return {
      Successful: [
        ...(answer.Successful ?? []).filter(() => !random.chance(faults.unnamedEntry)),
        ...swallowed.map(({ Id }) => ({ Id, MessageId: "swallowed", MD5OfMessageBody: "" })),
      ],
      Failed: [
        ...(answer.Failed ?? []),
        ...refused.map(({ Id }) => ({ Id, Code: "InternalError", SenderFault: false, Message: "simulated" })),
      ],
    };
  };
  return { send } as unknown as SQSClient;
}
