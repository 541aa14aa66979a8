import { jest } from '@jest/globals';
import { sql } from 'kysely';
import { openEmbeddedDatabase } from '../../platform/database/open-database.js';
import { itemsWhere } from './item-filter.table.js';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';

const MEMORY = {
  tables: { items: 'memory_entries', vectors: 'memory_vectors', item: 'entry_id', revision: 'version' },
};

describe('what a search by meaning is about', () => {
  it('is looked for beside the main thread', async () => {
    const folder = temporaryFolder();
    const database = await openEmbeddedDatabase(folder);
    await sql`insert into memory_entries (namespace, key, content, content_hash, tags, importance, client, version, created_at,
      updated_at) values ('n', 'k', 'c', 'h', '[]', 1, 'ada', 1, '2026', '2026')`.execute(database);
    const sent = jest.spyOn(database.getExecutor(), 'executeQuery');
    const items = itemsWhere(database, MEMORY, sql`namespace = 'n'`);
    expect([await items.list(10), await items.keep([1, 2])]).toEqual([[1], [1]]);
    expect(sent).not.toHaveBeenCalled();
    await database.destroy();
  });
});
