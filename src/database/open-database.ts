import { accessSync, constants, existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Kysely } from 'kysely';
import type { Environment } from '../config/environment.js';
import { NodeSqliteDialect } from '#kysely-node-sqlite';
import type { Database } from './database.js';
import { DataDirNotWritable, PostgresNotSupported } from './database.errors.js';
import { migrate } from './migrations.js';
import type { Tables } from './tables.js';

/** Opens the database that the environment names. @throws PostgresNotSupported, DataDirNotWritable, SchemaTooNew */
export async function openDatabase({ DATABASE_URL, DATA_DIR }: Environment): Promise<Database> {
  if (DATABASE_URL !== null) throw new PostgresNotSupported();
  return openEmbeddedDatabase(DATA_DIR);
}

/** Opens the embedded database of a data folder, created on first use. @throws DataDirNotWritable, SchemaTooNew */
export async function openEmbeddedDatabase(dataDir: string): Promise<Database> {
  const folder = resolve(dataDir);
  const file = join(folder, 'agent-service.db');
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
    if (existsSync(file)) accessSync(file, constants.W_OK);
  } catch (error) {
    throw new DataDirNotWritable(folder, reasonOf(error));
  }
  return openSqlite(file);
}

/** @param path a file, or `:memory:` */
export async function openSqlite(path: string): Promise<Database> {
  const database: Database = new Kysely<Tables>({ dialect: new NodeSqliteDialect(path) });
  try {
    await migrate(database);
    return database;
  } catch (error) {
    await database.destroy();
    throw error;
  }
}

function reasonOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : String(error);
}
