import { setImmediate } from 'node:timers/promises';
import type { Execution, Branch } from './execution.js';

/** How long one execution may hold the main thread; its tasks may all be pure. */
const TURN_MS = 15;

/** Yields the main thread when the execution has held it for long. */
export async function yieldTurn(execution: Execution, branch: Branch): Promise<void> {
  if (performance.now() - execution.yieldedAt < TURN_MS) return;
  await branch.steps.busy(() => {
    // Thousands of branches that continue in the same turn would block the thread together: each gets its own turn.
    execution.turn = execution.turn.then(() => setImmediate());
    return execution.turn;
  });
  execution.yieldedAt = performance.now();
}
