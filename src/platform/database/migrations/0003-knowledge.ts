import type { Migration } from 'kysely/migration';
import { addSequenceKey, dialectOf } from '../../sql/dialect.js';
import { createTextIndex } from '../../text/text-index.js';

export const knowledge: Migration = {
  async up(db) {
    await db.schema
      .createTable('knowledge_documents')
      .addColumn('id', 'text', (column) => column.primaryKey().notNull())
      .addColumn('title', 'text', (column) => column.notNull())
      .addColumn('content', 'text', (column) => column.notNull())
      .addColumn('tags', 'text', (column) => column.notNull())
      .addColumn('source', 'text')
      .addColumn('path', 'text', (column) => column.unique())
      .addColumn('hash', 'text', (column) => column.notNull())
      .addColumn('created_at', 'text', (column) => column.notNull())
      .addColumn('updated_at', 'text', (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex('knowledge_documents_updated_at')
      .on('knowledge_documents')
      .columns(['updated_at', 'id'])
      .execute();
    // Includes the path; otherwise SQLite would search all documents without a path.
    await db.schema
      .createIndex('knowledge_documents_hash')
      .on('knowledge_documents')
      .columns(['hash', 'path'])
      .execute();
    await db.schema.createIndex('knowledge_documents_title').on('knowledge_documents').column('title').execute();
    await db.schema
      .createTable('knowledge_tags')
      .addColumn('tag', 'text', (column) => column.notNull())
      .addColumn('document_id', 'text', (column) =>
        column.notNull().references('knowledge_documents.id').onDelete('cascade'),
      )
      .addPrimaryKeyConstraint('knowledge_tags_pk', ['tag', 'document_id'])
      .execute();
    await db.schema.createIndex('knowledge_tags_document_id').on('knowledge_tags').column('document_id').execute();
    await addSequenceKey(db.schema.createTable('knowledge_passages'), 'id', dialectOf(db))
      .addColumn('document_id', 'text', (column) =>
        column.notNull().references('knowledge_documents.id').onDelete('cascade'),
      )
      .addColumn('position', 'integer', (column) => column.notNull())
      .addColumn('headings', 'text', (column) => column.notNull())
      .addColumn('content', 'text', (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex('knowledge_passages_document_id')
      .on('knowledge_passages')
      .columns(['document_id', 'position'])
      .execute();
    await createTextIndex(db, 'knowledge_index', 'knowledge_passages');
  },
};
