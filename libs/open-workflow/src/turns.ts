import { setImmediate } from 'node:timers/promises';
import type { Execution, Branch } from './execution.js';

/** How long the main thread may belong to one execution, whose tasks may all be pure. */
const TURN_MS = 15;

/** Lets others have the main thread when the execution has had it for long. */
export async function giveWay(execution: Execution, branch: Branch): Promise<void> {
  if (performance.now() - execution.yieldedAt < TURN_MS) return;
  await branch.steps.busy(() => {
    // Thousands of branches that continue in the same turn would hold the thread together: each has one of its own.
    execution.turn = execution.turn.then(() => setImmediate());
    return execution.turn;
  });
  execution.yieldedAt = performance.now();
}
