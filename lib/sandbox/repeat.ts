/**
 * Does something again and again: the next time starts `pauseMs` of real time after the last one is done.
 *
 * @returns a function that stops it, and resolves when nothing is under way any more
 */
export function repeat(
  work: () => Promise<unknown>,
  pauseMs: number,
  onError: (error: unknown) => void,
): () => Promise<void> {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  const arm = () => {
    if (!stopped) timer = setTimeout(run, pauseMs);
  };
  const run = () => {
    running = work()
      .then(() => {}, onError)
      .then(arm);
  };
  arm();
  return async () => {
    stopped = true;
    clearTimeout(timer);
    await running;
  };
}
