import { hash64 } from "../../core/hash.ts";

/** Invocations of one function in one chain after which Lambda stops the next; "approximately", says its documentation. */
export const CHAIN_LIMIT = 16;

const LINEAGE = "Lineage=";

/**
 * How many invocations of a function already lie in the chain that led to a message. The trace header counts them from
 * 0: `Lineage=1:<hash of the function>:<count>`, with `|` between several functions.
 *
 * @param traceHeader the message's `AWSTraceHeader`
 */
export function chainLength(traceHeader: string | undefined, functionArn: string): number {
  const count = lineageOf(traceHeader).get(hashOf(functionArn));
  return count === undefined ? 0 : count + 1;
}

/**
 * The trace id of an invocation (`_X_AMZN_TRACE_ID`): a trace of its own that carries on the lineage of the message with
 * the longest chain, counted up for this function.
 *
 * @param traceHeaders the `AWSTraceHeader` of each message of the batch
 * @param trace `Root=…;Parent=…;Sampled=…` of the invocation
 */
export function invocationTrace(
  traceHeaders: readonly (string | undefined)[],
  functionArn: string,
  trace: string,
): string {
  const lengths = traceHeaders.map((header) => chainLength(header, functionArn));
  const longest = Math.max(0, ...lengths);
  const lineage = new Map(lineageOf(traceHeaders[lengths.indexOf(longest)]));
  lineage.set(hashOf(functionArn), longest);
  return `${trace};${LINEAGE}${[...lineage].map(([hash, count]) => `1:${hash}:${count}`).join("|")}`;
}

function lineageOf(traceHeader: string | undefined): ReadonlyMap<string, number> {
  const field = traceHeader?.split(";").find((each) => each.trim().startsWith(LINEAGE));
  const counts = new Map<string, number>();
  for (const entry of field?.trim().slice(LINEAGE.length).split("|") ?? []) {
    const [, hash, count] = /^\d+:([0-9a-f]+):(\d+)$/.exec(entry) ?? [];
    if (hash !== undefined) counts.set(hash, Number(count));
  }
  return counts;
}

function hashOf(functionArn: string): string {
  return hash64(functionArn)[0].toString(16).padStart(8, "0");
}
