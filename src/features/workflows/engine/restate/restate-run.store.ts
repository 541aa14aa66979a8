import { Injectable } from '@nestjs/common';
import { sql, type Transaction } from 'kysely';
import { type CloudEvent, type Json, matchesEvent, type StepRef } from '#open-workflow';
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

/** An event that a run has kept. */
export interface KeptEvent {
  seq: number;
  event: CloudEvent;
}

/** The inputs that an administrator has put in the place of tasks' own. */
export interface ReplacedInputs {
  /** By the names that they are kept under. */
  inputs: Map<string, Json>;
  /** The number after which the run begins; 0 = with nothing. */
  seq: number;
}

/** A step that has looked at the events that its run has kept. */
export interface Listening {
  run: ClaimedRun;
  step: StepRef;
  /** What is recorded if it waits on. */
  record: StepRecord;
  awakeable: string;
  /** The event that it takes, if it is still there. */
  found?: KeptEvent | undefined;
  /** The `seq` of the last event that does not fit; Infinity = it looks at none. */
  seen: number;
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

  /** Returns the number of what has happened last in a run; 0 = nothing has. */
  async lastSeq(id: string): Promise<number> {
    const { last } = await this.database
      .selectFrom('workflow_steps')
      .select((select) => select.fn.max<number | null>(sql`coalesce(end_seq, seq)`).as('last'))
      .where('run_id', '=', id)
      .executeTakeFirstOrThrow();
    return last ?? 0;
  }

  /** Lists the events after one that no step of a run has taken, in the order of their arrival. */
  async listKept(runId: string, after: number): Promise<KeptEvent[]> {
    const rows = await keptAfter(this.database, runId, after).select(['seq', 'event']).orderBy('seq').execute();
    return rows.map(({ seq, event }) => ({ seq: Number(seq), event: JSON.parse(event) as CloudEvent }));
  }

  /**
   * Records a step that waits for an event, or takes one. Nothing is recorded when this execution may no longer write, or when
   * there are other events now.
   */
  listen(listening: Listening, now: Date): Promise<'recorded' | 'has news' | 'lost'> {
    return this.database.transaction().execute(async (transaction) => {
      const { run, step, record, found, seen } = listening;
      // Whoever delivers an event takes the same lock first.
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

  /**
   * Gives an event that has just come to the steps that wait for one like it: in each run to the first. If all of them test
   * events, they are to look at it themselves.
   */
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
      .orderBy('seq')
      .orderBy('name')
      .execute();
    const like = waiting.flatMap(({ run_id, name, wait, awakeable }) => {
      const waited = JSON.parse(wait ?? 'null') as StepWait | null;
      if (!waited || !('event' in waited) || !matchesEvent(waited.event.with, event)) return [];
      return [{ runId: run_id, step: name, awakeable: awakeable ?? '', isTested: waited.isTested === true }];
    });
    const reached = new Map<string, UntoldStep>();
    for (const step of like) if (!step.isTested && !reached.has(step.runId)) reached.set(step.runId, step);
    for (const { runId, step } of reached.values()) await complete(transaction, { runId, step, event, now });
    const looking = like.filter(({ runId }) => !reached.has(runId));
    for (const { runId, step } of looking) {
      await transaction
        .updateTable('workflow_steps')
        .set({ wake_at: now.toISOString() })
        .where('run_id', '=', runId)
        .where('name', '=', step)
        .execute();
    }
    return [...reached.values(), ...looking];
  }

  /** Gives events that are free again to the steps of a run that wait for one like them. */
  async handOutAll(
    transaction: Transaction<Tables>,
    runId: string,
    events: readonly CloudEvent[],
    now: Date,
  ): Promise<void> {
    for (const event of events) await this.handOut(transaction, [runId], event, now);
  }

  /** Lists steps that have what they waited for, or are to look whether they have, but have not been told, the first first. */
  async listUntold(limit: number, runId?: string): Promise<UntoldStep[]> {
    const untold = () => {
      const steps = this.database
        .selectFrom('workflow_steps')
        .select(['run_id', 'name', 'awakeable'])
        .where('awakeable', 'is not', null)
        .limit(limit);
      return runId === undefined ? steps : steps.where('run_id', '=', runId);
    };
    // Two statements, each with its partial index.
    const ended = await untold().where('status', '=', 'completed').orderBy('ended_at').execute();
    const looking = await untold().where('status', '=', 'waiting').where('wake_at', 'is not', null).execute();
    return [...ended, ...looking].map(({ run_id, name, awakeable }) => ({
      runId: run_id,
      step: name,
      awakeable: awakeable ?? '',
    }));
  }

  /** Notes that a step has been told. @param awakeable by which; absent = by any. It may wait by another one again. */
  async told(runId: string, step: string, awakeable?: string): Promise<void> {
    let steps = this.database
      .updateTable('workflow_steps')
      .set({ awakeable: null })
      .where('run_id', '=', runId)
      .where('name', '=', step);
    if (awakeable !== undefined) steps = steps.where('awakeable', '=', awakeable);
    await steps.execute();
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

const keptAfter = (database: Database | Transaction<Tables>, runId: string, seq: number) =>
  database
    .selectFrom('workflow_events')
    .where('run_id', '=', runId)
    .where('consumed_by', 'is', null)
    .where('seq', '>', seq);

/** Gives a step an event that its run has kept, unless another has it now. */
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
  // What let it look need not be told any more.
  await transaction
    .updateTable('workflow_steps')
    .set({ awakeable: null })
    .where('run_id', '=', run.id)
    .where('name', '=', step.name)
    .execute();
  return 'recorded';
}

/** Gives a step that waits an event that has just come. */
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
