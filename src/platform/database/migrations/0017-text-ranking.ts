import type { Migration } from 'kysely/migration';
import { bytesType, dialectOf } from '../../sql/dialect.js';
import { recreateTextIndex } from '../../text/text-index.js';

/** Empties the text indexes, whose words are made in another way now: the service fills them again when it starts. */
export const textRanking: Migration = {
  async up(db) {
    await recreateTextIndex(db, 'knowledge_index', 'knowledge_passages');
    await recreateTextIndex(db, 'memory_index', 'memory_entries');
    await db.schema
      .createTable('knowledge_document_words')
      .addColumn('document_id', 'text', (column) =>
        column.primaryKey().notNull().references('knowledge_documents.id').onDelete('cascade'),
      )
      .addColumn('indexed_as', 'integer', (column) => column.notNull())
      .addColumn('title_words', 'integer', (column) => column.notNull())
      .addColumn('context_words', 'integer', (column) => column.notNull())
      .addColumn('body_words', 'integer', (column) => column.notNull())
      .addColumn('counts', bytesType(dialectOf(db)), (column) => column.notNull())
      .execute();
    // Holds all that averages are made from.
    await db.schema
      .createIndex('knowledge_document_words_lengths')
      .on('knowledge_document_words')
      .columns(['indexed_as', 'title_words', 'context_words', 'body_words'])
      .execute();
  },
};
