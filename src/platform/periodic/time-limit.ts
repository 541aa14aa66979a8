/** A limit that is reached this late was delayed by a pause of the process. */
const LATE_MS = 1_000;
const GRACE_MS = 2_000;

/**
 * Calls `onReached` after `limitMs`. After a pause of the whole process (a frozen container, SIGSTOP), timers come before what has
 * arrived in the meantime, so the limit is extended once, to read it. Returns a function that stops the limit.
 */
export function startTimeLimit(limitMs: number, onReached: () => void): () => void {
  const dueMs = performance.now() + limitMs;
  let timer = setTimeout(() => {
    if (performance.now() - dueMs < LATE_MS) onReached();
    else timer = setTimeout(onReached, GRACE_MS).unref();
  }, limitMs).unref();
  return () => clearTimeout(timer);
}
