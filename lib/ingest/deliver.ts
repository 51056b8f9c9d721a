import pMap from "p-map";
import { codeOf } from "../aws/sender/error-codes.ts";
import type { OutgoingMessage, SendResult } from "../aws/sender/message-sender.ts";
import { withoutLineage } from "../aws/sender/trace-header.ts";
import { type ComposedMessage, composeMessage } from "../core/item/compose.ts";
import type { Dispatch } from "../core/state/decision.ts";
import { markSent } from "../core/state/mark-sent.ts";
import { Contended, MAX_SWAPS } from "./contention.ts";
import type { DecidedReport, HandedBack, IngestPorts, Invocation } from "./ports.ts";

/** A decision that is carried out: whatever it sends is safely in a queue. */
export interface DeliveredReport extends DecidedReport {
  /** The message went without the context, and an alias stands in for it. */
  readonly aliased: boolean;
}

export interface Delivered {
  readonly delivered: readonly DeliveredReport[];
  readonly handedBack: readonly HandedBack[];
}

interface Sending {
  readonly decided: DecidedReport;
  readonly dispatch: Dispatch;
  readonly composed: ComposedMessage;
}

/** Rare writes (aliases, dead-letter marks) under way at once. */
const WRITES_AT_ONCE = 20;

/**
 * Carries out decisions: sends, notes aliases of what travels without context, and marks rows dead-lettered, in this
 * order, so that whatever is interrupted is repeated from the row. Never rejects: what fails is handed back.
 */
export async function deliver(
  reports: readonly DecidedReport[],
  ports: IngestPorts,
  invocation: Invocation,
): Promise<Delivered> {
  const sendings = reports.flatMap((decided) => toSending(decided));
  const silent = reports.filter((decided) => !("send" in decided.step.decision));
  const { workQueueUrl, deadLetterQueueUrl } = ports.configuration;
  const [toWork, toDeadLetter] = await Promise.all([
    sendAll(
      workQueueUrl,
      sendings.filter(({ dispatch }) => dispatch.destination === "work"),
      ports,
      invocation,
    ),
    sendAll(
      deadLetterQueueUrl,
      sendings.filter(({ dispatch }) => dispatch.destination !== "work"),
      ports,
      invocation,
    ),
  ]);
  const completed = await pMap(
    [...toWork, ...toDeadLetter],
    ([sending, result]) => complete(sending, result, ports, invocation),
    { concurrency: WRITES_AT_ONCE },
  );
  return {
    delivered: [...silent.map((decided) => ({ ...decided, aliased: false })), ...completed.filter(isDelivered)],
    handedBack: completed.filter((each): each is HandedBack => !isDelivered(each)),
  };
}

function toSending(decided: DecidedReport): readonly Sending[] {
  const { decision } = decided.step;
  if (!("send" in decision)) return [];
  return [{ decided, dispatch: decision.send, composed: composeMessage(decided.message, decision.send.context) }];
}

async function sendAll(
  queueUrl: string,
  sendings: readonly Sending[],
  { sender }: IngestPorts,
  { traceHeader, abortSignal }: Invocation,
): Promise<readonly (readonly [Sending, SendResult | undefined])[]> {
  if (sendings.length === 0) return [];
  const messages = sendings.map((sending) => toMessage(sending, traceHeader));
  const results = await sender.send(queueUrl, messages, { abortSignal });
  return sendings.map((sending, index) => [sending, results[index]] as const);
}

function toMessage({ decided, dispatch, composed }: Sending, traceHeader: string | undefined): OutgoingMessage {
  const { body, attributes, groupId, bytes } = composed;
  const { report, record } = decided;
  // AWS's own guard against endless loops stays on for items that we cannot count, repeats of their sends included.
  const countable = report.identity !== "message" || report.moved;
  const ownTrace = countable ? withoutLineage(record.attributes.AWSTraceHeader) : traceHeader;
  return {
    body,
    attributes,
    bytes,
    delaySeconds: dispatch.delaySeconds,
    ...(groupId !== undefined && { groupId }),
    ...(ownTrace !== undefined && { traceHeader: ownTrace }),
  };
}

async function complete(
  { decided, dispatch, composed }: Sending,
  result: SendResult | undefined,
  ports: IngestPorts,
  invocation: Invocation,
): Promise<DeliveredReport | HandedBack> {
  const { record } = decided;
  if (!result?.sent) return { record, why: result?.code ?? "NotAnswered", ...(result && { detail: result.detail }) };
  const aliased = !composed.contextTravels;
  try {
    if (aliased) await noteAlias(result.messageId, dispatch, ports, invocation);
    if (dispatch.destination === "dead-letter") await markDeadLettered(decided, dispatch, ports, invocation);
    return { ...decided, aliased };
  } catch (error) {
    return { record, why: codeOf(error), ...(error instanceof Error && { detail: error.message }) };
  }
}

async function noteAlias(
  messageId: string,
  { context, dispatchId, destination }: Dispatch,
  { store, configuration, now }: IngestPorts,
  { abortSignal }: Invocation,
): Promise<void> {
  const { itemId, generation, attempt, deadlineAt } = context;
  const deadLettered = destination === "dead-letter";
  const alias = {
    itemId,
    generation,
    attempt,
    dispatchId,
    deadLettered,
    ...(deadlineAt !== undefined && { deadlineAt }),
  };
  await store.writeAlias(messageId, alias, now() + configuration.rowLifetimeMs, { abortSignal });
}

/** The second, rare write of an item's life. A row that others have changed meanwhile is marked as it stands then. */
async function markDeadLettered(
  decided: DecidedReport,
  { dispatchId }: Dispatch,
  { store, configuration, now }: IngestPorts,
  { abortSignal }: Invocation,
): Promise<void> {
  let row = decided.row;
  for (let swaps = 0; swaps < MAX_SWAPS; swaps++) {
    const marked = markSent(row, dispatchId, configuration, now());
    if (!marked || !row) return;
    const result = await store.write(marked, { kind: "item", state: row }, now(), { abortSignal });
    if (result.kind === "written") return;
    row = result.found.kind === "item" ? result.found.state : undefined;
  }
  throw new Contended();
}

function isDelivered(each: DeliveredReport | HandedBack): each is DeliveredReport {
  return "step" in each;
}
