import type { AlarmChange } from "./alarms/alarm-watch.ts";
import type { LogLine } from "./functions/function-host.ts";

/** How a sandbox runs. */
export interface SandboxOptions {
  /** Directory of a synthesized cloud assembly (`cdk.out`). */
  readonly assemblyDirectory: string;
  /** Sandbox seconds in one real second, 1 to 10,000. @default 1 */
  readonly speed?: number;
  /** @default 0: a free one */
  readonly sqsPort?: number;
  /** @default 0: a free one */
  readonly dynamodbPort?: number;
  /** An AWS-compatible server for both services. @default - engines of our own */
  readonly endpoint?: string;
  /** @default endpoint */
  readonly sqsEndpoint?: string;
  /** @default endpoint */
  readonly dynamodbEndpoint?: string;
  /** @default that of the first stack that has one, else us-east-1 */
  readonly region?: string;
  /** Twelve digits. @default that of the first stack that has one, else 000000000000 */
  readonly accountId?: string;
  /**
   * How long what a function hands back stays invisible, in place of its queue's visibility timeout, which is real time:
   * for tests that cannot wait for minutes. @default - the template's
   */
  readonly visibilitySeconds?: number;
  /** Every line that a function writes, metrics documents left out, and what the sandbox says of its invocations. */
  readonly onLog?: (line: LogLine) => void;
  /** Every change of an alarm's state. */
  readonly onAlarm?: (change: AlarmChange) => void;
  /** Something did not work that is tried again. @default - written to the standard error stream */
  readonly onProblem?: (problem: string) => void;
}

/** @throws RangeError when the speed does not fit the endpoint */
export function checkOptions({ speed = 1, endpoint, sqsEndpoint }: SandboxOptions): void {
  if (speed !== 1 && (sqsEndpoint ?? endpoint) !== undefined) {
    throw new RangeError(`'speed' must be 1 with an SQS endpoint, whose time cannot be sped up, got ${speed}`);
  }
}
