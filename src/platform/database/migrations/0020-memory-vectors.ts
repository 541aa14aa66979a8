import type { Migration } from 'kysely/migration';
import { bytesType, dialectOf } from '../../sql/dialect.js';

/** The embeddings of entries of the memory, as those of passages. */
export const memoryVectors: Migration = {
  async up(db) {
    const bytes = bytesType(dialectOf(db));
    await db.schema
      .createTable('memory_vectors')
      .addColumn('entry_id', dialectOf(db) === 'sqlite' ? 'integer' : 'bigint', (column) =>
        column.primaryKey().references('memory_entries.id').onDelete('cascade'),
      )
      .addColumn('space', 'text', (column) => column.notNull())
      .addColumn('embedded_at', 'text', (column) => column.notNull())
      // Before the long column, so that it can be read without that.
      .addColumn('signs', bytes, (column) => column.notNull())
      .addColumn('vector', bytes, (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex('memory_vectors_space')
      .on('memory_vectors')
      .columns(['space', 'embedded_at', 'entry_id'])
      .execute();
  },
};
