import { sql } from 'kysely';
import type { Database } from '../../src/platform/database/database.js';
import { memoryDatabase } from '../../src/platform/database/testing.js';
import { memoryOn } from '../../src/features/memory/testing.js';

let database: Database;
beforeEach(async () => void (database = await memoryDatabase()));
afterEach(() => database.destroy());

describe('the FTS5 index', () => {
  it('is merged a little with each row that is saved, and never much at once', async () => {
    const { memory } = memoryOn(database);
    for (let number = 0; number < 600; number += 1)
      await memory.save({ key: `k${number}`, content: `note number ${number}`, client: 'ide' });
    const { rows: settings } = await sql`select v from memory_index_config where k = 'automerge'`.execute(database);
    expect(settings).toEqual([{ v: 0 }]);
    // FTS5 merges 16 b-trees of a level at once; without earlier merges, there would be 15.
    const trees = sql<{ count: number }>`select count(distinct segid) as count from memory_index_idx`;
    expect((await trees.execute(database)).rows[0]?.count).toBeLessThan(8);
  });
});
