import type { Migration } from 'kysely/migration';
import { dialectOf } from '../../sql/dialect.js';
import { addHeadsIndex } from '../../text/postgres-index.js';

export const textHeads: Migration = {
  async up(db) {
    // FTS5 can search single columns; PostgreSQL needs a separate index for that.
    if (dialectOf(db) === 'sqlite') return;
    await addHeadsIndex(db, 'knowledge_index');
    await addHeadsIndex(db, 'memory_index');
  },
};
