declare module "dynalite" {
  import type { Server } from "node:http";

  /** How long table operations take, in milliseconds. */
  interface Options {
    readonly createTableMs?: number;
    readonly deleteTableMs?: number;
    readonly updateTableMs?: number;
  }

  export default function dynalite(options?: Options): Server;
}
