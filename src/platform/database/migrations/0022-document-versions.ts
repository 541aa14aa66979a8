import type { Migration } from 'kysely/migration';

/** The number of a document's version, and the versions that it had before. */
export const documentVersions: Migration = {
  async up(db) {
    await db.schema
      .alterTable('knowledge_documents')
      .addColumn('version', 'integer', (column) => column.notNull().defaultTo(1))
      .execute();
    await db.schema
      .createTable('knowledge_history')
      .addColumn('document_id', 'text', (column) =>
        column.notNull().references('knowledge_documents.id').onDelete('cascade'),
      )
      .addColumn('version', 'integer', (column) => column.notNull())
      .addColumn('title', 'text', (column) => column.notNull())
      .addColumn('tags', 'text', (column) => column.notNull())
      .addColumn('source', 'text')
      .addColumn('saved_at', 'text', (column) => column.notNull())
      .addColumn('content', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('knowledge_history_pk', ['document_id', 'version'])
      .execute();
  },
};
