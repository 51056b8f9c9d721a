import { startDynalite } from "../../../lib/sandbox/dynamodb/dynalite-engine.ts";
import { dynoxideBinary, startDynoxide } from "../../../lib/sandbox/dynamodb/dynoxide-engine.ts";
import type { TableEngine } from "../../../lib/sandbox/dynamodb/engine.ts";

const binary = dynoxideBinary();

/** The table engines of this machine, by name; dynalite brings no row back on a failed condition. */
export const TABLE_ENGINES: Readonly<Record<string, () => Promise<TableEngine>>> = {
  dynalite: () => startDynalite(),
  ...(binary !== undefined && { dynoxide: () => startDynoxide(binary) }),
};
