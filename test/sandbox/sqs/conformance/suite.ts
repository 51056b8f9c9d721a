import { afterAll, beforeAll, describe, it } from "vitest";
import { Bench } from "./bench.ts";
import { attributeCases } from "./cases/attributes.ts";
import { batchCases } from "./cases/batches.ts";
import { fifoCases } from "./cases/fifo.ts";
import { longPollCases } from "./cases/long-polls.ts";
import { messageLimitCases } from "./cases/message-limits.ts";
import { moveTaskCases } from "./cases/move-tasks.ts";
import { queueCases } from "./cases/queues.ts";
import { redriveCases } from "./cases/redrive.ts";
import { visibilityCases } from "./cases/visibility.ts";
import type { ConformanceCase, ConformanceTarget } from "./target.ts";

/** All lines of the behaviour list, in its order. */
export const CONFORMANCE_CASES: readonly ConformanceCase[] = [
  ...queueCases,
  ...messageLimitCases,
  ...batchCases,
  ...attributeCases,
  ...longPollCases,
  ...visibilityCases,
  ...redriveCases,
  ...moveTaskCases,
  ...fifoCases,
].sort((left, right) => Number.parseInt(left.name, 10) - Number.parseInt(right.name, 10));

/** Holds a target to the behaviour list, one test per line. */
export function sqsConformance(target: ConformanceTarget): void {
  describe(`SQS conformance of ${target.name}`, () => {
    let bench: Bench;
    beforeAll(() => {
      bench = new Bench(target);
    });
    afterAll(() => bench.close());

    // Time that jumps for one case jumps for all, so only targets without `advance` run their cases side by side.
    const test = target.advance ? it : it.concurrent;
    for (const one of CONFORMANCE_CASES) {
      const difference = target.differences?.get(one.name);
      if (one.needsAdvance && !target.advance) it.skip(`${one.name} (needs minutes to pass)`, () => {});
      else if (difference !== undefined)
        it.concurrent
          .fails(`${one.name} (differs: ${difference})`, () => one.run(bench));
      else test(one.name, () => one.run(bench));
    }
  });
}
