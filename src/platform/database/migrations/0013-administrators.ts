import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

export const administrators: Migration = {
  async up(db) {
    await db.schema
      .createTable('administrators')
      .addColumn('name', 'text', (column) => column.primaryKey().notNull())
      .addColumn('role', 'text', (column) => column.notNull())
      .addColumn('password_hash', 'text', (column) => column.notNull())
      .addColumn('stamp', 'text', (column) => column.notNull())
      .addColumn('created_at', 'text', (column) => column.notNull())
      .addColumn('password_changed_at', 'text', (column) => column.notNull())
      .addColumn('last_login_at', 'text')
      .execute();
    await moveGeneratedPassword(db);
    // The sessions were of nobody in particular: whoever had one logs in again.
    await db.schema.dropTable('admin_sessions').execute();
    await db.schema
      .createTable('admin_sessions')
      .addColumn('id_hash', 'text', (column) => column.primaryKey().notNull())
      .addColumn('id', 'text', (column) => column.notNull().unique())
      .addColumn('administrator', 'text', (column) =>
        column.notNull().references('administrators.name').onDelete('cascade'),
      )
      .addColumn('stamp', 'text', (column) => column.notNull())
      .addColumn('address', 'text', (column) => column.notNull())
      .addColumn('browser', 'text')
      .addColumn('created_at', 'text', (column) => column.notNull())
      .addColumn('expires_at', 'text', (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex('admin_sessions_administrator')
      .on('admin_sessions')
      .columns(['administrator', 'created_at'])
      .execute();
  },
};

/** The password that the first start generated goes on working, as the one of the account `admin`. */
async function moveGeneratedPassword(db: Kysely<unknown>): Promise<void> {
  await sql`insert into administrators (name, role, password_hash, stamp, created_at, password_changed_at)
    select 'admin', 'admin', value, 'first', created_at, created_at from secrets where name = 'admin.password'`.execute(
    db,
  );
  await sql`delete from secrets where name = 'admin.password'`.execute(db);
}
