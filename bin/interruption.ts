/** How often a process looks whether whoever started it is still there, in ms. */
const PARENT_TICK_MS = 1000;

/**
 * A signal that aborts at the first Ctrl-C or termination, or when the process that started this one is gone, as when npm is
 * killed. A second Ctrl-C ends the process at once.
 */
export function interruption(): AbortSignal {
  const controller = new AbortController();
  const abort = () => controller.abort();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, abort);
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) abort();
  }, PARENT_TICK_MS).unref();
  return controller.signal;
}
