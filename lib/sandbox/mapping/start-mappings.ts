import type { SQSClient } from "@aws-sdk/client-sqs";
import { AssemblyError } from "../assembly/assembly-error.ts";
import type { MappingPlan } from "../assembly/mapping-plan.ts";
import type { FunctionHost } from "../functions/function-host.ts";
import type { SandboxQueue } from "../queues/create-queues.ts";
import { EventSourceMapping } from "./event-source-mapping.ts";

export interface StartMappingsOptions {
  readonly plans: readonly MappingPlan[];
  readonly queues: readonly SandboxQueue[];
  readonly functions: readonly FunctionHost[];
  readonly sqs: SQSClient;
  readonly visibilitySeconds?: number | undefined;
  readonly onProblem: (problem: string) => void;
}

/**
 * Starts to read the queues that functions read.
 *
 * @throws AssemblyError, before any of them starts, for a queue or function that is not there, or a queue whose messages
 *   become visible again while the function may still run (Lambda refuses that too)
 */
export function startMappings(options: StartMappingsOptions): readonly EventSourceMapping[] {
  const { plans, queues, functions, sqs, visibilitySeconds, onProblem } = options;
  const pairs = plans.map((plan) => ({ plan, queue: queueOf(plan, queues), target: targetOf(plan, functions) }));
  for (const { plan, queue, target } of pairs) {
    if (queue.visibilitySeconds * 1000 >= target.plan.timeoutMs) continue;
    throw new AssemblyError(
      `the visibility timeout of the queue of '${plan.logicalId}' must be at least its function's timeout, ` +
        `${target.plan.timeoutMs / 1000} seconds, got ${queue.visibilitySeconds}`,
    );
  }
  return pairs.map(({ plan, queue, target }) => {
    const override = visibilitySeconds === undefined ? {} : { visibilitySeconds };
    return new EventSourceMapping({ plan, queueUrl: queue.url, target, sqs, ...override, onProblem });
  });
}

function queueOf({ logicalId, queueArn }: MappingPlan, queues: readonly SandboxQueue[]): SandboxQueue {
  const found = queues.find(({ arn }) => arn === queueArn);
  if (found) return found;
  throw new AssemblyError(`'${logicalId}' must read a queue of the assembly, got ${queueArn}`);
}

function targetOf({ logicalId, functionName }: MappingPlan, functions: readonly FunctionHost[]): FunctionHost {
  const found = functions.find(({ plan }) => plan.name === functionName);
  if (found) return found;
  throw new AssemblyError(`'${logicalId}' must invoke a function of the assembly, got ${functionName}`);
}
