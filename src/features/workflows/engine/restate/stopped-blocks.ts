import type { BlocksToStop } from '../stopped-steps.table.js';
import type { Surroundings } from './branch.js';

/** Records that the steps of blocks have been stopped, and cancels the runs for which they waited. */
export async function stopBlocks({ stores, reports }: Surroundings, blocks: BlocksToStop, now: Date): Promise<void> {
  for (const child of await stores.steps.cancelWithin(blocks, now)) {
    const { cancelled } = await stores.states.cancel(child, now);
    for (const run of cancelled) reports.cancelled(run);
  }
}
