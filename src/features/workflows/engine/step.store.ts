import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { type Selectable, sql, type Transaction } from 'kysely';
import { ANSWER_EVENT, type CloudEvent, type EventWait, type Json, type Problem, type StepRef } from '#open-workflow';
import { Database } from '../../../platform/database/database.js';
import type { Tables } from '../../../platform/database/tables.js';
import type { WorkflowStepTable } from '../../../platform/database/workflow-tables.js';
import { dialectOf } from '../../../platform/sql/dialect.js';
import type { StepKind, StepStatus } from '../runs/run.js';
import { type ClaimedRun, fromText, type InsertedRun, toText } from '../runs/execution/claimed-run.js';
import { insertRun } from './run-insertion.table.js';
import { lockRun } from './run-lock.table.js';
import { type BlocksToStop, releaseEvents, stopWithin } from './stopped-steps.table.js';

const NAMES_AT_ONCE = 500;
const BYTES_AT_ONCE = 2_000_000;
const STORED = [
  'name',
  'seq',
  'end_seq',
  'status',
  'starts',
  'output',
  'error',
  'wait',
  'wake_at',
  'started_at',
  'ended_at',
] as const satisfies readonly (keyof WorkflowStepTable)[];

export interface StoredStep {
  name: string;
  seq: number;
  /** null = it has no blocks, or they have not ended. */
  endSeq: number | null;
  status: StepStatus;
  starts: number;
  output: Json;
  error: Problem | null;
  wait: StepWait | null;
  wakeAt: Date | null;
  startedAt: string;
  endedAt: string | null;
}

export type StepWait = EventStepWait | { child: string };

interface EventStepWait {
  event: EventWait;
  /** True when an event must also pass a test of the workflow. */
  isTested?: boolean;
  /** The `seq` of the last event that the step has checked: up to it, none matches. Absent: none checked. */
  seen?: number;
}

/** Returns the `seq` of the last event that a step is known to have checked; 0 = none. */
export const seenBy = (step: StoredStep | undefined): number =>
  step?.wait && 'event' in step.wait ? (step.wait.seen ?? 0) : 0;

/** The data to write about a step. Omitted members stay unchanged. */
export interface StepRecord {
  /** The sequence number of its start, which orders the steps of a run. */
  seq: number;
  /** The sequence number of the end of the blocks within it. */
  endSeq?: number;
  kind: StepKind;
  status: StepStatus;
  starts?: number;
  input?: Json;
  output?: Json;
  error?: Problem | null;
  wait?: StepWait;
  wakeAt?: Date | null;
  startedAt: string;
  endedAt?: string;
}

type AtGivingBack = (transaction: Transaction<Tables>, events: readonly CloudEvent[]) => Promise<void>;

interface StepSize {
  name: string;
  bytes: number;
}

/** The steps of runs, as recorded by their execution. Only the latest execution of a run can write. */
@Injectable()
export class StepStore {
  constructor(private readonly database: Database) {}

  /** Reads all steps of a run, in portions, yielding the main thread in between. */
  async load(runId: string): Promise<Map<string, StoredStep>> {
    const steps = new Map<string, StoredStep>();
    for (let after = ''; ;) {
      const sizes = await this.sizesAfter(runId, after);
      for (const last of endsOfPortions(sizes)) {
        if (after !== '') await nextTurn();
        for (const step of await this.between(runId, after, last)) steps.set(step.name, step);
        after = last;
      }
      if (sizes.length < NAMES_AT_ONCE) return steps;
    }
  }

  private sizesAfter(runId: string, name: string): Promise<StepSize[]> {
    return this.database
      .selectFrom('workflow_steps')
      .select(['name', sql<number>`coalesce(octet_length(output), 0)`.as('bytes')])
      .where('run_id', '=', runId)
      .where('name', '>', name)
      .orderBy('name')
      .limit(NAMES_AT_ONCE)
      .execute();
  }

  /** Reads the steps whose names are after one, up to and including another. */
  private async between(runId: string, after: string, last: string): Promise<StoredStep[]> {
    const rows = await this.database
      .selectFrom('workflow_steps')
      .select(STORED)
      .where('run_id', '=', runId)
      .where('name', '>', after)
      .where('name', '<=', last)
      .execute();
    return rows.map(toStep);
  }

  /** Writes a step; returns whether this execution still had the right to write. */
  record(run: ClaimedRun, step: StepRef, record: StepRecord): Promise<boolean> {
    return recordStep(this.database, run, step, record);
  }

  /**
   * Records the outcome of competing blocks, and releases the events that the losers have taken: in one transaction, because the
   * blocks may end in another order when they are executed again.
   * @param also further work with these events
   * @returns whether this execution may still write
   */
  recordWinner(
    run: ClaimedRun,
    step: StepRef,
    record: StepRecord,
    losers: readonly string[],
    also: AtGivingBack = async () => {},
  ): Promise<boolean> {
    return this.database.transaction().execute(async (transaction) => {
      if (!(await lockRun(transaction, run.id, run.epoch))) return false;
      if (!(await recordStep(transaction, run, step, record))) return false;
      await also(transaction, await releaseEvents(transaction, run.id, losers));
      return true;
    });
  }

  /** Records a step that waits for a run, and inserts that run. Returns whether this execution may still write. */
  recordChild(run: ClaimedRun, step: StepRef, record: StepRecord, child: InsertedRun, now: Date): Promise<boolean> {
    return this.database.transaction().execute(async (transaction) => {
      if (!(await recordStep(transaction, run, step, record))) return false;
      await insertRun(transaction, child, now);
      return true;
    });
  }

  /** Records a step that asks a person. Returns whether this execution may still write. */
  recordQuestion(run: ClaimedRun, step: StepRef, record: StepRecord): Promise<boolean> {
    return this.database.transaction().execute(async (transaction) => {
      if (!(await lockRun(transaction, run.id, run.epoch))) return false;
      if (!(await recordStep(transaction, run, step, record))) return false;
      await countQuestions(transaction, run.id);
      return true;
    });
  }

  /**
   * Records that all steps of blocks have been stopped, unless another execution has the run now.
   * @returns the ids of the runs that the steps waited for, including previously stopped steps: the process may have
   *   died before it cancelled those runs
   */
  cancelWithin(blocks: BlocksToStop, now: Date): Promise<string[]> {
    return this.database.transaction().execute(async (transaction) => {
      const { waits, hasQuestions } = await stopWithin(transaction, blocks, now);
      if (hasQuestions) await countQuestions(transaction, blocks.runId);
      return waits.flatMap((wait) => {
        const waited = JSON.parse(wait) as StepWait;
        return 'child' in waited ? [waited.child] : [];
      });
    });
  }

  /**
   * Lists the events after `seen` that no step has consumed yet, including answers, which were assigned to their steps on
   * arrival; in order of arrival.
   */
  async listEvents(runId: string, seen: number): Promise<{ seq: number; event: CloudEvent; step: string | null }[]> {
    const rows = await this.database
      .selectFrom('workflow_events')
      .select(['seq', 'event', 'consumed_by'])
      .where('run_id', '=', runId)
      .where('seq', '>', seen)
      .where((where) => where.or([where('consumed_by', 'is', null), where('type', '=', ANSWER_EVENT)]))
      .orderBy('seq')
      .execute();
    return rows.map(({ seq, event, consumed_by }) => ({
      seq: Number(seq),
      event: JSON.parse(event) as CloudEvent,
      step: consumed_by,
    }));
  }

  /** Gives an event to the step that waited for it. Returns whether this execution may still write. */
  consume(run: ClaimedRun, step: StepRef, record: StepRecord, seq: number): Promise<boolean> {
    return this.database.transaction().execute(async (transaction) => {
      if (!(await recordStep(transaction, run, step, record))) return false;
      await transaction.updateTable('workflow_events').set({ consumed_by: step.name }).where('seq', '=', seq).execute();
      return true;
    });
  }

  /** Records which events the waiting steps of a run have checked, so that these need not be tested again. */
  async noteSeen(runId: string, steps: readonly { name: string; wait: StepWait }[]): Promise<void> {
    if (steps.length === 0) return;
    await this.database.transaction().execute(async (transaction) => {
      for (const { name, wait } of steps)
        await transaction
          .updateTable('workflow_steps')
          .set({ wait: JSON.stringify(wait) })
          .where('run_id', '=', runId)
          .where('name', '=', name)
          .where('status', '=', 'waiting')
          .execute();
    });
  }

  async log(runId: string, step: string | null, level: 'info' | 'warning' | 'error', message: string): Promise<void> {
    await this.database
      .insertInto('workflow_logs')
      .values({ run_id: runId, step, level, message: message.slice(0, 2_000), logged_at: new Date().toISOString() })
      .execute();
  }
}

/** Returns the row of a step; undefined when there is none. */
export async function findStep(
  database: Database | Transaction<Tables>,
  runId: string,
  name: string,
): Promise<StoredStep | undefined> {
  const row = await database
    .selectFrom('workflow_steps')
    .select(STORED)
    .where('run_id', '=', runId)
    .where('name', '=', name)
    .executeTakeFirst();
  return row && toStep(row);
}

/**
 * Writes a step in one statement, on condition that this execution still owns the run. An ended step stays unchanged. Returns true
 * again when the same outcome is written again, because the first response was lost.
 */
export async function recordStep(
  database: Database | Transaction<Tables>,
  { id, epoch }: ClaimedRun,
  { name, task, attempt }: StepRef,
  record: StepRecord,
): Promise<boolean> {
  const { seq, endSeq = null, kind, status, starts = 1, startedAt, endedAt = null } = record;
  const input = toText(record.input ?? null);
  const output = toText(record.output ?? null);
  const error = toText(record.error ?? null);
  const wait = record.wait === undefined ? null : JSON.stringify(record.wait);
  const wakeAt = record.wakeAt?.toISOString() ?? null;
  // Two executions of a run may write concurrently. The shared lock on the run makes one of them see that it has lost the run.
  const lock = dialectOf(database) === 'postgres' ? sql`for share` : sql``;
  const { rows } = await sql<{ name: string }>`
    insert into workflow_steps
      (run_id, name, seq, end_seq, task, attempt, kind, status, starts, input, output, error, wait, wake_at, started_at, ended_at)
    select id, ${name}, cast(${seq} as integer), cast(${endSeq} as integer), ${task}, cast(${attempt} as integer), ${kind}, ${status}, cast(${starts} as integer),
      cast(${input} as text), cast(${output} as text), cast(${error} as text), cast(${wait} as text),
      cast(${wakeAt} as text), ${startedAt}, cast(${endedAt} as text)
    from workflow_runs where id = ${id} and epoch = ${epoch} and status = 'running' ${lock}
    on conflict (run_id, name) do update set
      end_seq = excluded.end_seq, status = excluded.status, starts = excluded.starts, output = excluded.output, error = excluded.error,
      wake_at = coalesce(excluded.wake_at, workflow_steps.wake_at), ended_at = excluded.ended_at,
      wait = coalesce(excluded.wait, workflow_steps.wait)
    where workflow_steps.status in ('started', 'waiting')
      or (workflow_steps.status = excluded.status and workflow_steps.ended_at = excluded.ended_at
        and workflow_steps.output is not distinct from excluded.output
        and workflow_steps.error is not distinct from excluded.error)
    returning name`.execute(database);
  return rows.length > 0;
}

/** Writes the number of answers for which a run waits. */
export async function countQuestions(database: Database | Transaction<Tables>, runId: string): Promise<void> {
  await database
    .updateTable('workflow_runs')
    .set((set) => ({
      questions: set
        .selectFrom('workflow_steps')
        .select((select) => select.fn.countAll<number>().as('count'))
        .where('run_id', '=', runId)
        .where('status', '=', 'waiting')
        .where('kind', '=', 'question'),
    }))
    .where('id', '=', runId)
    .execute();
}

/** Yields the last name of each portion: a portion is one step, or several that are not too large together. */
function* endsOfPortions(sizes: readonly StepSize[]): Generator<string> {
  let bytes = 0;
  for (const [index, size] of sizes.entries()) {
    bytes += size.bytes;
    const next = sizes[index + 1];
    if (next && bytes + next.bytes <= BYTES_AT_ONCE) continue;
    yield size.name;
    bytes = 0;
  }
}

type StepRow = Pick<Selectable<WorkflowStepTable>, (typeof STORED)[number]>;

function toStep(row: StepRow): StoredStep {
  return {
    name: row.name,
    seq: row.seq,
    endSeq: row.end_seq,
    status: row.status as StepStatus,
    starts: row.starts,
    output: fromText(row.output),
    error: row.error === null ? null : (JSON.parse(row.error) as Problem),
    wait: row.wait === null ? null : (JSON.parse(row.wait) as StepWait),
    wakeAt: row.wake_at === null ? null : new Date(row.wake_at),
    startedAt: row.started_at,
    endedAt: row.ended_at,
  };
}
