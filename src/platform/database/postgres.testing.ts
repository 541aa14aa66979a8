import { Client } from 'pg';
import { openPostgres } from './open-database.js';

/** An empty, migrated database of the test server. */
export interface TestDatabase {
  url: string;
  /** Gives the database back: another test may get it, emptied. */
  drop: () => Promise<void>;
}

/** One process of Jest runs one file at a time, so that its databases are free whenever a file begins. */
const OWNER = `test_${process.env['JEST_WORKER_ID'] ?? '0'}_`;
/** Everything but rows that a test could leave behind in a database. */
const SCHEMA = `select md5(string_agg(line, ',' order by line)) as schema from (
  select format('%s.%s %s %s', attrelid::regclass, attname, atttypid, attnotnull) as line from pg_attribute
    join pg_class on pg_class.oid = attrelid where relnamespace = 'public'::regnamespace and attnum > 0
  union all select pg_get_indexdef(indexrelid) from pg_index join pg_class on pg_class.oid = indexrelid
    where relnamespace = 'public'::regnamespace
  union all select pg_get_constraintdef(oid) from pg_constraint where connamespace = 'public'::regnamespace
  union all select format('%s %s', pg_get_triggerdef(oid), tgenabled) from pg_trigger where not tgisinternal
  union all select pg_get_functiondef(oid) from pg_proc where pronamespace = 'public'::regnamespace
  union all select array_to_string(setconfig, ' ') from pg_db_role_setting
    where setdatabase = (select oid from pg_database where datname = current_database())) as everything`;
/** The schema with the rows that migrations have put into tables. */
const KEPT = 'kept';
const SEQUENCES = `select coalesce(max(setval(oid::regclass, 1, false)), 0) from pg_class
  where relkind = 'S' and relnamespace = 'public'::regnamespace`;

const taken = new Set<string>();
let schema: string | null = null; // null = no database of this file has been migrated or checked yet

/**
 * Returns an empty, migrated database of the test server. Creating and migrating one takes 600 ms of CPU, emptying
 * one 12: so each process keeps its databases, and a test gets one that another test has given back.
 */
export async function newPostgresDatabase(serverUrl: string): Promise<TestDatabase> {
  const name = nextName();
  taken.add(name);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  if (!(await emptied(serverUrl, url.href, name))) await recreate(serverUrl, url.href, name);
  return { url: url.href, drop: async () => void taken.delete(name) };
}

function nextName(): string {
  for (let number = 1; ; number += 1) if (!taken.has(`${OWNER}${number}`)) return `${OWNER}${number}`;
}

/** Empties a database. Returns false when there is none, or when a test has changed its schema. */
async function emptied(serverUrl: string, url: string, name: string): Promise<boolean> {
  const [exists] = await query(serverUrl, `select 1 from pg_database where datname = '${name}'`);
  if (!exists) return false;
  await query(serverUrl, `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${name}'`);
  if ((await schemaOf(url)) !== (await wantedSchema(serverUrl))) return false;
  // As a replica, so that neither foreign keys nor the triggers that guard the audit log are in the way.
  const deletes = (await tablesIn(url, 'public')).map((table) => `delete from public."${table}"`);
  const inserts = (await tablesIn(url, KEPT)).map(
    (table) => `insert into public."${table}" select * from ${KEPT}."${table}"`,
  );
  await query(url, ['set session_replication_role = replica', ...deletes, ...inserts, SEQUENCES].join(';'));
  return true;
}

async function recreate(serverUrl: string, url: string, name: string): Promise<void> {
  await query(serverUrl, `drop database if exists ${name} with (force)`);
  await query(serverUrl, `create database ${name}`);
  await migrate(url);
}

/** Migrates a database, and keeps beside its tables the rows that migrations put into them. */
async function migrate(url: string): Promise<void> {
  await (await openPostgres(url)).destroy();
  await query(url, `create schema ${KEPT}`);
  for (const table of await tablesIn(url, 'public')) {
    const [row] = await query(url, `select 1 from public."${table}" limit 1`);
    if (row) await query(url, `create table ${KEPT}."${table}" as table public."${table}"`);
  }
}

async function tablesIn(url: string, schemaName: string): Promise<string[]> {
  const rows = await query<{ tablename: string }>(
    url,
    `select tablename from pg_tables where schemaname = '${schemaName}' and tablename not like 'kysely_%'`,
  );
  return rows.map(({ tablename }) => tablename);
}

/** Returns what the schema of a migrated database is, of one that no test has touched. */
async function wantedSchema(serverUrl: string): Promise<string> {
  if (schema !== null) return schema;
  const name = `${OWNER}untouched`;
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const [exists] = await query(serverUrl, `select 1 from pg_database where datname = '${name}'`);
  if (!exists) await recreate(serverUrl, url.href, name);
  return (schema = await schemaOf(url.href));
}

async function schemaOf(url: string): Promise<string> {
  const [row] = await query<{ schema: string }>(url, SCHEMA);
  return row?.schema ?? '';
}

async function query<Row extends object>(url: string, statements: string): Promise<Row[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<Row>(statements);
    return rows;
  } finally {
    await client.end();
  }
}
