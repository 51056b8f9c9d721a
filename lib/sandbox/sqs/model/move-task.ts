import type { Engine } from "./engine.ts";
import type { Queue } from "./queue.ts";

type MoveTaskStatus = "RUNNING" | "COMPLETED" | "CANCELLED" | "FAILED";

/** A running or past StartMessageMoveTask. */
export interface MoveTask {
  readonly handle: string;
  readonly sourceArn: string;
  readonly destinationArn?: string;
  readonly ratePerSecond?: number;
  readonly startedAt: number;
  /** The messages that were visible in the source when the task started, first to move first. */
  readonly messageIds: readonly string[];
  status: MoveTaskStatus;
  failureReason?: string;
  /** How many of `messageIds` are dealt with; some may be gone or in flight, and are passed over. */
  position: number;
  moved: number;
}

/** When the task's next step is due; undefined when it has ended. Without a rate all steps are due at once. */
export function nextStepAt(task: MoveTask): number | undefined {
  if (task.status !== "RUNNING") return undefined;
  const spacingMs = task.ratePerSecond === undefined ? 0 : 1000 / task.ratePerSecond;
  return task.startedAt + 1 + task.position * spacingMs;
}

/** Does every step of every task that is due by `now`, each as of its own time. */
export function progressMoveTasks(engine: Engine, now: number): void {
  for (const task of engine.moveTasks) {
    for (let at = nextStepAt(task); at !== undefined && at <= now; at = nextStepAt(task)) step(engine, task, at);
  }
}

function step(engine: Engine, task: MoveTask, at: number): void {
  const source = engine.queueByArn(task.sourceArn);
  const messageId = task.messageIds[task.position];
  if (!source || messageId === undefined) {
    task.status = "COMPLETED";
    return;
  }
  source.progress(at);
  const message = source.message(messageId);
  if (message?.state === "visible") {
    const destinationArn = task.destinationArn ?? message.deadLetterSourceArn;
    const destination = destinationArn === undefined ? undefined : engine.queueByArn(destinationArn);
    if (!destination) {
      task.status = "FAILED";
      task.failureReason =
        destinationArn === undefined ? "CouldNotDetermineMessageSource" : "AWS.SimpleQueueService.NonExistentQueue";
      return;
    }
    move(engine, source, destination, messageId, at);
    task.moved += 1;
  }
  task.position += 1;
  if (task.position === task.messageIds.length) task.status = "COMPLETED";
}

/** A moved message is a new one: new id, new enqueue time, receive count from zero; body and attributes stay. */
function move(engine: Engine, source: Queue, destination: Queue, messageId: string, at: number): void {
  const message = source.message(messageId);
  if (!message) return;
  source.remove(message);
  destination.progress(at);
  const toMessageId = engine.newId();
  const order = engine.nextOrder();
  destination.enter(
    {
      messageId: toMessageId,
      content: message.content,
      sentAt: at,
      enqueuedAt: at,
      delayMs: destination.settings.delaySeconds * 1000,
      ...(message.sequenceNumber === undefined ? {} : { sequenceNumber: sequenceNumber(order) }),
    },
    order,
    at,
  );
  engine.events.record({
    type: "moved",
    by: "moveTask",
    queueName: source.identity.name,
    messageId,
    toQueueName: destination.identity.name,
    toMessageId,
    at,
  });
}

/** `SequenceNumber` of a FIFO message: 20 digits that grow with every arrival. */
export function sequenceNumber(order: number): string {
  return `188${String(order).padStart(17, "0")}`;
}
