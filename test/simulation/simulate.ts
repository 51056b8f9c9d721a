import { Command, InvalidArgumentError } from "commander";
import { runHistory } from "./history.ts";
import { BrokenPromise } from "./story.ts";

const { from, seeds } = new Command("npm run simulate --")
  .description("Runs histories under faults, and holds each against the promises. Stops at the first that breaks one.")
  .option("--from <seed>", "first seed", wholeNumber, 0)
  .option("--seeds <n>", "how many", wholeNumber, 10_000)
  .parse()
  .opts<{ from: number; seeds: number }>();

const started = performance.now();
try {
  for (let done = 0; done < seeds; done++) {
    await runHistory(from + done);
    if ((done + 1) % 5_000 === 0 || done + 1 === seeds) {
      const perSecond = Math.round(((done + 1) / (performance.now() - started)) * 1000);
      console.log(`${done + 1} of ${seeds} histories, ${perSecond} per second, no promise broken`);
    }
  }
} catch (error) {
  if (!(error instanceof BrokenPromise)) throw error;
  const seed = /seed (\d+)/.exec(error.message)?.[1];
  console.error(`${error.message}\n\nreplay: npm run simulate -- --from ${seed} --seeds 1`);
  process.exitCode = 1;
}

function wholeNumber(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("It must be a whole number from 0.");
}
