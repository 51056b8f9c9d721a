/** A small strict model of SQS, and AWS's JSON protocol in front of it. */
export { type EngineClock, systemClock } from "./clock.ts";
export { SqsError } from "./errors.ts";
export * as limits from "./limits/index.ts";
export type { QueueEvent, QueueEventListener } from "./model/events.ts";
export type { InspectedMessage, QueueInspection } from "./model/inspection.ts";
export { QueueService, type QueueServiceOptions } from "./service.ts";
export type { CallHooks } from "./wire/answer.ts";
export { type InProcessRequestHandler, inProcessRequestHandler } from "./wire/in-process.ts";
export { type SqsServer, type SqsServerOptions, startSqsServer } from "./wire/server.ts";
