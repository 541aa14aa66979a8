import type { Transaction } from 'kysely';
import type { Tables } from '../../../platform/database/tables.js';
import { dialectOf } from '../../../platform/sql/dialect.js';

/**
 * Keeps others from changing a run until the transaction ends. Call it before anything else of the run is written: two
 * that write first and lock then would wait for each other.
 * @param epoch of the execution that writes; null = whichever, also after the run has ended
 * @returns whether this execution may still write
 */
export async function lockRun(transaction: Transaction<Tables>, id: string, epoch: number | null): Promise<boolean> {
  let locked = transaction.selectFrom('workflow_runs').select('id').where('id', '=', id);
  if (epoch !== null) locked = locked.where('epoch', '=', epoch).where('status', '=', 'running');
  if (dialectOf(transaction) === 'postgres') locked = locked.forUpdate();
  return (await locked.executeTakeFirst()) !== undefined;
}
