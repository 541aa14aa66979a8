import { jest } from '@jest/globals';
import { sql } from 'kysely';
import type { Database } from '../src/platform/database/database.js';
import { memoryDatabase } from '../src/platform/database/testing.js';
import { knowledgeOn } from '../src/features/knowledge/testing.js';
import { memoryOn } from '../src/features/memory/testing.js';
import { leastCpuMs } from './support/cpu.js';

const client = 'ide';
const MARKS = '\u0301\u0323';

/** Ten times what a good implementation needs, and a tenth of what a bad one took. */
const MODERATE_MS = 250;

const cpuMs = (work: () => Promise<unknown>) => leastCpuMs(work, MODERATE_MS);

jest.setTimeout(60_000);

let database: Database;
beforeEach(async () => void (database = await memoryDatabase()));
afterEach(() => database.destroy());

describe('a search', () => {
  it('of a large memory asks the index once, not for each entry', async () => {
    const { memory } = memoryOn(database);
    await addEntries(6_000);
    await memory.indexMissing();
    const search = () => memory.search({ query: 'common words', limit: 10 });
    expect(await search()).toHaveLength(10);
    expect(await cpuMs(search)).toBeLessThan(MODERATE_MS);
  });

  it('by tags asks the index once, not for each passage', async () => {
    const { knowledge } = knowledgeOn(database);
    const content = Array.from({ length: 4_900 }, (_, n) => `# Part ${n}\n\ncommon words ${n}\n`).join('\n');
    await knowledge.save({ title: 'Long', content, tags: ['one', 'two'] });
    const search = () => knowledge.search({ query: 'common words', tags: ['one', 'two'], limit: 1 });
    expect(await search()).toHaveLength(1);
    expect(await cpuMs(search)).toBeLessThan(MODERATE_MS);
  });

  it('looks for the words that matched only in what is returned, at a cost linear in the length of the texts', async () => {
    const { memory } = memoryOn(database);
    for (let n = 0; n < 20; n += 1) {
      await memory.save({ key: `k${n}`, content: `${n} ${'x '.repeat(49_000)}`, client });
    }
    const search = () => memory.search({ query: 'x', limit: 1 });
    expect((await search())[0]?.matches.length).toBeGreaterThan(100);
    expect(await cpuMs(search)).toBeLessThan(MODERATE_MS);
  });
});

describe('saving', () => {
  it('a note of nothing but combining marks costs no more than any other', async () => {
    const { memory } = memoryOn(database);
    let key = 0;
    const save = () => memory.save({ key: `k${(key += 1)}`, content: `${key}${MARKS.repeat(49_000)}`, client });
    expect(await save()).toMatchObject({ outcome: 'created' });
    expect(await cpuMs(save)).toBeLessThan(MODERATE_MS);
  });

  it.each([
    ['many headings', '# a\n'.repeat(8_000)],
    ['one heading of many brackets', `# ${'['.repeat(15_000)}\n${'# [a]( '.repeat(2_000)}`],
    ['one heading of white space', `# a${' '.repeat(15_000)}b${'\t#'.repeat(8_000)}x`],
    ['one long line', `${'. '.repeat(15_000)}`],
  ])('a document of %s costs no more than any other', async (_what, content) => {
    const { knowledge } = knowledgeOn(database);
    let title = 0;
    const save = () => knowledge.save({ title: `t${(title += 1)}`, content });
    expect(await save()).toMatchObject({ outcome: 'created' });
    expect(await cpuMs(save)).toBeLessThan(4 * MODERATE_MS);
  });
});

async function addEntries(count: number): Promise<void> {
  await sql`with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${sql.lit(count)})
    insert into memory_entries
      (namespace, key, content, content_hash, tags, importance, client, version, created_at, updated_at)
    select 'shared', 'k' || n, 'common words ' || n, 'h' || n, '[]', 3, 'ide', 1, '2026-01-01', '2026-01-01'
    from numbers`.execute(database);
}
