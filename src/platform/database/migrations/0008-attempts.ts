import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { dialectOf } from '../../sql/dialect.js';

/** Only replicas share what they count, and they share a PostgreSQL. Its columns and their order are rate-limiter-flexible's. */
export const attempts: Migration = {
  async up(db) {
    if (dialectOf(db) === 'sqlite') return;
    await db.schema
      .createTable('attempts')
      // Written by whoever guesses, and of no value after a crash: not worth the log.
      .modifyFront(sql`unlogged`)
      .addColumn('key', 'varchar(255)', (column) => column.primaryKey())
      .addColumn('points', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('expire', 'bigint')
      .execute();
  },
};
