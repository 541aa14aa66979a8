import { jest } from '@jest/globals';
import { sql } from 'kysely';
import { memoryDatabase } from '../../src/platform/database/testing.js';
import { statisticsOf } from '../../src/platform/text/index-statistics.js';
import { sqliteIndex } from '../../src/platform/text/sqlite-index.js';
import { rateTerms } from '../../src/platform/text/term-weights.js';
import type { DialectIndex } from '../../src/platform/text/text-search.js';
import { parseTextQuery } from '../../src/platform/text/text-query.rules.js';
import { countWords } from '../../src/platform/text/word-counts.rules.js';

const ROWS = 30_000;
const index = 'memory_index';

/** Fills the index with rows of one word each: two thirds are `often`, the others `seldom`, and the first is `lone`. */
async function filled() {
  const database = await memoryDatabase();
  const numbers = sql`with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${ROWS})`;
  const wordOf = (number: string) =>
    sql`case when ${sql.raw(number)} = 1 then 'lone' when ${sql.raw(number)} % 3 = 0 then 'seldom' else 'often' end`;
  await sql`${numbers} insert into memory_entries
      (namespace, key, content, content_hash, tags, importance, client, version, created_at, updated_at)
    select 'shared', n, ${wordOf('n')}, n, '[]', 3, 'ide', 1, '', '' from numbers`.execute(database);
  await sql`insert into memory_index (rowid, title, context, body)
    select id, '', '', content from memory_entries`.execute(database);
  const countsOf = (body: string) => countWords({ title: '', context: '', body });
  await sql`insert into memory_index_counts (id, language, title_words, context_words, body_words, counts)
    select id, 'en', 0, 0, 1, case content when 'often' then ${countsOf('often')} else ${countsOf('seldom')} end
    from memory_entries`.execute(database);
  return database;
}

describe('the words of a query', () => {
  it('are counted only if they are rare, in a large index', async () => {
    const database = await filled();
    const count = jest.fn<DialectIndex['count']>((db, asked) => sqliteIndex.count(db, asked));
    const rated = await rateTerms(
      database,
      { ...sqliteIndex, count },
      { index, query: parseTextQuery('often seldom lone absent.'), known: await statisticsOf(database, index) },
    );
    expect(count.mock.calls.map(([, { terms }]) => terms.map(({ forms }) => forms))).toEqual([[['lone'], ['absent']]]);
    const [often = 0, seldom = 0, ...counted] = rated.map((term) => term.count);
    expect(Math.abs(often / ROWS - 2 / 3)).toBeLessThan(0.02);
    expect(Math.abs(seldom / ROWS - 1 / 3)).toBeLessThan(0.02);
    expect(counted).toEqual([1, 0]);
    const weights = rated.map(({ weight }) => weight);
    expect(weights.slice(0, 3)).toEqual(weights.slice(0, 3).sort((a, b) => a - b));
    await database.destroy();
  });
});
