import { sql, type Transaction } from 'kysely';
import type { Database } from '../../../platform/database/database.js';
import type { Tables } from '../../../platform/database/tables.js';
import { type InsertedRun, replacedInputOf, type TakenOver, toText } from '../runs/execution/claimed-run.js';
import { RunNotFound } from '../runs/runs.errors.js';
import { isTakenOver, seqOfReplaced } from '../runs/stored-runs.table.js';
import { lockRun } from './run-lock.table.js';
import { toRow } from './run-rows.table.js';

/**
 * Inserts a run with its listeners, unless one with its id or idempotency key exists. Returns whether it was inserted.
 * @throws RunNotFound when the run whose steps it takes over was deleted
 */
export async function insertRun(transaction: Transaction<Tables>, run: InsertedRun, now: Date): Promise<boolean> {
  if (!(await insertRow(transaction, run, now))) return false;
  const listeners = run.eventTypes.map((type) => ({ type, run_id: run.id }));
  if (listeners.length > 0) await transaction.insertInto('workflow_listeners').values(listeners).execute();
  if (run.takesOver) await takeOver(transaction, run.id, run.takesOver, now);
  return true;
}

/** Copies the steps that ended before another began, and records the new input of that step. */
async function takeOver(transaction: Transaction<Tables>, id: string, takenOver: TakenOver, now: Date): Promise<void> {
  const { runId, replaced } = takenOver;
  if (!(await lockRun(transaction, runId, null))) throw new RunNotFound(runId);
  const seq = seqOfReplaced(takenOver);
  await sql`
    insert into workflow_steps (run_id, name, seq, end_seq, task, attempt, kind, status, starts,
      input, output, error, wait, wake_at, started_at, ended_at)
    select ${id}, name, seq, end_seq, task, attempt, kind, status, starts,
      input, output, error, wait, wake_at, started_at, ended_at
    from workflow_steps where ${isTakenOver(takenOver)}
  `.execute(transaction);
  const at = now.toISOString();
  await transaction
    .insertInto('workflow_steps')
    .values({
      run_id: id,
      name: replacedInputOf(replaced.step),
      seq,
      end_seq: null,
      task: replaced.task,
      attempt: 1,
      kind: 'input',
      status: 'completed',
      starts: 1,
      input: null,
      output: toText(replaced.input),
      error: null,
      wait: null,
      wake_at: null,
      started_at: at,
      ended_at: at,
    })
    .onConflict((conflict) => conflict.columns(['run_id', 'name']).doUpdateSet({ seq, output: toText(replaced.input) }))
    .execute();
}

/** Like `insertRun`, for a run without listeners and steps to take over. */
export async function insertRow(
  database: Database | Transaction<Tables>,
  run: InsertedRun,
  now: Date,
): Promise<boolean> {
  const row = await database
    .insertInto('workflow_runs')
    .values(toRow(run, now))
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}
