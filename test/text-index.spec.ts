import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Database } from '../src/platform/database/database.js';
import { explained, statementsOf } from '../src/platform/database/plans.testing.js';
import { memoryDatabase } from '../src/platform/database/testing.js';
import { findSpread } from '../src/platform/text/spread-search.js';
import { levelLabel } from '../src/platform/text/spread.rules.js';
import { sqliteIndex } from '../src/platform/text/sqlite-index.js';
import {
  addToTextIndex,
  createTextIndex,
  lockUnindexed,
  removeFromTextIndex,
  searchTextIndex,
} from '../src/platform/text/text-index.js';
import { parseTextQuery } from '../src/platform/text/text-query.rules.js';
import { toIndexedText } from '../src/platform/text/word-counts.rules.js';
import { growthOf, TIMES } from './support/growth.js';

const NOTES = Array.from({ length: 20 }, (_, index) => ({
  id: index + 1,
  ...toIndexedText({ title: 'deployment', context: '', body: `note ${index}` }, 'en', []),
}));

const NO_TEXT = { title: '', context: '', body: '' };
const INDEX = 'notes_index';
const SEARCHES = 20;
/** Growth is about 1 when the cost is linear, and an eighth when it is constant. */
const CONSTANT = 0.5;

describe('the full-text index on SQLite', () => {
  const databases: Database[] = [];
  afterEach(async () => {
    for (const database of databases.splice(0)) await database.destroy();
  });

  const newIndex = async () => {
    const database = await memoryDatabase();
    databases.push(database);
    await sql`create table notes (id integer primary key)`.execute(database);
    for (const { id } of NOTES) await sql`insert into notes values (${id})`.execute(database);
    await createTextIndex(database, INDEX, 'notes');
    return database;
  };

  it('yields to other work between the steps of merging what is added', async () => {
    const database = await newIndex();
    let turns = 0;
    let isAdded = false;
    const otherWork = async () => {
      for (; !isAdded; turns += 1) await nextTurn();
    };
    const add = async () => {
      await addToTextIndex(database, INDEX, NOTES);
      isAdded = true;
    };
    await Promise.all([add(), otherWork()]);
    expect(turns).toBeGreaterThanOrEqual(10);
  });

  it('keeps nothing of a removed row', async () => {
    const database = await newIndex();
    await addToTextIndex(database, INDEX, NOTES);
    await removeFromTextIndex(database, INDEX, 1);
    await sql`delete from notes where id = 2`.execute(database);
    for (const table of [INDEX, `${INDEX}_heads`]) {
      const { rows } = await sql<{ id: number }>`select rowid as id from ${sql.table(table)}
        where ${sql.table(table)} match 'deployment' order by rowid`.execute(database);
      expect(rows.map(({ id }) => id)).toEqual(NOTES.slice(2).map(({ id }) => id));
    }
  });

  it('searches its rows once for those that it lacks, not once for each', async () => {
    const database = await newIndex();
    const [label, among] = ['Ŧindexed', NOTES.map(({ id }) => id)];
    await addToTextIndex(
      database,
      INDEX,
      [3, 4].map((id) => ({ id, ...toIndexedText(NO_TEXT, 'en', [label]) })),
    );
    let missing: number[] = [];
    const lock = async () => {
      missing = await database
        .transaction()
        .execute((transaction) => lockUnindexed(transaction, { index: INDEX, table: 'notes', label, among, limit: 5 }));
    };
    const statements = await statementsOf(lock);
    expect(missing).toEqual([1, 2, 5, 6, 7]);
    const plans = await Promise.all(statements.map((one) => explained(database, one, 'explain query plan')));
    expect(JSON.stringify(plans)).toMatch(/VIRTUAL TABLE INDEX \d+:M\d+></);
  });

  it('reads a sample of the rows of a frequent word once, not once more to count them', async () => {
    const database = await newIndex();
    const words = toIndexedText({ title: '', context: '', body: 'word' }, 'en', []);
    const rows = Array.from({ length: 300 }, (_, n) => ({ id: n + 100, ...words }));
    for (const { id } of rows) await sql`insert into notes values (${id})`.execute(database);
    await addToTextIndex(database, INDEX, rows);
    const query = parseTextQuery('word');
    const statements = await statementsOf(() =>
      searchTextIndex(database, { index: INDEX, query, limit: 10, labels: [], except: null, mostRows: 200 }),
    );
    const inSample = statements.filter(({ parameters }) =>
      parameters.some((one) => String(one).includes(levelLabel(1))),
    );
    // In titles and contexts, and everywhere.
    expect(inSample.map(({ sql: text }) => text.includes('bm25'))).toEqual([true, true]);
  });

  it('reads the newest rows of a frequent word without those before them', async () => {
    const prepare = async (rows: number) => {
      const database = await newIndex();
      await sql`with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${sql.lit(rows)})
        insert into ${sql.table(INDEX)} (rowid, title, context, body) select n, '', '', 'word' from numbers`.execute(
        database,
      );
      const { language, counts } = toIndexedText({ title: '', context: '', body: 'word' }, 'en', []);
      await sql`insert into notes values (${rows})`.execute(database);
      await sql`insert into ${sql.table(`${INDEX}_counts`)} values (${rows}, ${language}, 0, 0, 1, ${counts})`.execute(
        database,
      );
      return { database, rows };
    };
    const [few, many] = [await prepare(20_000), await prepare(20_000 * TIMES)];
    // Reads only the newest rows: the cost of the other reads grows with the table.
    const onlyNewest = { ...sqliteIndex, find: () => Promise.resolve({ ids: [], size: 1 }) };
    const term = { forms: ['word'], isPrefix: false, boost: 1, count: 1, weight: 1 };
    const wanted = { index: INDEX, terms: [term], need: 'all', phrases: [], scope: 'everywhere', labels: [] } as const;
    const find = { ...wanted, except: null, limit: 300, mostRows: 160 };
    const newest = async ({ database, rows }: typeof few) => {
      const found = await findSpread(database, onlyNewest, find, rows);
      expect(found).toEqual(Array.from({ length: 10 }, (_, at) => rows - 9 + at));
    };
    const work = async (size: number) => {
      for (let searches = 0; searches < SEARCHES; searches += 1) await newest(size === 1 ? few : many);
    };
    expect(await growthOf(work, { enough: CONSTANT })).toBeLessThan(CONSTANT);
  });
});
