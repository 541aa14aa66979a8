import { Injectable } from '@nestjs/common';
import { sql, type Transaction } from 'kysely';
import { type CloudEvent, type Json, matchesEvent, type StepRef } from '#open-workflow';
import { Database } from '../../../../platform/database/database.js';
import type { Tables } from '../../../../platform/database/tables.js';
import { countRows } from '../../../../platform/sql/affected-rows.js';
import { UNENDED } from '../run-ending.table.js';
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

/** A step that has what it waited for, with the awakeable to resolve on Restate so that it continues. */
export interface ReadyStep {
  runId: string;
  step: string;
  awakeable: string;
}

export interface KeptEvent {
  seq: number;
  event: CloudEvent;
}

/** The inputs with which an administrator has replaced those of tasks. */
export interface ReplacedInputs {
  /** By the names under which they are recorded. */
  inputs: Map<string, Json>;
  /** The sequence number after which the run begins; 0 = from the start. */
  seq: number;
}

/** A step that has checked the events that its run has kept. */
export interface Listening {
  run: ClaimedRun;
  step: StepRef;
  /** The record if it continues to wait. */
  record: StepRecord;
  awakeable: string;
  /** The event to take, if it is still available. */
  found?: KeptEvent | undefined;
  /** The `seq` of the last event that does not match; Infinity = it checks none. */
  seen: number;
}

/** Database access for runs on Restate only. */
@Injectable()
export class RestateRunStore {
  constructor(private readonly database: Database) {}

  /** Returns a run in any state; undefined when it does not, or no longer, exist. */
  async find(id: string): Promise<ClaimedRun | undefined> {
    const row = await this.database
      .selectFrom('workflow_runs')
      .select(CLAIMED)
      .where('id', '=', id)
      .where('partition', '=', ON_RESTATE)
      .executeTakeFirst();
    return row && { ...toClaimed(row), epoch: 1 };
  }

  /** Resumes a pending or waiting run. Returns whether it was not running before. */
  async resume(id: string, now: Date): Promise<boolean> {
    const row = await this.database
      .updateTable('workflow_runs')
      .set({ status: 'running', epoch: 1, wake_at: null, updated_at: now.toISOString() })
      .where('id', '=', id)
      .where('status', 'in', ['pending', 'waiting'])
      .returning('id')
      .executeTakeFirst();
    return row !== undefined;
  }

  /** Returns the status of a run, and one of its steps; undefined when the run does not, or no longer, exist. */
  async findState(id: string, step: string): Promise<{ status: RunStatus; step: StoredStep | undefined } | undefined> {
    const run = await this.database
      .selectFrom('workflow_runs')
      .select('status')
      .where('id', '=', id)
      .executeTakeFirst();
    return run && { status: run.status as RunStatus, step: await findStep(this.database, id, step) };
  }

  async findReplacedInputs(id: string): Promise<ReplacedInputs> {
    const rows = await this.database
      .selectFrom('workflow_steps')
      .select(['name', 'seq', 'output'])
      .where('run_id', '=', id)
      .where('kind', '=', 'input')
      .execute();
    return {
      inputs: new Map(rows.map(({ name, output }) => [name, fromText(output)])),
      seq: Math.max(0, ...rows.map(({ seq }) => seq)),
    };
  }

  /** Returns the last sequence number of a run; 0 = none. */
  async lastSeq(id: string): Promise<number> {
    const { last } = await this.database
      .selectFrom('workflow_steps')
      .select((select) => select.fn.max<number | null>(sql`coalesce(end_seq, seq)`).as('last'))
      .where('run_id', '=', id)
      .executeTakeFirstOrThrow();
    return last ?? 0;
  }

  /** Lists the events after one that no step of a run has taken, in order of arrival. */
  async listKept(runId: string, after: number): Promise<KeptEvent[]> {
    const rows = await keptAfter(this.database, runId, after).select(['seq', 'event']).orderBy('seq').execute();
    return rows.map(({ seq, event }) => ({ seq: Number(seq), event: JSON.parse(event) as CloudEvent }));
  }

  /**
   * Records a step that waits for an event, or takes one. Records nothing when this execution may no longer write, or when there
   * are new events.
   */
  listen(listening: Listening, now: Date): Promise<'recorded' | 'has news' | 'lost'> {
    return this.database.transaction().execute(async (transaction) => {
      const { run, step, record, found, seen } = listening;
      // Deliveries of events take the same lock first.
      await wake(transaction, [run.id]);
      if (found) return take(transaction, listening, found, now);
      if (seen !== Infinity && (await keptAfter(transaction, run.id, seen).select('seq').executeTakeFirst()))
        return 'has news';
      if (!(await recordStep(transaction, run, step, record))) return 'lost';
      await transaction
        .updateTable('workflow_steps')
        .set({ awakeable: listening.awakeable, wake_at: null })
        .where('run_id', '=', run.id)
        .where('name', '=', step.name)
        .execute();
      if (record.kind === 'question') await countQuestions(transaction, run.id);
      return 'recorded';
    });
  }

  /** Gives a new event to the first matching step of each run. If all waiting steps test events, they have to check it themselves. */
  async handOut(
    transaction: Transaction<Tables>,
    runIds: readonly string[],
    event: CloudEvent,
    now: Date,
  ): Promise<ReadyStep[]> {
    if (runIds.length === 0) return [];
    const waiting = await transaction
      .selectFrom('workflow_steps')
      .select(['run_id', 'name', 'wait', 'awakeable'])
      .where('run_id', 'in', runIds)
      .where('kind', '=', 'event')
      .where('status', '=', 'waiting')
      .where('awakeable', 'is not', null)
      .orderBy('seq')
      .orderBy('name')
      .execute();
    const like = waiting.flatMap(({ run_id, name, wait, awakeable }) => {
      const waited = JSON.parse(wait ?? 'null') as StepWait | null;
      if (!waited || !('event' in waited) || !matchesEvent(waited.event.with, event)) return [];
      return [{ runId: run_id, step: name, awakeable: awakeable ?? '', isTested: waited.isTested === true }];
    });
    const reached = new Map<string, ReadyStep>();
    for (const step of like) if (!step.isTested && !reached.has(step.runId)) reached.set(step.runId, step);
    for (const { runId, step } of reached.values()) await complete(transaction, { runId, step, event, now });
    const checking = like.filter(({ runId }) => !reached.has(runId));
    for (const { runId, step } of checking) {
      await transaction
        .updateTable('workflow_steps')
        .set({ wake_at: now.toISOString() })
        .where('run_id', '=', runId)
        .where('name', '=', step)
        .execute();
    }
    return [...reached.values(), ...checking];
  }

  /** Gives released events to matching steps of a run. */
  async handOutAll(
    transaction: Transaction<Tables>,
    runId: string,
    events: readonly CloudEvent[],
    now: Date,
  ): Promise<void> {
    for (const event of events) await this.handOut(transaction, [runId], event, now);
  }

  /** Lists steps that have what they waited for, or have to check for it, and have not been notified; oldest first. */
  async listReady(limit: number, runId?: string): Promise<ReadyStep[]> {
    const ready = () => {
      const steps = this.database
        .selectFrom('workflow_steps')
        .select(['run_id', 'name', 'awakeable'])
        .where('awakeable', 'is not', null)
        .limit(limit);
      return runId === undefined ? steps : steps.where('run_id', '=', runId);
    };
    // Two statements, because each uses a partial index.
    const ended = await ready().where('status', '=', 'completed').orderBy('ended_at').execute();
    const checking = await ready().where('status', '=', 'waiting').where('wake_at', 'is not', null).execute();
    return [...ended, ...checking].map(({ run_id, name, awakeable }) => ({
      runId: run_id,
      step: name,
      awakeable: awakeable ?? '',
    }));
  }

  /**
   * Records that a step has been notified. @param awakeable of the notification; absent = any. The step may already wait with
   * another one.
   */
  async markNotified(runId: string, step: string, awakeable?: string): Promise<void> {
    let steps = this.database
      .updateTable('workflow_steps')
      .set({ awakeable: null })
      .where('run_id', '=', runId)
      .where('name', '=', step);
    if (awakeable !== undefined) steps = steps.where('awakeable', '=', awakeable);
    await steps.execute();
  }

  /** Lists runs that have been pending since a time, and records this check. */
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

  async listCancelled(since: Date): Promise<string[]> {
    const rows = await this.database
      .selectFrom('workflow_runs')
      .select('id')
      .where('status', '=', 'cancelled')
      .where('partition', '=', ON_RESTATE)
      .where('ended_at', '>=', since.toISOString())
      .execute();
    return rows.map(({ id }) => id);
  }

  /** Counts the unended runs of the embedded engine, which is not running. */
  countEmbedded(): Promise<number> {
    const unended = this.database.selectFrom('workflow_runs').where('status', 'in', UNENDED);
    return countRows(unended.where('partition', '>=', 0));
  }
}

const keptAfter = (database: Database | Transaction<Tables>, runId: string, seq: number) =>
  database
    .selectFrom('workflow_events')
    .where('run_id', '=', runId)
    .where('consumed_by', 'is', null)
    .where('seq', '>', seq);

/** Gives a step an event that its run has kept, unless another step has taken it. */
async function take(
  transaction: Transaction<Tables>,
  { run, step, record }: Listening,
  { seq, event }: KeptEvent,
  now: Date,
): Promise<'recorded' | 'has news' | 'lost'> {
  const isThere = await keptAfter(transaction, run.id, seq - 1)
    .select('seq')
    .where('seq', '=', seq)
    .executeTakeFirst();
  if (!isThere) return 'has news';
  const ended = { ...record, status: 'completed', output: event, endedAt: now.toISOString() } as const;
  if (!(await recordStep(transaction, run, step, ended))) return 'lost';
  await transaction.updateTable('workflow_events').set({ consumed_by: step.name }).where('seq', '=', seq).execute();
  // The notification that led to this check is done.
  await transaction
    .updateTable('workflow_steps')
    .set({ awakeable: null })
    .where('run_id', '=', run.id)
    .where('name', '=', step.name)
    .execute();
  return 'recorded';
}

/** Gives a new event to a waiting step. */
async function complete(
  transaction: Transaction<Tables>,
  { runId, step, event, now }: { runId: string; step: string; event: CloudEvent; now: Date },
): Promise<void> {
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
