import type { Migration } from 'kysely/migration';

export const streamEnds: Migration = {
  async up(db) {
    await db.schema.alterTable('mcp_streams').addColumn('finished_at', 'text').execute();
  },
};
