import { Injectable } from '@nestjs/common';
import type { Transaction } from 'kysely';
import { type CloudEvent, type EventWait, type Json, matchesEvent, type StepRef } from '#open-workflow';
import { Database } from '../../../../platform/database/database.js';
import type { Tables } from '../../../../platform/database/tables.js';
import type { RunStatus } from '../../runs/run.js';
import { type ClaimedRun, fromText, ON_RESTATE, toText } from '../../runs/execution/claimed-run.js';
import { CLAIMED, toClaimed } from '../run-rows.table.js';
import { wake } from '../run-state.store.js';
import {
  countQuestions,
  findStep,
  recordStep,
  type StepRecord,
  type StepWait,
  type StoredStep,
} from '../step.store.js';

/** A step that has what it waited for, and what is to be resolved on Restate to let it continue. */
export interface UntoldStep {
  runId: string;
  step: string;
  awakeable: string;
}

/** A run that waits for an event, which it may have now. */
export interface Listening {
  run: ClaimedRun;
  step: StepRef;
  record: StepRecord;
  wait: EventWait;
  awakeable: string;
}

/** What only runs on Restate need of the database. */
@Injectable()
export class RestateRunStore {
  constructor(private readonly database: Database) {}

  /** Returns a run, whatever has become of it; undefined when there is none (any more). */
  async find(id: string): Promise<ClaimedRun | undefined> {
    const row = await this.database
      .selectFrom('workflow_runs')
      .select(CLAIMED)
      .where('id', '=', id)
      .where('partition', '=', ON_RESTATE)
      .executeTakeFirst();
    return row && { ...toClaimed(row), epoch: 1 };
  }

  /** Lets a run that is pending, or waits, continue. Returns whether it did not run before. */
  async goOn(id: string, now: Date): Promise<boolean> {
    const row = await this.database
      .updateTable('workflow_runs')
      .set({ status: 'running', epoch: 1, wake_at: null, updated_at: now.toISOString() })
      .where('id', '=', id)
      .where('status', 'in', ['pending', 'waiting'])
      .returning('id')
      .executeTakeFirst();
    return row !== undefined;
  }

  /** Returns the status of a run, and one of its steps; undefined when there is no such run (any more). */
  async look(id: string, step: string): Promise<{ status: RunStatus; step: StoredStep | undefined } | undefined> {
    const run = await this.database
      .selectFrom('workflow_runs')
      .select('status')
      .where('id', '=', id)
      .executeTakeFirst();
    return run && { status: run.status as RunStatus, step: await findStep(this.database, id, step) };
  }

  /** Returns the inputs that an administrator has put in the place of tasks' own, by the names that they are kept under. */
  async listReplacedInputs(id: string): Promise<Map<string, Json>> {
    const rows = await this.database
      .selectFrom('workflow_steps')
      .select(['name', 'output'])
      .where('run_id', '=', id)
      .where('kind', '=', 'input')
      .execute();
    return new Map(rows.map(({ name, output }) => [name, fromText(output)]));
  }

  /**
   * Records a step that waits for an event, and gives it one that has come before. Returns whether this execution may
   * still write, and the event.
   */
  listen(
    { run, step, record, wait, awakeable }: Listening,
    now: Date,
  ): Promise<{ isOurs: boolean; event?: CloudEvent }> {
    return this.database.transaction().execute(async (transaction) => {
      // Whoever delivers an event takes the same lock first.
      await wake(transaction, [run.id]);
      const found = wait.question ? undefined : await firstLike(transaction, run.id, wait);
      const at = now.toISOString();
      const isOurs = await recordStep(
        transaction,
        run,
        step,
        found ? { ...record, status: 'completed', output: found.event, endedAt: at } : record,
      );
      if (!isOurs) return { isOurs };
      if (found) {
        await transaction
          .updateTable('workflow_events')
          .set({ consumed_by: step.name })
          .where('seq', '=', found.seq)
          .execute();
        return { isOurs, event: found.event };
      }
      await transaction
        .updateTable('workflow_steps')
        .set({ awakeable })
        .where('run_id', '=', run.id)
        .where('name', '=', step.name)
        .execute();
      if (wait.question) await countQuestions(transaction, run.id);
      return { isOurs };
    });
  }

  /** Gives an event that has just come to the steps that wait for one like it: in each run to the first. */
  async handOut(
    transaction: Transaction<Tables>,
    runIds: readonly string[],
    event: CloudEvent,
    now: Date,
  ): Promise<UntoldStep[]> {
    if (runIds.length === 0) return [];
    const waiting = await transaction
      .selectFrom('workflow_steps')
      .select(['run_id', 'name', 'wait', 'awakeable'])
      .where('run_id', 'in', runIds)
      .where('kind', '=', 'event')
      .where('status', '=', 'waiting')
      .where('awakeable', 'is not', null)
      .orderBy('started_at')
      .orderBy('name')
      .execute();
    const reached = new Map<string, UntoldStep>();
    for (const { run_id, name, wait, awakeable } of waiting) {
      const waited = JSON.parse(wait ?? 'null') as StepWait | null;
      if (reached.has(run_id) || !waited || !('event' in waited) || !matchesEvent(waited.event.with, event)) continue;
      reached.set(run_id, { runId: run_id, step: name, awakeable: awakeable ?? '' });
    }
    for (const { runId, step } of reached.values()) {
      await transaction
        .updateTable('workflow_steps')
        .set({ status: 'completed', output: toText(event), ended_at: now.toISOString() })
        .where('run_id', '=', runId)
        .where('name', '=', step)
        .execute();
      await transaction
        .updateTable('workflow_events')
        .set({ consumed_by: step })
        .where('run_id', '=', runId)
        .where('source_id', '=', `${event.source} ${event.id}`)
        .execute();
    }
    return [...reached.values()];
  }

  /** Lists steps that have what they waited for, but have not been told, the first first. */
  async listUntold(limit: number, runId?: string): Promise<UntoldStep[]> {
    let query = this.database
      .selectFrom('workflow_steps')
      .select(['run_id', 'name', 'awakeable'])
      .where('awakeable', 'is not', null)
      .where('status', '=', 'completed')
      .orderBy('ended_at')
      .limit(limit);
    if (runId !== undefined) query = query.where('run_id', '=', runId);
    const rows = await query.execute();
    return rows.map(({ run_id, name, awakeable }) => ({ runId: run_id, step: name, awakeable: awakeable ?? '' }));
  }

  /** Notes that a step has been told. */
  async told(runId: string, step: string): Promise<void> {
    await this.database
      .updateTable('workflow_steps')
      .set({ awakeable: null })
      .where('run_id', '=', runId)
      .where('name', '=', step)
      .execute();
  }

  /** Lists runs that have been pending since a time, and notes that they have been looked at now. */
  async takeUnsent(before: Date, limit: number, now: Date): Promise<string[]> {
    const rows = await this.database
      .updateTable('workflow_runs')
      .set({ updated_at: now.toISOString() })
      .where('status', '=', 'pending')
      .where('id', 'in', (runs) =>
        runs
          .selectFrom('workflow_runs')
          .select('id')
          .where('status', '=', 'pending')
          .where('partition', '=', ON_RESTATE)
          .where('updated_at', '<', before.toISOString())
          .orderBy('created_at')
          .limit(limit),
      )
      .returning('id')
      .execute();
    return rows.map(({ id }) => id);
  }

  /** Counts the runs that have not ended and are executed by the embedded engine, which is not running. */
  async countEmbedded(): Promise<number> {
    const { count } = await this.database
      .selectFrom('workflow_runs')
      .select((select) => select.fn.countAll<number | string>().as('count'))
      .where('status', 'in', ['pending', 'running', 'waiting'])
      .where('partition', '>=', 0)
      .executeTakeFirstOrThrow();
    return Number(count);
  }
}

/** Returns the first event that a run has kept and a step waits for. */
async function firstLike(
  transaction: Transaction<Tables>,
  runId: string,
  wait: EventWait,
): Promise<{ seq: number; event: CloudEvent } | undefined> {
  const rows = await transaction
    .selectFrom('workflow_events')
    .select(['seq', 'event'])
    .where('run_id', '=', runId)
    .where('consumed_by', 'is', null)
    .orderBy('seq')
    .execute();
  return rows
    .map(({ seq, event }) => ({ seq: Number(seq), event: JSON.parse(event) as CloudEvent }))
    .find(({ event }) => matchesEvent(wait.with, event));
}
