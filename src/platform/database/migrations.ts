import { type Kysely, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { MigrationFailed, SchemaTooNew } from './database.errors.js';
import type { Database } from './database.js';
import type { Tables } from './tables.js';
import { initial } from './migrations/0001-initial.js';

/** All migrations, applied in the order of their names. A released one is never edited. */
const MIGRATIONS: Record<string, Migration> = { '0001-initial': initial };

/**
 * Migrates the schema to the current version.
 * @throws SchemaTooNew when a newer version of the service has changed it, MigrationFailed
 */
export async function migrate(db: Database): Promise<void> {
  const unknown = (await appliedMigrations(db)).filter((name) => !Object.hasOwn(MIGRATIONS, name));
  if (unknown.length > 0) throw new SchemaTooNew(unknown);
  const { error } = await new Migrator({ db, provider: { getMigrations: async () => MIGRATIONS } }).migrateToLatest();
  if (error) throw new MigrationFailed(error);
}

export async function appliedMigrations(db: Kysely<Tables>): Promise<string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some((table) => table.name === 'kysely_migration')) return [];
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  return rows.map((row) => row.name);
}
