import pMap from "p-map";
import { codeOf } from "../aws/sender/error-codes.ts";
import type { Found } from "../aws/state-store/row.ts";
import { withAlias } from "../core/item/read-record.ts";
import type { DecidedReport, HandedBack, IngestPorts, Invocation, ReceivedReport } from "./ports.ts";
import { allHandedBack, type Basis, type Settled, settle } from "./settle.ts";

/** Reports whose decisions are written down, and records that go back. */
export interface Decided {
  readonly decided: readonly DecidedReport[];
  readonly handedBack: readonly HandedBack[];
}

/** Conditional writes under way at once. */
const WRITES_AT_ONCE = 50;

/** A report may be re-identified once by an alias and once by disbelief. */
const MAX_PASSES = 3;

/**
 * Decides on reports, and writes each decision down before anything is sent. Reports of one item cost one write. First
 * reports of a message cost no read: their write is conditional on there being no row, and brings the row if there is.
 */
export async function decide(
  reports: readonly ReceivedReport[],
  ports: IngestPorts,
  invocation: Invocation,
): Promise<Decided> {
  const decided: DecidedReport[] = [];
  const handedBack: HandedBack[] = [];
  let pending = reports;
  for (let pass = 0; pass < MAX_PASSES && pending.length > 0; pass++) {
    const results = await decideOnce(pending, ports, invocation);
    decided.push(...results.flatMap((result) => result.decided));
    handedBack.push(...results.flatMap((result) => result.handedBack));
    pending = results.flatMap((result) => result.reidentified);
  }
  handedBack.push(...allHandedBack(pending, "NotIdentified", "one alias led to another").handedBack);
  return { decided, handedBack };
}

async function decideOnce(
  reports: readonly ReceivedReport[],
  ports: IngestPorts,
  invocation: Invocation,
): Promise<readonly Settled[]> {
  const known = await read(reports, ports, invocation);
  if (known instanceof Error) {
    const [unread, fresh] = partition(reports, needsRead);
    const settled = await decideAll(fresh, new Map(), ports, invocation);
    return [...settled, allHandedBack(unread, codeOf(known), known.message)];
  }
  return decideAll(
    reports.map((each) => resolveAlias(each, known)),
    known,
    ports,
    invocation,
  );
}

async function decideAll(
  reports: readonly ReceivedReport[],
  known: ReadonlyMap<string, Found>,
  ports: IngestPorts,
  invocation: Invocation,
): Promise<readonly Settled[]> {
  return pMap(
    byItem(reports),
    ([itemId, group]) => {
      const basis = basisOf(itemId, group, known);
      return basis
        ? settle(group, basis, ports, invocation)
        : allHandedBack(group, "Unprocessed", "DynamoDB did not answer for the row");
    },
    { concurrency: WRITES_AT_ONCE },
  );
}

/** The rows of all reports but first ones, or the error that kept us from reading them. */
async function read(
  reports: readonly ReceivedReport[],
  { store, now }: IngestPorts,
  { abortSignal }: Invocation,
): Promise<ReadonlyMap<string, Found> | Error> {
  const keys = reports.filter(needsRead).flatMap(({ report }) =>
    // A message that carries the caller's id may still be one that our context could not travel with.
    report.identity === "attribute" ? [report.messageId, report.itemId] : [report.itemId],
  );
  if (keys.length === 0) return new Map();
  try {
    return await store.read(keys, now(), { abortSignal });
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** A message that says nothing of itself is most likely new: no row, no alias. */
function needsRead({ report }: ReceivedReport): boolean {
  return report.identity !== "message";
}

function resolveAlias(received: ReceivedReport, known: ReadonlyMap<string, Found>): ReceivedReport {
  const found = received.report.identity === "attribute" ? known.get(received.report.messageId) : undefined;
  return found?.kind === "alias" ? { ...received, report: withAlias(received.report, found.alias) } : received;
}

function basisOf(
  itemId: string,
  group: readonly ReceivedReport[],
  known: ReadonlyMap<string, Found>,
): Basis | undefined {
  const found = known.get(itemId);
  if (found) return { found, consistent: false };
  // An alias names an item whose row has not been read, and a first report's row is taken to be absent: both find out.
  const guessed = group.every((each) => !needsRead(each) || each.report.identity === "alias");
  return guessed ? { found: { kind: "absent" }, consistent: false } : undefined;
}

function byItem(reports: readonly ReceivedReport[]): Iterable<[string, readonly ReceivedReport[]]> {
  const groups = new Map<string, ReceivedReport[]>();
  for (const each of reports) {
    const group = groups.get(each.report.itemId);
    if (group) group.push(each);
    else groups.set(each.report.itemId, [each]);
  }
  return groups;
}

function partition<T>(all: readonly T[], test: (one: T) => boolean): readonly [readonly T[], readonly T[]] {
  return [all.filter(test), all.filter((one) => !test(one))];
}
