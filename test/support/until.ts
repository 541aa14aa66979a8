import { setTimeout as pause } from 'node:timers/promises';

/** How long tests wait: less than Jest does, so that the test that fails says what it waited for. */
const PATIENCE_MS = 150_000;
/** How long a test pauses before it looks again: the longer it has waited, the longer, for each look costs something. */
const [SHORTEST_PAUSE_MS, LONGEST_PAUSE_MS, OF_THE_WAIT] = [5, 50, 0.1];

/** Waits for a condition. @throws Error that shows the condition when it does not come true in time */
export async function until(condition: () => boolean | Promise<boolean>, withinMs = PATIENCE_MS): Promise<void> {
  const begun = performance.now();
  while (!(await condition())) {
    const waited = performance.now() - begun;
    if (waited > withinMs) throw new Error(`this did not come true within ${withinMs} ms: ${String(condition)}`);
    await pause(Math.min(LONGEST_PAUSE_MS, Math.max(SHORTEST_PAUSE_MS, waited * OF_THE_WAIT)));
  }
}
