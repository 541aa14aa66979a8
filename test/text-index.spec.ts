import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import { memoryDatabase } from '../src/platform/database/testing.js';
import { addToTextIndex, createTextIndex } from '../src/platform/text/text-index.js';
import { toIndexedText } from '../src/platform/text/word-counts.rules.js';

const NOTES = Array.from({ length: 20 }, (_, index) => ({
  id: index + 1,
  ...toIndexedText({ title: 'deployment', context: '', body: `note ${index}` }, 'en', []),
}));

describe('the full-text index on SQLite', () => {
  it('leaves other work its turn between the steps of merging what is added', async () => {
    const database = await memoryDatabase();
    await sql`create table notes (id integer primary key)`.execute(database);
    for (const { id } of NOTES) await sql`insert into notes values (${id})`.execute(database);
    await createTextIndex(database, 'notes_index', 'notes');
    let turns = 0;
    let isAdded = false;
    const otherWork = async () => {
      for (; !isAdded; turns += 1) await nextTurn();
    };
    const add = async () => {
      await addToTextIndex(database, 'notes_index', NOTES);
      isAdded = true;
    };
    await Promise.all([add(), otherWork()]);
    expect(turns).toBeGreaterThanOrEqual(10);
    await database.destroy();
  });
});
