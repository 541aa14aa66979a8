import type { Migration } from 'kysely/migration';

export const toolLimits: Migration = {
  async up(db) {
    for (const column of ['timeout_ms', 'max_result_bytes'])
      await db.schema.alterTable('skill_states').addColumn(column, 'integer').execute();
  },
};
