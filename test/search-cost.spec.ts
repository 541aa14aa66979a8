import { sql } from 'kysely';
import type { Database } from '../src/platform/database/database.js';
import { memoryDatabase } from '../src/platform/database/testing.js';
import { knowledgeOn } from '../src/features/knowledge/testing.js';
import { memoryOn } from '../src/features/memory/testing.js';
import { growthOf, LINEAR, TIMES } from './support/growth.js';

const client = 'ide';
const MARKS = '\u0301\u0323';

const databases: Database[] = [];
const newDatabase = async () => {
  const database = await memoryDatabase();
  databases.push(database);
  return database;
};
afterEach(async () => {
  for (const database of databases.splice(0)) await database.destroy();
});

/** Prepares a database of each size, and returns how the cost of the work grows. */
async function growthWith<Prepared>(
  prepare: (database: Database, size: number) => Promise<Prepared>,
  work: (prepared: Prepared) => Promise<unknown>,
): Promise<number> {
  const [few, many] = [await prepare(await newDatabase(), 1), await prepare(await newDatabase(), TIMES)];
  return growthOf((size) => work(size === 1 ? few : many));
}

describe('a search', () => {
  it('of a large memory asks the index once, not for each entry', async () => {
    const prepare = async (database: Database, size: number) => {
      const { memory } = memoryOn(database);
      await addEntries(database, 750 * size);
      await memory.indexMissing();
      expect(await memory.search({ query: 'common words', limit: 10 })).toHaveLength(10);
      return memory;
    };
    const growth = await growthWith(prepare, (memory) => memory.search({ query: 'common words', limit: 10 }));
    expect(growth).toBeLessThan(LINEAR);
  });

  it('by tags asks the index once, not for each passage', async () => {
    const search = { query: 'common words', tags: ['one', 'two'], limit: 1 };
    const prepare = async (database: Database, size: number) => {
      const { knowledge } = knowledgeOn(database);
      const content = Array.from({ length: 600 * size }, (_, n) => `# Part ${n}\n\ncommon words ${n}\n`).join('\n');
      await knowledge.save({ title: 'Long', content, tags: ['one', 'two'] });
      expect(await knowledge.search(search)).toHaveLength(1);
      return knowledge;
    };
    expect(await growthWith(prepare, (knowledge) => knowledge.search(search))).toBeLessThan(LINEAR);
  });

  it('looks for the words that matched only in what is returned, at a cost linear in the length of the texts', async () => {
    const prepare = async (database: Database, size: number) => {
      const { memory } = memoryOn(database);
      for (let n = 0; n < 20; n += 1) {
        await memory.save({ key: `k${n}`, content: `${n} ${'x '.repeat(6_000 * size)}`, client });
      }
      expect((await memory.search({ query: 'x', limit: 1 }))[0]?.matches.length).toBeGreaterThan(100);
      return memory;
    };
    const growth = await growthWith(prepare, (memory) => memory.search({ query: 'x', limit: 1 }));
    expect(growth).toBeLessThan(LINEAR);
  });
});

describe('saving', () => {
  let saved = 0;

  it('a note of nothing but combining marks costs at most in proportion to its length', async () => {
    const { memory } = memoryOn(await newDatabase());
    const save = (size: number) =>
      memory.save({ key: `k${(saved += 1)}`, content: `${saved}${MARKS.repeat(6_000 * size)}`, client });
    expect(await save(1)).toMatchObject({ outcome: 'created' });
    expect(await growthOf(save)).toBeLessThan(LINEAR);
  });

  it.each<[string, (size: number) => string]>([
    ['many headings', (size) => '# a\n'.repeat(1_000 * size)],
    ['one heading of many brackets', (size) => `# ${'['.repeat(1_900 * size)}\n${'# [a]( '.repeat(250 * size)}`],
    ['one heading of white space', (size) => `# a${' '.repeat(1_900 * size)}b${'\t#'.repeat(1_000 * size)}x`],
    ['one long line', (size) => '. '.repeat(1_900 * size)],
  ])('a document of %s costs at most in proportion to its length', async (_what, contentOf) => {
    const { knowledge } = knowledgeOn(await newDatabase());
    const save = (size: number) => knowledge.save({ title: `t${(saved += 1)}`, content: contentOf(size) });
    expect(await save(1)).toMatchObject({ outcome: 'created' });
    expect(await growthOf(save)).toBeLessThan(LINEAR);
  });
});

async function addEntries(database: Database, count: number): Promise<void> {
  await sql`with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${sql.lit(count)})
    insert into memory_entries
      (namespace, key, content, content_hash, tags, importance, client, version, created_at, updated_at)
    select 'shared', 'k' || n, 'common words ' || n, 'h' || n, '[]', 3, 'ide', 1, '2026-01-01', '2026-01-01'
    from numbers`.execute(database);
}
