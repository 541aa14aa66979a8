import { type CompiledQuery, sql } from 'kysely';
import type { Database } from '../../../platform/database/database.js';
import {
  explained,
  growingPartsOf,
  learned,
  numbersUpTo,
  rowCountsOf,
  statementsOf,
} from '../../../platform/database/plans.testing.js';
import { describeEachDatabase } from '../../../platform/database/testing.js';
import { InvalidCursor, toCursor } from '../../../platform/paging/page-cursor.js';
import { RunStore } from './run.store.js';

const ENDED = 5_000;
const ASKING = 3;
const LATER = new Date('2027-01-01T00:00:00.000Z');

/** Adds runs with one question each: in the first `ASKING` runs it is unanswered, the others have ended. */
async function fill(database: Database): Promise<void> {
  const numbers = numbersUpTo(database, ENDED);
  const asks = (yes: string, no: string) => `case when n <= ${ASKING} then ${yes} else ${no} end`;
  const at = `'2026-01-01T00:00:0' || (n / 1000) || '.' || substr(cast(1000 + n % 1000 as text), 2) || 'Z'`;
  const client = `case when n % 25 = 0 then 'bob' when n % 25 = 20 then 'admin' else 'ada' end`;
  const wait = JSON.stringify({ event: { with: {}, question: { message: 'Go?', schema: { type: 'object' } } } });
  const statements = [
    `insert into workflow_runs (id, program, name, version, status, partition, epoch, root, depth, origin, client, owner, client_groups,
        input, questions, is_test, created_at, updated_at, ended_at)
      select 'r' || n, 'workflow', 'w', '1.0.0', ${asks(`'waiting'`, `'completed'`)}, 0, 0, 'r' || n, 0, 'call', ${client}, ${client}, '[]',
        '{}', ${asks('1', '0')}, 0, ${at}, ${at}, ${asks('null', at)} from (${numbers}) as numbers`,
    `insert into workflow_steps (run_id, name, seq, task, attempt, kind, status, starts, wait, started_at)
      select 'r' || n, '/do/0/ask', 1, '/do/0/ask', 1, 'question', ${asks(`'waiting'`, `'completed'`)}, 1, '${wait}', ${at}
      from (${numbers}) as numbers`,
  ];
  for (const statement of statements) await sql.raw(statement).execute(database);
  await learned(database);
}

describeEachDatabase('what people are asked', (open, dialect) => {
  let database: Database;
  let store: RunStore;
  beforeEach(async () => {
    database = await open();
    store = new RunStore(database);
    await fill(database);
  });

  /** Returns how SQLite's plan reads the tables, without reads of intermediate results. */
  async function looksOf(statement: CompiledQuery): Promise<string[]> {
    const plan = await explained<{ parent: number; detail: string }>(database, statement, 'explain query plan');
    const isGathered = plan.some(({ detail }) => detail === 'MATERIALIZE asking');
    const looks = plan.filter(
      ({ parent, detail }) => /workflow_(runs|steps)/.test(detail) && !(isGathered && parent === 0),
    );
    return looks.map(({ detail }) => detail);
  }

  const listings: [string, () => Promise<unknown>][] = [
    ['the open questions', () => store.listAsked(10)],
    ['questions that are to be closed', () => store.listAskedBefore({ before: LATER, nameContains: 'ask', limit: 10 })],
    ['runs that ask', () => store.listPage({ limit: 10, isAsking: true })],
    ['runs of a client that ask', () => store.listPage({ limit: 10, isAsking: true, owners: ['ada'] })],
    ['runs of a workflow that ask', () => store.listPage({ limit: 10, isAsking: true, name: 'w', status: 'waiting' })],
  ];

  it.each(listings)('is found beside many runs that have ended, without looking at them: %s', async (_, list) => {
    const statements = await statementsOf(list);
    expect(statements).not.toEqual([]);
    for (const statement of statements) {
      const looks = dialect === 'sqlite' ? await looksOf(statement) : await rowCountsOf(database, statement);
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

describeEachDatabase('the list of runs', (open) => {
  it.each([
    ['of all clients', {}],
    ['of one client', { client: 'bob' }],
    ['of several owners', { owners: ['bob', 'admin', 'service'] }],
    [
      'of several owners, from a run on',
      { owners: ['bob', 'admin'], cursor: toCursor('2026-01-01T00:00:03.000Z', '') },
    ],
    ['of one workflow', { name: 'w' }],
    ['with one status', { status: 'completed' }],
    ['of tests', { isTest: true }],
  ] as const)('reads no more runs than it has: %s', async (_title, query) => {
    const database = await open();
    await fill(database);
    const store = new RunStore(database);
    const statements = await statementsOf(() => store.listPage({ limit: 10, ...query }));
    expect(statements).toHaveLength(1);
    for (const statement of statements) {
      const growing = await growingPartsOf(database, statement, 40);
      const endsEarly =
        'isTest' in query
          ? /^SCAN workflow_runs USING INDEX workflow_runs_tests$/
          : /^SCAN workflow_runs USING INDEX workflow_runs_created$/;
      expect(growing.filter((part) => !endsEarly.test(part))).toEqual([]);
    }
  });

  it('has each run of several owners once, in one order', async () => {
    const database = await open();
    await fill(database);
    const store = new RunStore(database);
    const all = { limit: 3, owners: ['ada', 'admin', 'ada'] } as const;
    const first = await store.listPage(all);
    const second = await store.listPage({ ...all, cursor: first.nextCursor ?? '' });
    expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(
      [4999, 4998, 4997, 4996, 4995, 4994].map((n) => `r${n}`),
    );
  });
});

describeEachDatabase('the steps of a long run', (open) => {
  const STEPS = 5_000;
  const names = (steps: readonly { name: string }[]) => steps.map(({ name }) => name);
  const stepNames = (...numbers: number[]) => numbers.map((n) => `s${n}`);

  async function longRun(): Promise<{ database: Database; store: RunStore }> {
    const database = await open();
    const statements = [
      `insert into workflow_runs (id, program, name, version, status, partition, epoch, root, depth, origin, client, owner,
          client_groups, input, questions, is_test, created_at, updated_at)
        values ('long', 'workflow', 'w', '1.0.0', 'running', 0, 0, 'long', 0, 'call', 'ada', 'ada', '[]', '{}', 0, 0, '', '')`,
      `insert into workflow_steps (run_id, name, seq, task, attempt, kind, status, starts, input, output, started_at)
        select 'long', 's' || n, n / 2, '/do/' || (n % 3), 1, 'effect', 'completed', 1, '"in"', '"out"', '2026-01-01T00:00:00.000Z'
        from (${numbersUpTo(database, STEPS)}) as numbers`,
    ];
    for (const statement of statements) await sql.raw(statement).execute(database);
    await learned(database);
    return { database, store: new RunStore(database) };
  }

  it('come in pages, the last to start first, each step once', async () => {
    const { store } = await longRun();
    const first = await store.listStepPage('long', { limit: 4, longest: 100 });
    expect(names(first.items)).toEqual(stepNames(5000, 4999, 4998, 4997));
    const second = await store.listStepPage('long', { limit: 3, longest: 100, cursor: first.nextCursor ?? '' });
    expect(names(second.items)).toEqual(stepNames(4996, 4995, 4994));
    const { nextCursor } = await store.listStepPage('long', { limit: STEPS, longest: 0 });
    expect(nextCursor).toBeNull();
    expect(await store.listStepPage('other', { limit: 3, longest: 0 })).toEqual({ items: [], nextCursor: null });
    await expect(store.listStepPage('long', { limit: 3, longest: 0, cursor: 'x' })).rejects.toThrow(InvalidCursor);
  });

  it('are read without all others: the last ones, and a page', async () => {
    const { database, store } = await longRun();
    const cursor = toCursor('2000', 's4000');
    for (const read of [
      () => store.listSteps('long', { last: 10, longest: 100 }),
      () => store.listStepPage('long', { limit: 10, longest: 100 }),
      () => store.listStepPage('long', { limit: 10, longest: 100, cursor }),
    ]) {
      const [statement, ...others] = await statementsOf(read);
      expect(others).toEqual([]);
      const growing = statement && (await growingPartsOf(database, statement, 40));
      const sortsEqualOnes = 'USE TEMP B-TREE FOR LAST TERM OF ORDER BY';
      expect(growing?.filter((part) => part !== sortsEqualOnes)).toEqual([]);
    }
  });

  it('leave out what is long, and say so', async () => {
    const { store } = await longRun();
    const step = async (longest: number) => (await store.listSteps('long', { last: 1, longest }))[0];
    expect(await step(9)).toMatchObject({ input: 'in', output: 'out', isCut: false });
    expect(await step(8)).toMatchObject({ input: null, output: null, isCut: true });
  });

  it('are summed up by task, kind and status, with the last of each', async () => {
    const { store } = await longRun();
    const found = await store.listStepsOfTasks('long');
    const of = (task: string, last: number) => ({ task, kind: 'effect', status: 'completed', last });
    expect(found.toSorted((one, other) => one.task.localeCompare(other.task))).toEqual([
      of('/do/0', 2499),
      of('/do/1', 2499),
      of('/do/2', 2500),
    ]);
  });
});
