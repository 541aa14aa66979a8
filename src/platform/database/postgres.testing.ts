import { Client } from 'pg';
import { openPostgres } from './open-database.js';

/** An empty, migrated database of the test server. */
export interface TestDatabase {
  url: string;
  /** Releases the database: another test may get it, emptied. */
  drop: () => Promise<void>;
}

/** The state of a migrated database that no test has changed. */
interface Untouched {
  schema: string;
  /** Statements that restore the rows inserted by migrations. */
  inserts: readonly string[];
}

/** A Jest process runs one file at a time, so its databases are free whenever a file starts. */
const OWNER = `test_${process.env['JEST_WORKER_ID'] ?? '0'}_`;
/** Everything except rows that a test could leave behind in a database. */
const SCHEMA = `select md5(string_agg(line, ',' order by line)) as schema from (
  select format('%s.%s %s %s', attrelid::regclass, attname, atttypid::regtype, attnotnull) as line from pg_attribute
    join pg_class on pg_class.oid = attrelid where relnamespace = 'public'::regnamespace and attnum > 0
  union all select pg_get_indexdef(indexrelid) from pg_index join pg_class on pg_class.oid = indexrelid
    where relnamespace = 'public'::regnamespace
  union all select pg_get_constraintdef(oid) from pg_constraint where connamespace = 'public'::regnamespace
  union all select format('%s %s', pg_get_triggerdef(oid), tgenabled) from pg_trigger where not tgisinternal
  union all select pg_get_functiondef(oid) from pg_proc where pronamespace = 'public'::regnamespace
  union all select array_to_string(setconfig, ' ') from pg_db_role_setting
    where setdatabase = (select oid from pg_database where datname = current_database())) as everything`;
const TABLES = `select tablename as name from pg_tables where schemaname = 'public' and tablename not like 'kysely_%'`;
const SEQUENCES = `select setval(oid::regclass, 1, false) from pg_class
  where relkind = 'S' and relnamespace = 'public'::regnamespace`;

const taken = new Set<string>();
let untouched: Untouched | null = null; // null = not read yet by this file

/**
 * Returns an empty, migrated database of the test server. Creating and migrating one takes 600 ms of CPU, emptying one 12: so
 * each process keeps its databases, and a test reuses one that another test has released.
 */
export async function newPostgresDatabase(serverUrl: string): Promise<TestDatabase> {
  const name = nextName();
  taken.add(name);
  if (!(await emptied(serverUrl, name))) await recreate(serverUrl, name);
  return { url: urlOf(serverUrl, name), drop: async () => void taken.delete(name) };
}

function nextName(): string {
  for (let number = 1; ; number += 1) if (!taken.has(`${OWNER}${number}`)) return `${OWNER}${number}`;
}

/** Empties a database. Returns false when it does not exist, or a test has changed its schema. */
async function emptied(serverUrl: string, name: string): Promise<boolean> {
  if (!(await disconnected(serverUrl, name))) return false;
  untouched ??= await readUntouched(serverUrl);
  const { schema, inserts } = untouched;
  return connected(urlOf(serverUrl, name), async (client) => {
    if ((await schemaOf(client)) !== schema) return false;
    const deletes = (await tablesIn(client)).map((table) => `delete from "${table}"`);
    // As a replica, to disable foreign keys and the triggers that guard the audit log.
    await client.query(['set session_replication_role = replica', ...deletes, ...inserts, SEQUENCES].join(';'));
    return true;
  });
}

/** Closes the connections to a database. Returns false when it does not exist. */
function disconnected(serverUrl: string, name: string): Promise<boolean> {
  return connected(serverUrl, async (client) => {
    const { rows } = await client.query(
      `select (select count(pg_terminate_backend(pid, 5000)) from pg_stat_activity where datname = '${name}')
       from pg_database where datname = '${name}'`,
    );
    return rows.length > 0;
  });
}

async function recreate(serverUrl: string, name: string): Promise<void> {
  await connected(serverUrl, async (client) => {
    await client.query(`drop database if exists ${name} with (force)`);
    await client.query(`create database ${name}`);
  });
  await (await openPostgres(urlOf(serverUrl, name))).destroy();
}

async function readUntouched(serverUrl: string): Promise<Untouched> {
  const name = `${OWNER}untouched`;
  if (!(await disconnected(serverUrl, name))) await recreate(serverUrl, name);
  return connected(urlOf(serverUrl, name), async (client) => {
    const inserts: string[] = [];
    for (const table of await tablesIn(client)) {
      const { rows } = await client.query<{ kept: string | null }>(
        `select quote_literal(json_agg(one)) as kept from "${table}" as one`,
      );
      const kept = rows[0]?.kept;
      if (kept) inserts.push(`insert into "${table}" select * from json_populate_recordset(null::"${table}", ${kept})`);
    }
    return { schema: await schemaOf(client), inserts };
  });
}

async function tablesIn(client: Client): Promise<string[]> {
  return (await client.query<{ name: string }>(TABLES)).rows.map(({ name }) => name);
}

async function schemaOf(client: Client): Promise<string> {
  return (await client.query<{ schema: string }>(SCHEMA)).rows[0]?.schema ?? '';
}

function urlOf(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

async function connected<Result>(url: string, work: (client: Client) => Promise<Result>): Promise<Result> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
