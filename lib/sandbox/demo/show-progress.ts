import cliProgress from "cli-progress";
import type { DemoProgress } from "./run-demo.ts";

/** Shows the demo's progress: a live bar in a terminal, now and then a plain line elsewhere. */
export interface ProgressDisplay {
  show(progress: DemoProgress): void;
  end(): void;
}

/** Plain lines come this often, in real ms. */
const LINE_EVERY_MS = 5_000;

export function progressDisplay(stream: NodeJS.WriteStream): ProgressDisplay {
  return stream.isTTY ? bar(stream) : lines(stream);
}

function bar(stream: NodeJS.WriteStream): ProgressDisplay {
  const progressBar = new cliProgress.SingleBar({
    stream,
    format: "{bar} {value}/{total}  {text}",
    hideCursor: true,
    barsize: 30,
  });
  let started = false;
  return {
    show(progress) {
      const { items, done, deadLettered } = progress;
      if (!started) progressBar.start(items, 0, { text: "" });
      started = true;
      progressBar.update(done + deadLettered, { text: describe(progress) });
    },
    end() {
      if (started) progressBar.stop();
    },
  };
}

function lines(stream: NodeJS.WriteStream): ProgressDisplay {
  let last = Number.NEGATIVE_INFINITY;
  return {
    show(progress) {
      const { items, done, deadLettered } = progress;
      const complete = done + deadLettered >= items;
      if (performance.now() - last < LINE_EVERY_MS && !complete) return;
      last = performance.now();
      stream.write(`${done + deadLettered}/${items}  ${describe(progress)}\n`);
    },
    end() {},
  };
}

function describe({ done, deadLettered, waiting, nextDueMs }: DemoProgress): string {
  const due = nextDueMs === undefined ? "" : `, next due in ${Math.ceil(nextDueMs / 1000)} s`;
  return `${done} done, ${deadLettered} dead-lettered, ${waiting} waiting${due}`;
}
