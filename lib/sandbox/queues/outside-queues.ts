import type { AssemblyStack } from "../assembly/read-assembly.ts";
import type { SandboxQueue } from "./create-queues.ts";

const ARN = /arn:aws[a-z-]*:sqs:[a-z0-9-]+:\d{12}:([A-Za-z0-9_-]{1,80}(?:\.fifo)?)/g;
const URL = /https:\/\/sqs\.[a-z0-9-]+\.amazonaws\.com(?:\.cn)?\/\d{12}\/([A-Za-z0-9_-]{1,80}(?:\.fifo)?)/g;

/** Names of queues that a stack names by ARN, but does not make: a work queue that is deployed elsewhere. */
export function outsideQueueNames(stack: AssemblyStack): readonly string[] {
  const text = JSON.stringify(stack.resources);
  return [...new Set([...text.matchAll(ARN)].map(([, name]) => name ?? ""))];
}

/** A text in which the URLs and ARNs of outside queues are those of the queues that stand in for them. */
export function withStandIns(text: string, standIns: ReadonlyMap<string, SandboxQueue>): string {
  return text
    .replace(ARN, (arn, name: string) => standIns.get(name)?.arn ?? arn)
    .replace(URL, (url, name: string) => standIns.get(name)?.url ?? url);
}
