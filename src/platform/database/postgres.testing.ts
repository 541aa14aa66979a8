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
  /** Statements that empty all tables, and restore the rows inserted by migrations. */
  emptying: string;
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
  where relkind = 'S' and relnamespace in ('public'::regnamespace, 'counted'::regnamespace)`;
/** Counts the statements that may have changed the schema: reading that number is much cheaper than reading the schema. */
const COUNT_CHANGES = `create schema counted; create sequence counted.changes;
  create function counted.change() returns event_trigger language plpgsql security definer
    as 'begin perform nextval(''counted.changes''); end';
  create event trigger changes on ddl_command_end execute function counted.change();
  alter event trigger changes enable always`;
const IS_CHANGED = `select is_called or exists (select from pg_db_role_setting where setdatabase = own.oid) as changed,
    (select count(pg_terminate_backend(pid, 5000)) from pg_stat_get_activity(null)
      where datid = own.oid and pid <> pg_backend_pid())
  from counted.changes, pg_database as own where datname = current_database()`;

const taken = new Set<string>();
/** The connections that empty databases. Their first statements cost much more than the later ones. */
const keepers = new Map<string, Client>();
let untouched: Untouched | null = null; // null = not read yet by this file

afterAll(async () => {
  await Promise.all([...keepers.values()].map((keeper) => keeper.end()));
  keepers.clear();
});

/**
 * Returns an empty, migrated database of the test server. Creating and migrating one takes 600 ms of CPU, emptying one 4: so
 * each process keeps its databases, and a test reuses one that another test has released.
 */
export async function newPostgresDatabase(serverUrl: string): Promise<TestDatabase> {
  const name = nextName();
  taken.add(name);
  untouched ??= await readUntouched(serverUrl);
  const keeper = await keeperOf(serverUrl, name);
  if (!keeper || !(await emptied(keeper, untouched))) {
    await keeper?.end();
    keepers.delete(name);
    await recreate(serverUrl, name);
  }
  return { url: urlOf(serverUrl, name), drop: async () => void taken.delete(name) };
}

function nextName(): string {
  for (let number = 1; ; number += 1) if (!taken.has(`${OWNER}${number}`)) return `${OWNER}${number}`;
}

/** Returns the connection that empties a database; undefined when there is no such database. */
async function keeperOf(serverUrl: string, name: string): Promise<Client | undefined> {
  const kept = keepers.get(name);
  if (kept) return kept;
  const keeper = new Client({ connectionString: urlOf(serverUrl, name) });
  try {
    await keeper.connect();
    // As a replica, to disable foreign keys and the triggers that guard the audit log.
    await keeper.query('set session_replication_role = replica');
  } catch {
    return undefined;
  }
  const forget = () => keepers.get(name) === keeper && keepers.delete(name);
  keeper.on('error', forget).on('end', forget);
  keepers.set(name, keeper);
  return keeper;
}

/** Closes all other connections, and empties the database. Returns false when a test has changed its schema or its settings. */
async function emptied(keeper: Client, { schema, emptying }: Untouched): Promise<boolean> {
  try {
    const { rows } = await keeper.query<{ changed: boolean }>(IS_CHANGED);
    if (rows[0]?.changed !== false && (await schemaOf(keeper)) !== schema) return false;
    await keeper.query(emptying);
    return true;
  } catch {
    return false;
  }
}

async function recreate(serverUrl: string, name: string): Promise<void> {
  await connected(serverUrl, async (client) => {
    await client.query(`drop database if exists ${name} with (force)`);
    await client.query(`create database ${name}`);
  });
  const url = urlOf(serverUrl, name);
  await (await openPostgres(url)).destroy();
  await connected(url, (client) => client.query(COUNT_CHANGES));
}

async function readUntouched(serverUrl: string): Promise<Untouched> {
  const name = `${OWNER}untouched`;
  const read = () => connected(urlOf(serverUrl, name), untouchedIn);
  try {
    return await read();
  } catch {
    await recreate(serverUrl, name);
    return read();
  }
}

async function untouchedIn(client: Client): Promise<Untouched> {
  const deletes: string[] = [];
  const inserts: string[] = [];
  for (const table of await tablesIn(client)) {
    deletes.push(`delete from "${table}"`);
    const { rows } = await client.query<{ kept: string | null }>(
      `select quote_literal(json_agg(one)) as kept from "${table}" as one`,
    );
    const kept = rows[0]?.kept;
    if (kept) inserts.push(`insert into "${table}" select * from json_populate_recordset(null::"${table}", ${kept})`);
  }
  return { schema: await schemaOf(client), emptying: [...deletes, ...inserts, SEQUENCES].join(';') };
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
