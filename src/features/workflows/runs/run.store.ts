import { Injectable } from '@nestjs/common';
import { type RawBuilder, sql } from 'kysely';
import { Database } from '../../../platform/database/database.js';
import {
  mapPage,
  type Page,
  type PageRequest,
  parseCursor,
  toCursor,
  toPage,
} from '../../../platform/paging/page-cursor.js';
import { affectedRows, countRows } from '../../../platform/sql/affected-rows.js';
import { dialectOf, startsWith } from '../../../platform/sql/dialect.js';
import { deleteUnusedVersions, lockWorkflow } from './unused-versions.table.js';
import { fromText, type TakenOver } from './execution/claimed-run.js';
import type { AskedQuestion, ListedStep, OpenQuestion, Run, RunLog, RunStatus, RunStep, RunSummary } from './run.js';
import { isTakenOver, openQuestion, STEP, SUMMARY, toListedStep, toStep, toSummary } from './stored-runs.table.js';
import { lastSteps, stepsOfTasks } from './run-steps.table.js';
import type { StepsOfTask } from './task-states.rules.js';

export interface StepsQuery {
  /** Inputs and outputs that together are longer are left out, in bytes of JSON. */
  longest: number;
  /** Number of last steps; by default all. */
  last?: number;
}

/** A query for one page of the steps of a run. */
export type StepPageQuery = PageRequest & Pick<StepsQuery, 'longest'>;

/** A filter of runs; omitted members match anything. */
export interface RunFilter {
  name?: string | undefined;
  status?: RunStatus | undefined;
  client?: string | undefined;
  owners?: readonly string[] | undefined;
  parent?: string | undefined;
  isTest?: boolean | undefined;
  /** Only runs that wait for a person's answer. */
  isAsking?: boolean | undefined;
}

/** Selects runs for a completion. */
export interface RunIdQuery {
  prefix: string;
  owners: readonly string[];
  limit: number;
}

const MOST_STEPS = 10_000;
const MOST_LOGS = 1_000;
const MOST_QUESTIONS = 100;
/** Uses literals, because SQLite uses no partial index for parameters. */
const IS_OPEN = sql<boolean>`workflow_steps.kind = 'question' and workflow_steps.status = 'waiting'`;

/** Selects questions that nobody has answered. */
interface AskedBefore {
  before: Date;
  nameContains: string;
  limit: number;
}

const sortKeyOf = ({ createdAt, id }: Pick<RunSummary, 'createdAt' | 'id'>): string[] => [createdAt.toISOString(), id];

/** Returns the cursor of the page that follows a run. */
export const cursorOfRun = (run: Pick<RunSummary, 'createdAt' | 'id'>): string => toCursor(...sortKeyOf(run));

/** Reads runs and their steps, and deletes old ones. The engine writes them. */
@Injectable()
export class RunStore {
  constructor(private readonly database: Database) {}

  /** @param owners allowed owners of the run; undefined = any */
  async find(id: string, owners?: readonly string[]): Promise<Run | undefined> {
    let query = this.database
      .selectFrom('workflow_runs')
      .select([...SUMMARY, 'input', 'output'])
      .where('id', '=', id);
    if (owners !== undefined) query = query.where('owner', 'in', owners);
    const row = await query.executeTakeFirst();
    return row && { ...toSummary(row), input: fromText(row.input), output: fromText(row.output) };
  }

  async findByKey(name: string, idempotencyKey: string): Promise<Run | undefined> {
    const row = await this.database
      .selectFrom('workflow_runs')
      .select('id')
      .where('name', '=', name)
      .where('idempotency_key', '=', idempotencyKey)
      .executeTakeFirst();
    return row && this.find(row.id);
  }

  /** Returns one page of runs, newest first. */
  async listPage({ limit, cursor, owners, isAsking, ...filter }: PageRequest & RunFilter): Promise<Page<RunSummary>> {
    const wanted = { condition: conditionOf(filter, cursor), most: limit + 1 };
    const query = (isAsking === true ? this.askingRuns(owners) : this.runsOf(owners, wanted))
      .select(SUMMARY)
      .where(wanted.condition)
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(wanted.most);
    const found = (await query.execute()).map(toSummary);
    return toPage(found, limit, sortKeyOf);
  }

  /**
   * Starts a query for runs of these owners that reads the newest runs of each by an index. Otherwise SQLite would sort all of
   * them.
   */
  private runsOf(owners: readonly string[] | undefined, { condition, most }: WantedRuns) {
    const { longReads } = this.database;
    if (owners === undefined) return longReads.selectFrom('workflow_runs');
    const newestOf = (owner: string) => {
      const ofOwner = longReads.selectFrom('workflow_runs').select(SUMMARY).where('owner', '=', owner);
      const newest = ofOwner.where(condition).orderBy('created_at', 'desc').orderBy('id', 'desc').limit(most);
      return longReads.selectFrom(newest.as('of_owner')).selectAll();
    };
    const [first = '', ...others] = new Set(owners); // nobody is named ''
    const all = others.reduce((united, one) => united.unionAll(newestOf(one)), newestOf(first));
    return longReads.selectFrom(all.as('workflow_runs'));
  }

  /** Starts a query for runs that wait for an answer. They are few; without `materialized`, databases would scan ended runs, too. */
  private askingRuns(owners: readonly string[] | undefined) {
    const asking = this.database
      .with(
        (cte) => cte('asking').materialized(),
        (runs) =>
          runs
            .selectFrom('workflow_runs')
            .select([...SUMMARY, 'owner'])
            .where('questions', '>', sql.lit(0)),
      )
      .selectFrom('asking as workflow_runs');
    return owners === undefined ? asking : asking.where('owner', 'in', owners);
  }

  /** Returns the runs whose ids start with a prefix, newest first. */
  async listByPrefix({ prefix, owners, limit }: RunIdQuery): Promise<RunSummary[]> {
    const rows = await this.database.longReads
      .selectFrom('workflow_runs')
      .select(SUMMARY)
      .where('owner', 'in', owners)
      .where(startsWith(dialectOf(this.database), 'id', prefix))
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(limit)
      .execute();
    return rows.map(toSummary);
  }

  /** Returns steps of a run in the order of their start. */
  async listSteps(runId: string, { longest, last = MOST_STEPS }: StepsQuery): Promise<ListedStep[]> {
    const rows = await lastSteps(this.database, runId, { longest, most: last });
    return rows.map(toListedStep).reverse();
  }

  /** Returns one page of the steps of a run, the last to start first. */
  async listStepPage(runId: string, { limit, cursor, longest }: StepPageQuery): Promise<Page<ListedStep>> {
    const rows = await lastSteps(this.database.longReads, runId, { longest, most: limit + 1, cursor });
    const page = toPage(rows, limit, ({ seq, name }) => [String(seq), name]);
    return mapPage(page, toListedStep);
  }

  /** Returns the steps of each task of a run, by kind and status. */
  listStepsOfTasks(runId: string): Promise<StepsOfTask[]> {
    return stepsOfTasks(this.database.longReads, runId);
  }

  countSteps(runId: string): Promise<number> {
    return countRows(this.database.selectFrom('workflow_steps').where('run_id', '=', runId));
  }

  async findStep(runId: string, name: string): Promise<RunStep | undefined> {
    const row = await this.database
      .selectFrom('workflow_steps')
      .select([...STEP, 'input', 'output'])
      .where('run_id', '=', runId)
      .where('name', '=', name)
      .executeTakeFirst();
    return row && toStep(row);
  }

  /** Returns the distinct tasks whose steps a repetition takes over, as JSON Pointers. */
  async listTasksDone(takenOver: TakenOver): Promise<string[]> {
    const rows = await this.database
      .selectFrom('workflow_steps')
      .select('task')
      .distinct()
      .where(isTakenOver(takenOver))
      .execute();
    return rows.map(({ task }) => task);
  }

  /** Returns the open questions of a run, oldest first. */
  async listQuestions(runId: string): Promise<OpenQuestion[]> {
    const rows = await this.database
      .selectFrom('workflow_steps')
      .select(['name', 'wait', 'started_at'])
      .where('run_id', '=', runId)
      .where('kind', '=', 'question')
      .where('status', '=', 'waiting')
      .orderBy('seq')
      .orderBy('name')
      .limit(MOST_QUESTIONS)
      .execute();
    return rows.flatMap(({ name, wait, started_at }) => openQuestion(runId, name, wait, started_at));
  }

  /** Returns open questions of all runs, oldest first, and their total number. */
  async listAsked(limit: number): Promise<{ count: number; items: AskedQuestion[] }> {
    const asking = this.database.selectFrom('workflow_runs').where('workflow_runs.questions', '>', 0);
    const { count } = await asking
      .select((select) => select.fn.sum<number | string | null>('questions').as('count'))
      .executeTakeFirstOrThrow();
    const rows = await asking
      .innerJoin('workflow_steps', 'workflow_steps.run_id', 'workflow_runs.id')
      .select(['workflow_steps.run_id', 'workflow_steps.name as step', 'wait', 'workflow_steps.started_at'])
      .select(['workflow_runs.name', 'workflow_runs.client'])
      .where(IS_OPEN)
      .orderBy('workflow_steps.started_at')
      .limit(limit)
      .execute();
    const items = rows.flatMap(({ run_id, step, wait, started_at, name, client }) =>
      openQuestion(run_id, step, wait, started_at).map((question) => ({ ...question, name, client })),
    );
    return { count: Number(count ?? 0), items };
  }

  /** Returns at most `limit` questions that have been open since `before`, of steps whose name contains a text. */
  async listAskedBefore({ before, nameContains, limit }: AskedBefore): Promise<{ runId: string; step: string }[]> {
    const rows = await this.database
      .selectFrom('workflow_runs')
      .innerJoin('workflow_steps', 'workflow_steps.run_id', 'workflow_runs.id')
      .select(['workflow_steps.run_id', 'workflow_steps.name'])
      .where('workflow_runs.questions', '>', 0)
      .where(IS_OPEN)
      .where('workflow_steps.started_at', '<', before.toISOString())
      .where('workflow_steps.name', 'like', `%${nameContains}%`)
      .limit(limit)
      .execute();
    return rows.map(({ run_id: runId, name }) => ({ runId, step: name }));
  }

  /** Returns the log of a run, oldest entry first. */
  async listLogs(runId: string): Promise<RunLog[]> {
    const rows = await this.database
      .selectFrom('workflow_logs')
      .select(['logged_at', 'step', 'level', 'message'])
      .where('run_id', '=', runId)
      .orderBy('seq')
      .limit(MOST_LOGS)
      .execute();
    return rows.map(({ logged_at, step, level, message }) => ({
      at: new Date(logged_at),
      step,
      level: level as RunLog['level'],
      message,
    }));
  }

  /**
   * Returns the ids of at most `limit` runs that ended before a time and are not kept. The last run of each workflow is kept: the
   * start of the next one may depend on its end.
   */
  async listEndedBefore(time: Date, limit: number): Promise<string[]> {
    const rows = await this.database.longReads
      .selectFrom('workflow_runs as run')
      .select('run.id')
      .where('run.ended_at', '<', time.toISOString())
      .where((run) =>
        run.or([
          run('run.is_test', '=', 1),
          run('run.name', 'not in', run.selectFrom('workflows').select('workflows.name')),
          run.exists(
            run
              .selectFrom('workflow_runs as later')
              .select('later.id')
              .whereRef('later.name', '=', 'run.name')
              .where('later.is_test', '=', 0)
              .where(sql<boolean>`(later.created_at, later.id) > (run.created_at, run.id)`),
          ),
        ]),
      )
      .orderBy('run.ended_at')
      .limit(limit)
      .execute();
    return rows.map(({ id }) => id);
  }

  /** Deletes at most `limit` steps of runs; returns their number. */
  async deleteSteps(runIds: readonly string[], limit: number): Promise<number> {
    return affectedRows(
      this.database.deleteFrom('workflow_steps').where((where) => {
        const some = where.selectFrom('workflow_steps as some').select(['some.run_id', 'some.name']);
        return sql<boolean>`${where.refTuple('run_id', 'name')} in ${some.where('some.run_id', 'in', runIds).limit(limit)}`;
      }),
    );
  }

  /** Deletes runs, and with the last run of a version of a removed workflow, the version. */
  async delete(ids: readonly string[]): Promise<void> {
    await this.database.transaction().execute(async (transaction) => {
      const removed = await transaction
        .selectFrom('workflow_runs')
        .select('name')
        .distinct()
        .where('id', 'in', ids)
        .where('name', 'not in', transaction.selectFrom('workflows').select('workflows.name'))
        .orderBy('name')
        .execute();
      for (const { name } of removed) await lockWorkflow(transaction, name);
      await transaction.deleteFrom('workflow_runs').where('id', 'in', ids).execute();
      for (const { name } of removed) await deleteUnusedVersions(transaction, name);
    });
  }
}

interface WantedRuns {
  condition: RawBuilder<boolean>;
  most: number;
}

/** Returns the condition for listing runs, after those of previous pages. */
function conditionOf(
  { name, status, client, parent, isTest }: Omit<RunFilter, 'owners' | 'isAsking'>,
  cursor: string | undefined,
): RawBuilder<boolean> {
  const conditions = [sql`true`];
  if (name !== undefined) conditions.push(sql`name = ${name}`);
  if (status !== undefined) conditions.push(sql`status = ${status}`);
  if (client !== undefined) conditions.push(sql`client = ${client}`);
  if (parent !== undefined) conditions.push(sql`parent = ${parent}`);
  // No parameter: the index of tests is used only for the number in its condition.
  if (isTest !== undefined) conditions.push(sql`is_test = ${sql.lit(isTest ? 1 : 0)}`);
  if (cursor !== undefined) {
    const [createdAt = '', id = ''] = parseCursor(cursor, 2);
    conditions.push(sql`(created_at, id) < (${createdAt}, ${id})`);
  }
  return sql<boolean>`${sql.join(conditions, sql` and `)}`;
}
