import { sql } from 'kysely';
import type { Database } from '../../src/platform/database/database.js';
import { describeEachDatabase } from '../../src/platform/database/testing.js';
import { addToTextIndex, createTextIndex, searchTextIndex } from '../../src/platform/text/text-index.js';
import { parseTextQuery } from '../../src/platform/text/text-query.rules.js';
import { toIndexedText } from '../../src/platform/text/word-counts.rules.js';
import { indexedText } from '../../src/platform/text/words.rules.js';

const INDEX = 'pages_index';
const COPIES = 10;
const PAGES = 80;
/** The maximum number of rows that a statement may examine: each word of the corpus occurs in many more. */
const MOST_ROWS = 100;

/** One page of the corpus: all pages are about servers, each in different words. */
const page = (number: number) => ({
  title: `Page ${number}`,
  context: number % 4 === 0 ? 'setup' : '',
  body: `The server ${'setup '.repeat((number % 7) + 1)}needs ${'filler '.repeat(number % 13)}backup_plan number${number}.`,
});

describeEachDatabase('a search for words that very many rows have', (open) => {
  const addRow = async (database: Database, id: number, fields: { title: string; context: string; body: string }) => {
    await sql`insert into pages (id) values (${id})`.execute(database);
    const inWords = (text: string) => indexedText(text, 'en');
    const { title, context, body } = fields;
    const words = toIndexedText({ title: inWords(title), context: inWords(context), body: inWords(body) }, 'en', []);
    await addToTextIndex(database, INDEX, [{ id, ...words }]);
  };
  const newIndex = async () => {
    const database = await open();
    await sql`create table pages (id integer primary key)`.execute(database);
    await createTextIndex(database, INDEX, 'pages');
    return database;
  };
  /** Indexes the corpus as many times as there are copies; the ids of a copy are consecutive. */
  const withCopies = async () => {
    const database = await newIndex();
    for (let id = 1; id <= COPIES * PAGES; id += 1) await addRow(database, id, page((id - 1) % PAGES));
    return database;
  };
  const search = async (database: Database, query: string, mostRows = MOST_ROWS) => {
    const asked = { index: INDEX, query: parseTextQuery(query), limit: 300, labels: [], except: null, mostRows };
    return (await searchTextIndex(database, asked)).matches.map(({ id }) => id);
  };
  const copyOf = (id: number) => Math.floor((id - 1) / PAGES);

  it.each(['server', 'server setup', 'server setup needs', 'backup_plan', '"the server" setup'])(
    'finds ten equal copies of a corpus alike: %s',
    async (query) => {
      const database = await withCopies();
      const found = await search(database, query);
      const older = found.filter((id) => id <= (COPIES - 1) * PAGES);
      const counts = Array.from({ length: COPIES - 1 }, (_, copy) => older.filter((id) => copyOf(id) === copy).length);
      const mean = older.length / counts.length;
      expect(mean).toBeGreaterThan(3);
      expect(Math.min(...counts)).toBeGreaterThanOrEqual(mean / 2);
      expect(Math.max(...counts)).toBeLessThanOrEqual(mean * 2);
      // The newest rows are always examined as well.
      expect(found.filter((id) => copyOf(id) === COPIES - 1).length).toBeGreaterThanOrEqual(mean / 2);
    },
  );

  it('finds what was added last, the newest first where they say the same', async () => {
    const database = await withCopies();
    const last = Array.from({ length: 5 }, (_, n) => COPIES * PAGES + 5 - n);
    for (const id of last.toReversed()) await addRow(database, id, page(6));
    const found = await search(database, 'server setup');
    expect(found.filter((id) => last.includes(id))).toEqual(last);
  });

  it('finds every row while they are not too many', async () => {
    const database = await withCopies();
    const all = COPIES * PAGES;
    expect(new Set(await search(database, 'number7', MOST_ROWS))).toEqual(
      new Set(Array.from({ length: COPIES }, (_, copy) => copy * PAGES + 8)),
    );
    expect(await search(database, 'server', all + 1)).toHaveLength(300);
  });

  it('finds every row that has two frequent words together, however seldom that is', async () => {
    const database = await newIndex();
    const together = new Set<number>();
    for (let id = 1; id <= COPIES * PAGES; id += 1) {
      const words = id % 100 === 37 ? 'alpha beta' : id % 2 === 0 ? 'alpha' : 'beta';
      if (words === 'alpha beta') together.add(id);
      await addRow(database, id, { title: '', context: '', body: `${words} text` });
    }
    const found = await search(database, 'alpha beta');
    expect(new Set(found.slice(0, together.size))).toEqual(together);
  });
});
