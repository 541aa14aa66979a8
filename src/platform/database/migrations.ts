import { type Kysely, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { dialectOf } from '../sql/dialect.js';
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
  const schema = await ownSchema(db);
  const provider = { getMigrations: async () => MIGRATIONS };
  const migrator = new Migrator({ db, provider, ...(schema !== undefined && { migrationTableSchema: schema }) });
  const { error } = await migrator.migrateToLatest();
  if (error) throw new MigrationFailed(error);
}

export async function appliedMigrations(db: Kysely<Tables>): Promise<string[]> {
  const own = await ownSchema(db);
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some(({ name, schema }) => name === 'kysely_migration' && schema === own)) return [];
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  return rows.map((row) => row.name);
}

/** Returns the schema of the tables that the search path finds, or in which it creates them; undefined on SQLite. */
async function ownSchema(db: Kysely<Tables>): Promise<string | undefined> {
  if (dialectOf(db) === 'sqlite') return undefined;
  const { rows } = await sql<{ name: string | null }>`select coalesce(
    (select nspname from pg_namespace join pg_class on pg_namespace.oid = relnamespace
      where pg_class.oid = to_regclass('kysely_migration')), current_schema()) as name`.execute(db);
  return rows[0]?.name ?? undefined;
}
