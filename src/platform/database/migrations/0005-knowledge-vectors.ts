import type { Migration } from 'kysely/migration';
import { bytesType, dialectOf } from '../../sql/dialect.js';

export const knowledgeVectors: Migration = {
  async up(db) {
    const bytes = bytesType(dialectOf(db));
    await db.schema
      .createTable('knowledge_vectors')
      .addColumn('passage_id', dialectOf(db) === 'sqlite' ? 'integer' : 'bigint', (column) =>
        column.primaryKey().references('knowledge_passages.id').onDelete('cascade'),
      )
      .addColumn('space', 'text', (column) => column.notNull())
      .addColumn('embedded_at', 'text', (column) => column.notNull())
      // Before the long column, so that it can be read without that.
      .addColumn('signs', bytes, (column) => column.notNull())
      .addColumn('vector', bytes, (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex('knowledge_vectors_space')
      .on('knowledge_vectors')
      .columns(['space', 'embedded_at', 'passage_id'])
      .execute();
  },
};
