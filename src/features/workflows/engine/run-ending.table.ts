import type { Transaction } from 'kysely';
import type { Json, Problem } from '#open-workflow';
import type { Tables } from '../../../platform/database/tables.js';
import { type ClaimedRun, toText } from '../runs/execution/claimed-run.js';

/** The statuses of a run that has not ended. */
export const UNENDED = ['pending', 'running', 'waiting'];

export type Ending =
  { status: 'completed'; output: Json } | { status: 'failed'; error: Problem } | { status: 'cancelled' };

/** A run whose state has changed, with its partition, which determines who checks the run. */
export interface Woken {
  id: string;
  partition: number;
}

/** A run that was cancelled, with the data of its notification. */
export interface CancelledRun extends Woken {
  name: string;
  client: string;
  origin: string;
}

/** Joins the children of runs with the steps that have started them. */
export const childrenOf = (transaction: Transaction<Tables>, ids: readonly string[]) =>
  transaction
    .selectFrom('workflow_runs as child')
    .innerJoin('workflow_steps as step', (join) =>
      join.onRef('step.run_id', '=', 'child.parent').onRef('step.name', '=', 'child.parent_step'),
    )
    .where('child.parent', 'in', ids);

/** Cancels runs of one depth, and the descendants for which they wait. */
export async function cancelAll(
  transaction: Transaction<Tables>,
  runs: readonly CancelledRun[],
  now: Date,
  cancelled: CancelledRun[],
): Promise<void> {
  const waiting: string[] = [];
  for (const { id, partition, name, client, origin } of runs) {
    const left = await writeEnd(transaction, id, null, { status: 'cancelled' }, now);
    if (!left) continue;
    cancelled.push({ id, partition, name, client, origin });
    waiting.push(id);
  }
  if (waiting.length > 0) await cancelAll(transaction, await waitedFor(transaction, waiting), now, cancelled);
}

/** Returns the runs for which cancelled steps of runs have waited, in lock order. */
export const waitedFor = (transaction: Transaction<Tables>, ids: readonly string[]): Promise<CancelledRun[]> =>
  childrenOf(transaction, ids)
    .select(['child.id', 'child.partition', 'child.name', 'child.client', 'child.origin'])
    .where('child.ended_at', 'is', null)
    .where('step.kind', '=', 'child')
    .where('step.status', '=', 'cancelled')
    .orderBy('child.id')
    .execute();

/**
 * Ends a run and its steps.
 * @param epoch null = regardless of who executes the run
 * @returns the kinds of the steps that had not ended; null when it may not end the run
 */
export async function writeEnd(
  transaction: Transaction<Tables>,
  id: string,
  epoch: number | null,
  ending: Ending,
  now: Date,
): Promise<string[] | null> {
  const at = now.toISOString();
  let update = transaction
    .updateTable('workflow_runs')
    .set((set) => ({
      status: ending.status,
      output: ending.status === 'completed' ? toText(ending.output) : null,
      error: ending.status === 'failed' ? toText(ending.error) : null,
      wake_at: null,
      questions: 0,
      updated_at: at,
      ended_at: at,
      epoch: epoch === null ? set('epoch', '+', 1) : set.ref('epoch'),
    }))
    .where('id', '=', id);
  update =
    epoch === null
      ? update.where('status', 'in', UNENDED)
      : update.where('epoch', '=', epoch).where('status', '=', 'running');
  if (!(await update.returning('id').executeTakeFirst())) return null;
  await transaction.deleteFrom('workflow_listeners').where('run_id', '=', id).execute();
  const left = await transaction
    .updateTable('workflow_steps')
    .set({ status: 'cancelled', ended_at: at })
    .where('run_id', '=', id)
    .where('status', 'in', ['started', 'waiting'])
    .returning('kind')
    .execute();
  return left.map(({ kind }) => kind);
}

/** Returns whether this execution has ended the run: a cancellation raises the epoch. */
export async function hasEndedIt(
  transaction: Transaction<Tables>,
  { id, epoch }: ClaimedRun,
  { status }: Ending,
): Promise<boolean> {
  const row = await transaction
    .selectFrom('workflow_runs')
    .select('id')
    .where('id', '=', id)
    .where('epoch', '=', epoch)
    .where('status', '=', status)
    .executeTakeFirst();
  return row !== undefined;
}
