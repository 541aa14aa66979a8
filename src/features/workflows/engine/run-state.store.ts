import { Injectable } from '@nestjs/common';
import { type Transaction } from 'kysely';
import { ANSWER_EVENT, type Problem } from '#open-workflow';
import { Database } from '../../../platform/database/database.js';
import type { Tables } from '../../../platform/database/tables.js';
import { countRows } from '../../../platform/sql/affected-rows.js';
import { dialectOf } from '../../../platform/sql/dialect.js';
import type { RunStatus } from '../runs/run.js';
import { type ClaimedRun, fromText, type InsertedRun } from '../runs/execution/claimed-run.js';
import {
  cancelAll,
  type CancelledRun,
  childrenOf,
  type Ending,
  hasEndedIt,
  UNENDED,
  waitedFor,
  type Woken,
  writeEnd,
} from './run-ending.table.js';
import { insertRow, insertRun } from './run-insertion.table.js';
import { CLAIMED, toClaimed } from './run-rows.table.js';

/** Earlier than the clock of any replica. */
const AT_ONCE = new Date(0).toISOString();

/** The outcome of trying to suspend a run. */
export type Suspension = 'suspended' | 'has news' | 'lost';

/** The effects of the end of a run on others. */
export interface AffectedRuns {
  /** Runs that may continue. */
  woken: Woken[];
  cancelled: CancelledRun[];
}

/**
 * The states of runs, as changed by their execution. Lock order: the parent before its children, and runs before events. A run
 * that is being suspended is locked before the check for news.
 */
@Injectable()
export class RunStateStore {
  constructor(private readonly database: Database) {}

  /** Inserts a run with its listeners. Returns false when one with this id or idempotency key exists. */
  async insert(run: InsertedRun, now: Date): Promise<boolean> {
    if (run.eventTypes.length === 0 && run.takesOver === null) return insertRow(this.database, run, now);
    return this.database.transaction().execute((transaction) => insertRun(transaction, run, now));
  }

  countBelow(root: string): Promise<number> {
    return countRows(this.database.selectFrom('workflow_runs').where('root', '=', root));
  }

  /**
   * Claims a run for this process, which ends the right of any other to write. Completes sleeps that are due. Returns undefined
   * when the run has ended, or has nothing to do yet.
   */
  async claim(id: string, partitions: readonly number[], now: Date): Promise<ClaimedRun | undefined> {
    if (partitions.length === 0) return undefined;
    const at = now.toISOString();
    return this.database.transaction().execute(async (transaction) => {
      const row = await transaction
        .updateTable('workflow_runs')
        .set((set) => ({ status: 'running', wake_at: null, updated_at: at, epoch: set('epoch', '+', 1) }))
        .where('id', '=', id)
        .where('partition', 'in', partitions)
        .where((where) =>
          where.or([
            where('status', 'in', ['pending', 'running']),
            where.and([where('status', '=', 'waiting'), where('wake_at', '<=', at)]),
          ]),
        )
        .returning(CLAIMED)
        .executeTakeFirst();
      if (!row) return undefined;
      await transaction
        .updateTable('workflow_steps')
        .set((set) => ({ status: 'completed', ended_at: set.ref('wake_at') }))
        .where('run_id', '=', id)
        .where('kind', '=', 'sleep')
        .where('status', '=', 'waiting')
        .where('wake_at', '<=', at)
        .execute();
      return toClaimed(row);
    });
  }

  /** Lists runs that nobody may be executing, oldest first. */
  async listRunnable(partitions: readonly number[], limit: number): Promise<string[]> {
    if (partitions.length === 0) return [];
    const rows = await this.database
      .selectFrom('workflow_runs')
      .select('id')
      .where('status', 'in', ['pending', 'running'])
      .where('partition', 'in', partitions)
      .orderBy('created_at')
      .limit(limit)
      .execute();
    return rows.map(({ id }) => id);
  }

  /** Lists waiting runs that resume until a time, earliest first. */
  async listDue(partitions: readonly number[], until: Date, limit: number): Promise<{ id: string; wakeAt: Date }[]> {
    if (partitions.length === 0) return [];
    const rows = await this.database
      .selectFrom('workflow_runs')
      .select(['id', 'wake_at'])
      .where('status', '=', 'waiting')
      .where('wake_at', 'is not', null)
      .where('wake_at', '<=', until.toISOString())
      .where('partition', 'in', partitions)
      .orderBy('wake_at')
      .limit(limit)
      .execute();
    return rows.map(({ id, wake_at }) => ({ id, wakeAt: new Date(wake_at ?? 0) }));
  }

  /**
   * Suspends a run until a time, an event, or the end of a child.
   * @param seenEvents the last event that all steps that wait for events have checked; null = no step waits for an event
   */
  suspend({ id, epoch }: ClaimedRun, wakeAt: Date | null, seenEvents: number | null, now: Date): Promise<Suspension> {
    return this.database.transaction().execute(async (transaction) => {
      const row = await transaction
        .updateTable('workflow_runs')
        .set({ status: 'waiting', wake_at: wakeAt?.toISOString() ?? null, updated_at: now.toISOString() })
        .where('id', '=', id)
        .where('epoch', '=', epoch)
        .where('status', '=', 'running')
        .returning('id')
        .executeTakeFirst();
      if (!row) return 'lost';
      if (!(await hasNews(transaction, id, seenEvents))) return 'suspended';
      await transaction
        .updateTable('workflow_runs')
        .set({ status: 'running', wake_at: null })
        .where('id', '=', id)
        .execute();
      return 'has news';
    });
  }

  /**
   * Ends a run, wakes its parent, and cancels the children for which its steps wait: a step that is stopped on Restate may start
   * a child late. Returns null when this execution has lost the right to do so. When it has already ended the run, because the first
   * response was lost, returns the parent again.
   */
  end(run: ClaimedRun, ending: Ending, now: Date): Promise<AffectedRuns | null> {
    return this.database.transaction().execute(async (transaction) => {
      const woken = run.parent === null ? [] : await wake(transaction, [run.parent]);
      const left = await writeEnd(transaction, run.id, run.epoch, ending, now);
      const cancelled: CancelledRun[] = [];
      if (!left) return (await hasEndedIt(transaction, run, ending)) ? { woken, cancelled } : null;
      if (left.includes('child')) await cancelAll(transaction, await waitedFor(transaction, [run.id]), now, cancelled);
      return { woken, cancelled };
    });
  }

  /**
   * Cancels a run that has not ended, with the children for which it waits. Returns the runs that were cancelled, and the parent
   * that was woken; empty when the run had ended.
   */
  async cancel(id: string, now: Date): Promise<AffectedRuns> {
    const cancelled: CancelledRun[] = [];
    let woken: Woken[] = [];
    const change = this.database.transaction().execute(async (transaction) => {
      const found = await transaction
        .selectFrom('workflow_runs')
        .select(['id', 'partition', 'name', 'client', 'origin', 'parent'])
        .where('id', '=', id)
        .executeTakeFirst();
      if (!found) return;
      const parents = found.parent === null ? [] : await wake(transaction, [found.parent]);
      await cancelAll(transaction, [found], now, cancelled);
      if (cancelled.length > 0) woken = parents;
    });
    await change.catch(async (error: unknown) => {
      // If only the answer was lost, nobody else would report the ends of these runs.
      const isMade = cancelled.length > 0 && (await this.wasCancelled(id, now).catch(() => false));
      if (!isMade) throw error;
    });
    return { cancelled, woken };
  }

  /** Returns whether a run was cancelled at this time. Waits for a transaction that is still doing so. */
  private async wasCancelled(id: string, at: Date): Promise<boolean> {
    let run = this.database
      .selectFrom('workflow_runs')
      .select('id')
      .where('id', '=', id)
      .where('status', '=', 'cancelled')
      .where('ended_at', '=', at.toISOString());
    if (dialectOf(this.database) === 'postgres') run = run.forUpdate();
    return (await run.execute()).length > 0;
  }

  /** Returns whether this process may still write a run: nobody has cancelled or claimed it since. */
  async isHeld({ id, epoch }: ClaimedRun): Promise<boolean> {
    const run = this.database.selectFrom('workflow_runs').select('id').where('id', '=', id).where('epoch', '=', epoch);
    return (await run.executeTakeFirst()) !== undefined;
  }

  /** Returns the ends of runs; unended runs are left out. */
  async listEndings(ids: readonly string[]): Promise<Map<string, { ending: Ending; at: string }>> {
    if (ids.length === 0) return new Map();
    const rows = await this.database
      .selectFrom('workflow_runs')
      .select(['id', 'status', 'output', 'error', 'ended_at'])
      .where('id', 'in', ids)
      .where('ended_at', 'is not', null)
      .execute();
    return new Map(rows.map((row) => [row.id, { ending: toEnding(row), at: row.ended_at ?? '' }]));
  }
}

/**
 * Locks runs, parents before children as everywhere, and resumes the waiting ones, except those on Restate, where Restate must be
 * notified. Returns all that have not ended.
 */
export async function wake(transaction: Transaction<Tables>, ids: readonly string[]): Promise<Woken[]> {
  let locked = transaction
    .selectFrom('workflow_runs')
    .select(['id', 'partition', 'status'])
    .where('id', 'in', ids)
    .where('status', 'in', UNENDED)
    .orderBy('depth')
    .orderBy('id');
  if (dialectOf(transaction) === 'postgres') locked = locked.forUpdate();
  const rows = await locked.execute();
  const waiting = rows.filter(({ status, partition }) => status === 'waiting' && partition >= 0).map(({ id }) => id);
  if (waiting.length > 0) {
    await transaction.updateTable('workflow_runs').set({ wake_at: AT_ONCE }).where('id', 'in', waiting).execute();
  }
  return rows;
}

/** Returns whether an unchecked event has arrived, or an awaited child has ended. */
async function hasNews(transaction: Transaction<Tables>, id: string, seenEvents: number | null): Promise<boolean> {
  if (seenEvents !== null) {
    const event = await transaction
      .selectFrom('workflow_events')
      .select('seq')
      .where('run_id', '=', id)
      .where('seq', '>', seenEvents)
      .where((where) => where.or([where('consumed_by', 'is', null), where('type', '=', ANSWER_EVENT)]))
      .limit(1)
      .executeTakeFirst();
    if (event) return true;
  }
  const child = await childrenOf(transaction, [id])
    .select('child.id')
    .where('child.ended_at', 'is not', null)
    .where('step.status', '=', 'waiting')
    .limit(1)
    .executeTakeFirst();
  return child !== undefined;
}

function toEnding(row: { status: string; output: string | null; error: string | null }): Ending {
  switch (row.status as RunStatus) {
    case 'completed':
      return { status: 'completed', output: fromText(row.output) };
    case 'failed':
      return { status: 'failed', error: JSON.parse(row.error ?? 'null') as Problem };
    default:
      return { status: 'cancelled' };
  }
}
