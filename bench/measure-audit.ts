import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { createApp } from '../src/app.setup.js';
import { AuditAppendStore } from '../src/access/audit/audit-append.store.js';
import type { AuditEntry } from '../src/access/audit/audit-entry.js';
import { AuditLog } from '../src/access/audit/audit-log.service.js';
import { AuditReader } from '../src/access/audit/audit-reader.service.js';
import type { AuditFilter } from '../src/access/audit/audit-search.rules.js';
import { Database } from '../src/platform/database/database.js';
import { median } from './median.js';

export interface AuditCost {
  database: string;
  entries: number;
  /** CPU of all threads of the service, from the event of a call to its row. */
  microsPerEntry: number;
  bytesPerEntry: number;
  /** Pages of 50: CPU of all threads of the service, p50. */
  newestMs: number;
  clientMs: number;
  twoFiltersMs: number;
  textMs: number;
}

const GATHERED = 1_000;
const PAGES = 15;
const START = Date.UTC(2026, 0, 1);
const FILE = 'agent-service.db';

/** On SQLite, and on PostgreSQL where TEST_POSTGRES_URL names an empty database that may be filled. */
export async function measureAudit(entries: number): Promise<AuditCost[]> {
  const url = process.env['TEST_POSTGRES_URL'];
  const sqlite = await measureOn('SQLite', {}, entries);
  return url ? [sqlite, await measureOn('PostgreSQL', { DATABASE_URL: url }, entries)] : [sqlite];
}

async function measureOn(database: string, env: Record<string, string>, entries: number): Promise<AuditCost> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-'));
  Object.assign(process.env, { DATA_DIR: dataDir, WORKFLOWS_DIR: join(dataDir, 'none'), LOG_LEVEL: 'silent', ...env });
  const app = await createApp();
  await app.init();
  const [log, reader, db] = [app.get(AuditLog), app.get(AuditReader), app.get(Database)];
  const { head } = await app.get(AuditAppendStore, { strict: false }).ends();
  const sizeOf = async (): Promise<number> => {
    if (database === 'PostgreSQL') {
      const { rows } = await sql<{ bytes: string }>`select pg_total_relation_size('audit_batches')
        + pg_total_relation_size('audit_terms') as bytes`.execute(db);
      return Number(rows[0]?.bytes);
    }
    await sql`pragma wal_checkpoint(truncate)`.execute(db);
    return (await stat(join(dataDir, FILE))).size;
  };
  try {
    const before = await sizeOf();
    const micros = await cpuMicros(async () => {
      for (let n = 0; n < entries; n += 1) {
        log.record(entryOf(n));
        if (n % GATHERED === GATHERED - 1) await log.flush();
      }
      await log.flush();
    });
    const bytes = (await sizeOf()) - before;
    const page = (filter: AuditFilter) => pageMs(reader, filter);
    return {
      database,
      entries: entries + head.seq,
      microsPerEntry: micros / entries,
      bytesPerEntry: bytes / entries,
      newestMs: await page({}),
      clientMs: await page({ client: 'client7' }),
      twoFiltersMs: await page({ client: 'client7', subject: 'tool10' }),
      textMs: await page({ q: 'nothing like it' }),
    };
  } finally {
    await app.close();
    await rm(dataDir, { recursive: true });
  }
}

/** A typical call by one of 50 clients; every tenth calls another tool. */
function entryOf(n: number): AuditEntry {
  const isOther = n % 10 === 0;
  return {
    kind: 'call',
    at: new Date(START + 2 * n + Math.round(Math.random())),
    client: {
      name: `client${n % 50}`,
      groups: ['team'],
      origin: {
        run: null,
        sessionId: `0b7c6f0e-9d6b-4f0e-8a55-${String(n % 50).padStart(12, '0')}`,
        program: 'claude-code',
        programProven: false,
        programVersion: '2.1.0',
        protocolVersion: '2025-11-25',
        key: `ask_${n % 50}`,
        address: '127.0.0.1',
        traceId: null,
      },
    },
    action: 'callTool',
    subject: isOther ? `tool${n % 300}` : 'system_info',
    decision: { allowed: true, policies: ['everybody'] },
    arguments: isOther ? { query: `words of call ${n}` } : {},
    outcome: n % 500 === 0 ? 'error' : 'ok',
    durationMs: 5 * Math.random(),
  };
}

async function pageMs(reader: AuditReader, filter: AuditFilter): Promise<number> {
  const page = () => reader.listPage({ ...filter, limit: 50 });
  await page(); // starts the threads
  const times: number[] = [];
  for (let n = 0; n < PAGES; n += 1) times.push((await cpuMicros(page)) / 1_000);
  return median(times);
}

async function cpuMicros(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}
