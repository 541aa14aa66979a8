import { setTimeout as pause } from 'node:timers/promises';

/** Shorter than Jest's timeout, so that a failing test reports the condition that it waited for. */
const PATIENCE_MS = 150_000;
/** The pause between checks grows with the time already waited, because each check has a cost. */
const [SHORTEST_PAUSE_MS, LONGEST_PAUSE_MS, OF_THE_WAIT] = [5, 50, 0.1];

/** Polls until a condition is true. @throws Error with the source of the condition on timeout */
export async function until(condition: () => boolean | Promise<boolean>, withinMs = PATIENCE_MS): Promise<void> {
  const begun = performance.now();
  while (!(await condition())) {
    const waited = performance.now() - begun;
    if (waited > withinMs) throw new Error(`this did not come true within ${withinMs} ms: ${String(condition)}`);
    await pause(Math.min(LONGEST_PAUSE_MS, Math.max(SHORTEST_PAUSE_MS, waited * OF_THE_WAIT)));
  }
}
