import type { Migration } from 'kysely/migration';

/** Where passages are in their documents. */
export const passagePlaces: Migration = {
  async up(db) {
    for (const [name, type, value] of [
      ['start', 'integer', 0],
      ['lead', 'text', ''],
    ] as const) {
      await db.schema
        .alterTable('knowledge_passages')
        .addColumn(name, type, (column) => column.notNull().defaultTo(value))
        .execute();
    }
  },
};
