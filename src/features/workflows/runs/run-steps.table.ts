import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../../platform/database/tables.js';
import { numberInCursor, parseCursor } from '../../../platform/paging/page-cursor.js';
import type { StepKind, StepStatus } from './run.js';
import { STEP } from './stored-runs.table.js';
import type { StepsOfTask } from './task-states.rules.js';

interface LastStepsQuery {
  /** Inputs and outputs that together are longer are left out, in bytes of JSON. */
  longest: number;
  most: number;
  /** The seq and name of a step: only steps before it. */
  cursor?: string | undefined;
}

/** Returns the last steps of a run, the last to start first. */
export function lastSteps(db: Kysely<Tables>, runId: string, { longest, most, cursor }: LastStepsQuery) {
  const tooLong = sql<number>`coalesce(octet_length(input), 0) + coalesce(octet_length(output), 0) > cast(${longest} as bigint)`;
  const query = db
    .selectFrom('workflow_steps')
    .select([...STEP, 'seq', sql<number | boolean>`${tooLong}`.as('is_cut')])
    .select([
      sql<string | null>`case when ${tooLong} then null else input end`.as('input'),
      sql<string | null>`case when ${tooLong} then null else output end`.as('output'),
    ])
    .where('run_id', '=', runId)
    .orderBy('seq', 'desc')
    .orderBy('name', 'desc')
    .limit(most);
  if (cursor === undefined) return query.execute();
  const [seq = '', name = ''] = parseCursor(cursor, 2);
  return query.where(sql<boolean>`(seq, name) < (${numberInCursor(seq)}, ${name})`).execute();
}

/** Returns the steps of each task of a run, by kind and status. */
export async function stepsOfTasks(db: Kysely<Tables>, runId: string): Promise<StepsOfTask[]> {
  const rows = await db
    .selectFrom('workflow_steps')
    .select((select) => ['task', 'kind', 'status', select.fn.max<number | string>('seq').as('last')])
    .where('run_id', '=', runId)
    .groupBy(['task', 'kind', 'status'])
    .execute();
  return rows.map((row) => ({
    task: row.task,
    kind: row.kind as StepKind,
    status: row.status as StepStatus,
    last: Number(row.last),
  }));
}
