import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What is permitted until an administrator decides otherwise: everything, to every client. */
const PERMIT_ALL = 'permit(principal, action, resource);';
const PERMIT_ALL_JSON = JSON.stringify({
  effect: 'permit',
  principal: { op: 'All' },
  action: { op: 'All' },
  resource: { op: 'All' },
  conditions: [],
});

/** Policies in Cedar, which say what clients may do. */
export const policies: Migration = {
  async up(db: Kysely<never>): Promise<void> {
    await db.schema
      .createTable('policies')
      .addColumn('name', 'text', (column) => column.primaryKey())
      .addColumn('policy', 'text', (column) => column.notNull())
      .addColumn('compiled', 'text', (column) => column.notNull())
      .addColumn('enabled', 'integer', (column) => column.notNull())
      .addColumn('created_at', 'text', (column) => column.notNull())
      .addColumn('updated_at', 'text', (column) => column.notNull())
      .addColumn('updated_by', 'text', (column) => column.notNull())
      .execute();
    const now = new Date().toISOString();
    await sql`insert into policies values
      ('permit-all', ${PERMIT_ALL}, ${PERMIT_ALL_JSON}, 1, ${now}, ${now}, '')`.execute(db);
  },
};
