import { type CompiledQuery, type RootOperationNode, sql } from 'kysely';
import type { Database } from '../../src/platform/database/database.js';
import { describeEachDatabase } from '../../src/platform/database/testing.js';
import { RunStore } from '../../src/features/workflows/runs/run.store.js';

describeEachDatabase('the open questions', (open, dialect) => {
  /** Returns how the database does the last statement of some work. */
  async function planOf(database: Database, work: (watched: Database) => Promise<unknown>): Promise<string> {
    const nodes: RootOperationNode[] = [];
    const watched = database.withPlugin({
      transformQuery: ({ node }) => {
        nodes.push(node);
        return node;
      },
      transformResult: async ({ result }) => result,
    });
    await work(watched as Database);
    const last = nodes.at(-1);
    if (!last) throw new Error('nothing was asked for');
    const query: CompiledQuery = database.getExecutor().compileQuery(last, { queryId: 'plan' });
    return database.transaction().execute(async (transaction) => {
      // Of a few rows, PostgreSQL reads all.
      if (dialect === 'postgres') await sql`set local enable_seqscan = off`.execute(transaction);
      const explain = dialect === 'sqlite' ? 'explain query plan ' : 'explain ';
      const { rows } = await transaction.executeQuery({ ...query, sql: explain + query.sql });
      return JSON.stringify(rows);
    });
  }

  it.each<[string, (runs: RunStore) => Promise<unknown>]>([
    ['listed', (runs) => runs.listAsked(10)],
    [
      'looked for after their time',
      (runs) => runs.listAskedBefore({ before: new Date(), nameContains: 'approval', limit: 10 }),
    ],
  ])('are %s by an index of their own, however many steps have ended', async (_what, list) => {
    const database = await open();
    expect(await planOf(database, (watched) => list(new RunStore(watched)))).toContain('workflow_steps_asked');
  });
});
