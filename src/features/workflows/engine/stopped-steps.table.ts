import type { Transaction } from 'kysely';
import { ANSWER_EVENT, type CloudEvent } from '#open-workflow';
import type { Tables } from '../../../platform/database/tables.js';
import { lockRun } from './run-lock.table.js';

const NAMES_AT_ONCE = 500;

/** Blocks of a run that are stopped, with all steps in them. */
export interface BlocksToStop {
  runId: string;
  /** The execution that stops them: only the latest can. null = any, also after the run has ended. */
  epoch: number | null;
  /** Names of the steps at which the blocks begin. */
  blocks: readonly string[];
  /** Name of the step that waits for the blocks and continues; that of a timeout also begins with the name of the block. */
  watcher: string;
}

interface Stopped {
  /** The stored waits of the steps. */
  waits: string[];
  /** True when a person was asked. */
  hasQuestions: boolean;
}

/** Marks the steps of blocks as stopped. Returns their waits, including those of previously stopped steps. */
export async function stopWithin(
  transaction: Transaction<Tables>,
  { runId, epoch, blocks, watcher }: BlocksToStop,
  now: Date,
): Promise<Stopped> {
  if (!(await lockRun(transaction, runId, epoch))) return { waits: [], hasQuestions: false };
  const begins = new Set(blocks);
  const rows = await listStoppable(transaction, runId);
  const found = rows.filter(({ name }) => name !== watcher && isWithin(begins, name));
  const open = found.filter(({ status }) => status !== 'cancelled');
  const names = open.map(({ name }) => name);
  for (let from = 0; from < names.length; from += NAMES_AT_ONCE) {
    await transaction
      .updateTable('workflow_steps')
      .set({ status: 'cancelled', ended_at: now.toISOString() })
      .where('run_id', '=', runId)
      .where('name', 'in', names.slice(from, from + NAMES_AT_ONCE))
      .where('status', 'in', ['started', 'waiting'])
      .execute();
  }
  return {
    waits: found.flatMap(({ wait }) => (wait === null ? [] : [wait])),
    hasQuestions: open.some(({ kind }) => kind === 'question'),
  };
}

/**
 * Releases the events that steps of blocks have taken, as if they arrived now: waiting steps have already checked earlier ones.
 * @returns these events
 */
export async function releaseEvents(
  transaction: Transaction<Tables>,
  runId: string,
  blocks: readonly string[],
): Promise<CloudEvent[]> {
  const begins = new Set(blocks);
  const released: CloudEvent[] = [];
  const rows = await transaction
    .selectFrom('workflow_events')
    .select(['seq', 'consumed_by'])
    .where('run_id', '=', runId)
    .where('consumed_by', 'is not', null)
    .where('type', '<>', ANSWER_EVENT)
    .orderBy('seq')
    .execute();
  for (const { seq } of rows.filter(({ consumed_by }) => isWithin(begins, consumed_by ?? ''))) {
    const { seq: _before, ...row } = await transaction
      .deleteFrom('workflow_events')
      .where('seq', '=', seq)
      .returningAll()
      .executeTakeFirstOrThrow();
    await transaction
      .insertInto('workflow_events')
      .values({ ...row, consumed_by: null })
      .execute();
    released.push(JSON.parse(row.event) as CloudEvent);
  }
  return released;
}

/** Selects the steps that have not ended, and those whose runs must not continue. */
const listStoppable = (transaction: Transaction<Tables>, runId: string) =>
  transaction
    .selectFrom('workflow_steps')
    .select(['name', 'kind', 'status', 'wait'])
    .where('run_id', '=', runId)
    .where((where) =>
      where.or([
        where('status', 'in', ['started', 'waiting']),
        where.and([where('status', '=', 'cancelled'), where('kind', '=', 'child')]),
      ]),
    )
    .execute();

/**
 * Returns whether a step is the start of a block or within it. Within it, the name continues with a path, a later round of the
 * task (`!2`) or the key of a question. Names of later attempts, visits and iterations (`~2`, `@2`, `#1`) also begin with the
 * block's name, but are not within: the rest of an attempt may be stopped while the next one is in progress.
 */
function isWithin(blocks: ReadonlySet<string>, name: string): boolean {
  if (blocks.has(name)) return true;
  for (const { index } of name.matchAll(/[/!?]/g)) if (blocks.has(name.slice(0, index))) return true;
  return false;
}
