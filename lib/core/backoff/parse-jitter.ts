import { DEFAULT_POLICY, JITTER_MODES, type Jitter, type JitterMode } from "./policy.ts";
import { type FieldReader, hasFields, readFields } from "./read-fields.ts";
import { type Violation, violation } from "./violation.ts";

/** The `ratio` of modes `proportional` and `additive` where none is given: that of Google's Dart package `retry`. */
export const DEFAULT_JITTER_RATIO = 0.25;

/**
 * Reads the policy field `jitter`; absent, it is the default policy's. A missing `ratio` is 0.25, a missing `spreadMs` a
 * quarter of the base. A jitter that comes with violations is not to be used.
 *
 * `baseMs` is the policy's base, the most that `spreadMs` may be; NaN if that is wrong by itself.
 */
export function parseJitter(
  input: unknown,
  baseMs: number,
): { readonly jitter: Jitter; readonly violations: readonly Violation[] } {
  const { jitter } = DEFAULT_POLICY;
  if (input === undefined) return { jitter, violations: [] };
  if (!hasFields(input)) return { jitter, violations: [violation("jitter", input, "an object with a mode")] };

  const fields = readFields(input, "jitter.");
  const mode = JITTER_MODES.find((known) => known === fields.get("mode"));
  if (mode === undefined) fields.refuse("mode", `one of ${JITTER_MODES.join(", ")}`);
  const ratio = parameter(fields, "ratio", mode, ["proportional", "additive"], () =>
    fields.number("ratio", { least: 0, most: 1, whole: false }, DEFAULT_JITTER_RATIO),
  );
  const most = Number.isNaN(baseMs) ? Number.MAX_SAFE_INTEGER : baseMs;
  const spreadMs = parameter(fields, "spreadMs", mode, ["absolute"], () =>
    fields.number("spreadMs", { least: 0, most, whole: true }, Math.round(baseMs / 4)),
  );
  fields.refuseOthers(["mode", "ratio", "spreadMs"]);
  return { jitter: jitterOf(mode ?? jitter.mode, ratio, spreadMs), violations: fields.violations };
}

/** Reads a parameter where the mode takes it, or where the mode is unknown; elsewhere it must not be there. */
function parameter(
  fields: FieldReader,
  name: string,
  mode: JitterMode | undefined,
  takenBy: readonly JitterMode[],
  read: () => number,
): number {
  if (mode === undefined || takenBy.includes(mode)) return read();
  if (fields.get(name) !== undefined) {
    fields.refuse(name, `left out in mode ${mode} (it belongs to ${takenBy.join(" and ")})`);
  }
  return Number.NaN;
}

function jitterOf(mode: JitterMode, ratio: number, spreadMs: number): Jitter {
  if (mode === "proportional" || mode === "additive") return { mode, ratio };
  return mode === "absolute" ? { mode, spreadMs } : { mode };
}
