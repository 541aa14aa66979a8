import type { Migration } from 'kysely/migration';

/** The folders that documents are imported from, and the programs that remember something. */
export const sourcesAndPrograms: Migration = {
  async up(db) {
    await db.schema
      .createTable('knowledge_sources')
      .addColumn('name', 'text', (column) => column.primaryKey().notNull())
      .addColumn('place', 'text', (column) => column.notNull())
      .addColumn('created_at', 'text', (column) => column.notNull())
      .addColumn('imported_at', 'text', (column) => column.notNull())
      .execute();
    // Which program saved what there is already is not known.
    for (const table of ['memory_entries', 'memory_history']) {
      await db.schema.alterTable(table).addColumn('program', 'text').execute();
    }
  },
};
