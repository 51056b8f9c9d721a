import { codeOf } from "../aws/sender/error-codes.ts";
import type { Found } from "../aws/state-store/row.ts";
import type { FailureReport } from "../core/item/failure-report.ts";
import { disbelieve, withAlias } from "../core/item/read-record.ts";
import { advance } from "../core/state/advance.ts";
import type { Step } from "../core/state/decision.ts";
import type { ItemState } from "../core/state/item-state.ts";
import { isPlausible } from "../core/state/plausible.ts";
import type { AdvanceSettings } from "../core/state/settings.ts";
import { Contended, MAX_SWAPS } from "./contention.ts";
import type { DecidedReport, HandedBack, IngestPorts, Invocation, ReceivedReport } from "./ports.ts";

/** A row that was read, or is taken to be absent, and whether that is certain. */
export interface Basis {
  readonly found: Found;
  readonly consistent: boolean;
}

/** What became of the reports of one item. */
export interface Settled {
  readonly decided: readonly DecidedReport[];
  readonly handedBack: readonly HandedBack[];
  /** Reports that turned out to be about another item: their key held an alias, or they cannot be believed. */
  readonly reidentified: readonly ReceivedReport[];
}

/**
 * Applies the reports of one item one after another in memory and writes the outcome once, by compare-and-swap. A lost
 * swap takes the row that won and decides again; a decision that writes nothing rests on a consistent read. Never
 * rejects: what fails is handed back, and no attempt is counted for it.
 */
export async function settle(
  reports: readonly ReceivedReport[],
  basis: Basis,
  ports: IngestPorts,
  invocation: Invocation,
): Promise<Settled> {
  try {
    return await swap(reports, basis, ports, invocation);
  } catch (error) {
    return allHandedBack(reports, codeOf(error), error instanceof Error ? error.message : undefined);
  }
}

/** All records back to the queue, for one reason. */
export function allHandedBack(reports: readonly ReceivedReport[], why: string, detail?: string): Settled {
  const handedBack = reports.map(({ record }) => ({ record, why, ...(detail !== undefined && { detail }) }));
  return { decided: [], handedBack, reidentified: [] };
}

async function swap(
  reports: readonly ReceivedReport[],
  first: Basis,
  { store, configuration, now }: IngestPorts,
  { abortSignal }: Invocation,
): Promise<Settled> {
  const itemId = reports[0]?.report.itemId ?? "";
  let { found, consistent } = first;
  let swaps = 0;
  while (swaps < MAX_SWAPS) {
    if (found.kind === "alias") {
      const { alias } = found;
      return settled(
        [],
        reports.map((each) => ({ ...each, report: withAlias(each.report, alias) })),
      );
    }
    const row = found.kind === "item" ? found.state : undefined;
    const isBelieved = ({ report }: ReceivedReport) => isPlausible(row, report, configuration.policy);
    const believed = reports.filter(isBelieved);
    const doubted = reports.filter((each) => !isBelieved(each));
    const decided = applyAll(row, believed, found.kind === "undecodable", configuration, now());
    const next = decided.at(-1)?.step.state;
    const writes = next !== undefined && next !== row;
    if (!consistent && (!writes || doubted.length > 0)) {
      found = await store.readConsistently(itemId, now(), { abortSignal });
      consistent = true;
      continue;
    }
    if (!writes) return settled(decided, doubted.map(disbelieved));
    const result = await store.write(next, found, now(), { abortSignal });
    if (result.kind === "written") return settled(decided, doubted.map(disbelieved));
    swaps += 1;
    found = result.found;
    consistent = true;
  }
  throw new Contended();
}

function applyAll(
  row: ItemState | undefined,
  reports: readonly ReceivedReport[],
  rowLost: boolean,
  settings: AdvanceSettings,
  now: number,
): readonly DecidedReport[] {
  const decided: Omit<DecidedReport, "row">[] = [];
  let state = row;
  for (const received of reports) {
    const step = advance(state, received.report, settings, now);
    state = step.state;
    decided.push({ ...received, step: rowLost && decided.length === 0 ? withLostRow(step) : step });
  }
  return decided.map((each) => ({ ...each, row: state }));
}

/** A row that cannot be decoded is lost whatever the report knows. */
function withLostRow(step: Step): Step {
  return step.observations.includes("row-lost") ? step : { ...step, observations: [...step.observations, "row-lost"] };
}

function disbelieved(received: ReceivedReport): ReceivedReport {
  const { report } = received;
  return { ...received, report: disbelieve(report, claimOf(report), "its attempt number is out of range") };
}

function claimOf({ itemId, generation, attempt }: FailureReport): string {
  return JSON.stringify({ itemId, generation, attempt });
}

function settled(decided: readonly DecidedReport[], reidentified: readonly ReceivedReport[]): Settled {
  return { decided, handedBack: [], reidentified };
}
