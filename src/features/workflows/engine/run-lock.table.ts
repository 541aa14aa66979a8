import type { Transaction } from 'kysely';
import type { Tables } from '../../../platform/database/tables.js';
import { dialectOf } from '../../../platform/sql/dialect.js';

/**
 * Locks a run against changes until the transaction ends. Call it before any other write to the run: transactions that write
 * first and then lock could deadlock.
 * @param epoch epoch of the writing execution; null = any, also after the run has ended
 * @returns whether this execution may still write
 */
export async function lockRun(transaction: Transaction<Tables>, id: string, epoch: number | null): Promise<boolean> {
  let locked = transaction.selectFrom('workflow_runs').select('id').where('id', '=', id);
  if (epoch !== null) locked = locked.where('epoch', '=', epoch).where('status', '=', 'running');
  if (dialectOf(transaction) === 'postgres') locked = locked.forUpdate();
  return (await locked.executeTakeFirst()) !== undefined;
}
