import type { Migration } from 'kysely/migration';

/** Where passages are in their documents. */
export const passagePlaces: Migration = {
  async up(db) {
    // Passages are cut in another way than those so far: the service cuts all documents anew when it starts.
    await db.deleteFrom('knowledge_passages').execute();
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
