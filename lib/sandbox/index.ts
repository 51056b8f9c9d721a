/** A synthesized cloud assembly, run on this machine. */
export type { AlarmChange, AlarmStatus } from "./alarms/alarm-watch.ts";
export type { SandboxClock } from "./clock.ts";
export type { LogLine } from "./functions/function-host.ts";
export { type Sandbox, startSandbox } from "./sandbox.ts";
export type { SandboxOptions } from "./sandbox-options.ts";
