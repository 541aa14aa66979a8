import { jest } from '@jest/globals';
import { type CompiledQuery, sql } from 'kysely';
import type { Database } from '../../../platform/database/database.js';
import { describeEachDatabase } from '../../../platform/database/testing.js';
import { RunStore } from './run.store.js';

const ENDED = 5_000;
const ASKING = 3;
const LATER = new Date('2027-01-01T00:00:00.000Z');

/** Adds runs with a question each: of the first, nobody has answered them, and the others have ended. */
async function fill(database: Database, numbers: string): Promise<void> {
  const asks = (yes: string, no: string) => `case when n <= ${ASKING} then ${yes} else ${no} end`;
  const at = `'2026-01-01T00:00:00.' || (1000 + n)`;
  const wait = JSON.stringify({ event: { with: {}, question: { message: 'Go?', schema: { type: 'object' } } } });
  const statements = [
    `insert into workflow_runs (id, program, name, version, status, partition, epoch, root, depth, origin, client, owner, client_groups,
        input, questions, is_test, created_at, updated_at, ended_at)
      select 'r' || n, 'workflow', 'w', '1.0.0', ${asks(`'waiting'`, `'completed'`)}, 0, 0, 'r' || n, 0, 'call', 'ada', 'ada', '[]',
        '{}', ${asks('1', '0')}, 0, ${at}, ${at}, ${asks('null', at)} from (${numbers}) as numbers`,
    `insert into workflow_steps (run_id, name, seq, task, attempt, kind, status, starts, wait, started_at)
      select 'r' || n, '/do/0/ask', 1, '/do/0/ask', 1, 'question', ${asks(`'waiting'`, `'completed'`)}, 1, '${wait}', ${at}
      from (${numbers}) as numbers`,
  ];
  // Databases decide by what they know of their tables; PostgreSQL learns it on its own some time later.
  for (const statement of [...statements, 'analyze']) await sql.raw(statement).execute(database);
}

/** Returns the statements that some work sends to the database. */
async function statementsOf(database: Database, work: () => Promise<unknown>): Promise<CompiledQuery[]> {
  const sent = jest.spyOn(database.getExecutor(), 'executeQuery');
  await work();
  const statements = sent.mock.calls.map(([statement]) => statement);
  sent.mockRestore();
  return statements;
}

describeEachDatabase('what people are asked', (open, dialect) => {
  let database: Database;
  let store: RunStore;
  beforeEach(async () => {
    database = await open();
    store = new RunStore(database);
    const counted = `with recursive counted(n) as (select 1 union all select n + 1 from counted where n < ${ENDED}) select n from counted`;
    await fill(database, dialect === 'sqlite' ? counted : `select n from generate_series(1, ${ENDED}) as n`);
  });

  const explain = async <Row>(statement: CompiledQuery, how: string) =>
    (await database.executeQuery<Row>({ ...statement, sql: `${how} ${statement.sql}` })).rows;

  /** Returns how SQLite looks at the tables, apart from what it has gathered before. */
  async function looksOf(statement: CompiledQuery): Promise<string[]> {
    const plan = await explain<{ parent: number; detail: string }>(statement, 'explain query plan');
    const isGathered = plan.some(({ detail }) => detail === 'MATERIALIZE asking');
    const looks = plan.filter(
      ({ parent, detail }) => /workflow_(runs|steps)/.test(detail) && !(isGathered && parent === 0),
    );
    return looks.map(({ detail }) => detail);
  }

  /** Returns how many rows each part of the plan of PostgreSQL has looked at. */
  async function rowCountsOf(statement: CompiledQuery): Promise<number[]> {
    const plan = JSON.stringify(await explain(statement, 'explain analyze'));
    const counts = plan.matchAll(/actual time=[^)]*?rows=([\d.]+)|Rows Removed by [^:]*: (\d+)/g);
    return [...counts].map(([, returned, removed]) => Number(returned ?? removed));
  }

  const listings: [string, () => Promise<unknown>][] = [
    ['the open questions', () => store.listAsked(10)],
    ['questions that are to be closed', () => store.listAskedBefore({ before: LATER, nameContains: 'ask', limit: 10 })],
    ['runs that ask', () => store.listPage({ limit: 10, isAsking: true })],
    ['runs of a client that ask', () => store.listPage({ limit: 10, isAsking: true, owners: ['ada'] })],
    ['runs of a workflow that ask', () => store.listPage({ limit: 10, isAsking: true, name: 'w', status: 'waiting' })],
  ];

  it.each(listings)('is found beside many runs that have ended, without looking at them: %s', async (_, list) => {
    const statements = await statementsOf(database, list);
    expect(statements).not.toEqual([]);
    for (const statement of statements) {
      const looks = dialect === 'sqlite' ? await looksOf(statement) : await rowCountsOf(statement);
      expect(looks).not.toEqual([]);
      for (const look of looks) {
        if (typeof look === 'number') expect(look).toBeLessThan(20);
        else expect(look).toMatch(/USING INDEX (workflow_runs_asking|workflow_steps_asked|\w+ \(id=\?\))/);
      }
    }
  });

  it('is listed from the oldest on, with how many there are', async () => {
    expect(await store.listAsked(2)).toMatchObject({ count: 3, items: [{ runId: 'r1' }, { runId: 'r2' }] });
    const { items } = await store.listPage({ limit: 2, isAsking: true, owners: ['ada'] });
    expect(items.map(({ id }) => id)).toEqual(['r3', 'r2']);
    expect(await store.listPage({ limit: 2, isAsking: true, owners: ['eve'] })).toMatchObject({ items: [] });
  });
});
