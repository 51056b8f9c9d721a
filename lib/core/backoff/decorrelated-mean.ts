import { jitterWindow, limitWindow } from "./jitter.ts";
import type { RetryPolicy } from "./policy.ts";

/** Enough that the means are within a thousandth of those of simulated items. */
const CELLS = 512;

/**
 * The expected delay after each of the attempts 1 … `attempts`, in milliseconds, for mode `decorrelated`.
 *
 * Each window is made of the delay before, which is itself random, and the cap cuts it: so the mean has no closed form.
 * It is integrated: the distribution of the delay is kept as masses on cells whose edges grow geometrically from the
 * smallest delay to the cap, and each step spreads every cell's mass evenly over the window that the cell's middle
 * makes. Below the cap this gives E(1) = 2 × base and E(n) = base/2 + 3/2 × E(n − 1).
 */
export function decorrelatedMeans(policy: RetryPolicy, attempts: number): readonly number[] {
  const windowAfter = (previousMs: number) => limitWindow(policy, jitterWindow(policy, policy.baseMs, previousMs));
  const { lowMs } = windowAfter(policy.baseMs);
  const growth = Math.log(policy.capMs / lowMs) / CELLS;
  const edges = Array.from({ length: CELLS + 1 }, (_, index) => lowMs * Math.exp(growth * index));
  const cells = edges.slice(1).map((highMs, index) => ({ lowMs: edges[index] ?? lowMs, highMs }));
  const cellOf = (ms: number) =>
    growth > 0 ? Math.min(CELLS - 1, Math.max(0, Math.floor(Math.log(ms / lowMs) / growth))) : 0;

  const means: number[] = [];
  let masses: readonly Mass[] = [{ previousMs: policy.baseMs, share: 1 }];
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const windows = masses.map(({ previousMs, share }) => ({ share, highMs: windowAfter(previousMs).highMs }));
    means.push(windows.reduce((sum, { share, highMs }) => sum + (share * (lowMs + highMs)) / 2, 0));
    masses = spread(windows);
  }
  return means;

  /** All windows begin at `lowMs`, so a running sum from the top gives the density in every cell. */
  function spread(windows: readonly { readonly share: number; readonly highMs: number }[]): readonly Mass[] {
    const ending = new Float64Array(CELLS);
    const partial = new Float64Array(CELLS);
    for (const { share, highMs } of windows) {
      const last = cellOf(highMs);
      const width = highMs - lowMs;
      if (width <= 0) {
        partial[0] = (partial[0] ?? 0) + share;
        continue;
      }
      ending[last] = (ending[last] ?? 0) + share / width;
      partial[last] = (partial[last] ?? 0) + (share * (highMs - (edges[last] ?? lowMs))) / width;
    }
    let density = 0;
    return cells
      .map((cell, index) => ({ cell, index }))
      .reverse()
      .map(({ cell, index }) => {
        const share = density * (cell.highMs - cell.lowMs) + (partial[index] ?? 0);
        density += ending[index] ?? 0;
        return { previousMs: (cell.lowMs + cell.highMs) / 2, share };
      });
  }
}

interface Mass {
  readonly previousMs: number;
  readonly share: number;
}
