import { jest } from '@jest/globals';
import { DefaultQueryExecutor, sql } from 'kysely';
import { toRecord } from '../../src/access/audit/audit-record.rules.js';
import { auditEntry, auditOn } from '../../src/access/audit/testing.js';
import { AuditAppendStore } from '../../src/access/audit/audit-append.store.js';
import { AuditHousekeeping } from '../../src/access/audit/audit-housekeeping.service.js';
import { CallCountStore } from '../../src/access/audit/call-count.store.js';
import { SessionStore } from '../../src/access/clients/session.store.js';
import { ArtifactStore } from '../../src/access/oauth/artifact.store.js';
import { GrantStore } from '../../src/access/oauth/grant.store.js';
import { FeedItemStore } from '../../src/features/feeds/store/feed-item.store.js';
import { RunHousekeeping } from '../../src/features/workflows/runs/run-housekeeping.service.js';
import { RunStore } from '../../src/features/workflows/runs/run.store.js';
import { settingsOn } from '../../src/platform/config/testing.js';
import type { Database } from '../../src/platform/database/database.js';
import { growingPartsOf, learned, numbersUpTo, statementsOf } from '../../src/platform/database/plans.testing.js';
import { describeEachDatabase } from '../../src/platform/database/testing.js';

const NOW = new Date('2026-06-01T00:00:00.000Z');
const MANY = 5_000;
const OLD = `'2026-01-01T0' || (n / 1000) || ':00:00.000Z'`;

async function filled(
  open: () => Promise<Database>,
  ...statements: ((numbers: string) => string)[]
): Promise<Database> {
  const database = await open();
  for (const statement of statements)
    await sql.raw(statement(`(${numbersUpTo(database, MANY)}) as numbers`)).execute(database);
  await learned(database);
  return database;
}

/** Without it, a table has so few pages that PostgreSQL may as well read all of them. */
const LONG = 'c'.repeat(500);

/** Returns the number of rows that each statement deleted. */
async function deletionsOf(work: () => Promise<unknown>): Promise<number[]> {
  const sent = jest.spyOn(DefaultQueryExecutor.prototype, 'executeQuery');
  await work();
  const results = await Promise.all(
    sent.mock.results.map(({ value }) => value as ReturnType<Database['executeQuery']>),
  );
  const statements = sent.mock.calls.map(([statement]) => statement.sql);
  sent.mockRestore();
  return results.flatMap(({ numAffectedRows }, index) =>
    /^delete/.test(statements[index] ?? '') ? [Number(numAffectedRows)] : [],
  );
}

const countOf = async (database: Database, table: string): Promise<number> => {
  const { rows } = await sql<{ n: number }>`select count(*) as n from ${sql.table(table)}`.execute(database);
  return Number(rows[0]?.n);
};

describeEachDatabase('the deletion of old rows', (open) => {
  it('of runs, is a part of their steps at a time', async () => {
    const database = await filled(
      open,
      (
        numbers,
      ) => `insert into workflow_runs (id, program, name, version, status, partition, epoch, root, depth, origin, client,
          owner, client_groups, input, questions, is_test, created_at, updated_at, ended_at)
        select 'r' || n, 'workflow', 'w', '1.0.0', 'completed', 0, 0, 'r' || n, 0, 'call', 'ada', 'ada', '[]', '{}', 0, 0, ${OLD}, ${OLD}, ${OLD}
        from ${numbers} where n <= 70`,
      (numbers) => `insert into workflow_steps (run_id, name, seq, task, attempt, kind, status, starts, started_at)
        select 'r' || (1 + n % 2), 'step' || n, n, '/do/0', 1, 'effect', 'completed', 1, ${OLD} from ${numbers}`,
    );
    const housekeeping = new RunHousekeeping(new RunStore(database), await settingsOn());
    const deletions = await deletionsOf(() => housekeeping.tick(NOW));
    expect([await countOf(database, 'workflow_runs'), await countOf(database, 'workflow_steps')]).toEqual([0, 0]);
    expect(deletions.reduce((sum, count) => sum + count)).toBe(MANY + 70);
    expect(Math.max(...deletions)).toBe(1_000);
  });

  it('of feeds, is a part of their items at a time, by an index', async () => {
    const database = await filled(
      open,
      () => `insert into feeds (id, url, folders, is_paused, is_gone, failures, created_at, search)
        values ('f', 'u', '[]', 0, 0, 0, '', '')`,
      (
        numbers,
      ) => `insert into feed_items (feed_id, id, revision, title, first_seen_at, sorted_at, content, summary, categories,
          is_in_document, search)
        select 'f', 'i' || n, 'r', 't', ${OLD}, ${OLD}, '${LONG}', 's', '[]', case when n <= 4000 then 1 else 0 end, ''
        from ${numbers}`,
    );
    const store = new FeedItemStore(database);
    const statements = await statementsOf(async () => expect(await store.prune(NOW, 100)).toBe(100));
    for (const statement of statements) expect(await growingPartsOf(database, statement, 500)).toEqual([]);
  });

  it('of the counts of calls, is a part at a time', async () => {
    const database = await filled(
      open,
      (numbers) => `insert into call_counts (span, at, of, name, outcome, calls, latency)
        select 'hour', ${OLD}, 'tool', 't' || n, 'ok', 1, '{}' from ${numbers}`,
      (numbers) => `insert into call_counts (span, at, of, name, outcome, calls, latency)
        select 'hour', '2026-05-31T23:00:00.000Z', 'tool', 't' || n, 'ok', 1, '{}' from ${numbers} where n <= 3`,
    );
    const settings = await settingsOn();
    const counts = new CallCountStore(database);
    const housekeeping = new AuditHousekeeping(new AuditAppendStore(database), counts, settings);
    const deletions = await deletionsOf(() => housekeeping.tick(NOW));
    expect(await countOf(database, 'call_counts')).toBe(3);
    // The minimum, plus the others of the same hour.
    expect(Math.max(...deletions)).toBeLessThanOrEqual(2_000);
  });

  it('of the audit log, is a part of its terms at a time', async () => {
    const database = await open();
    const { appended, log } = auditOn(database);
    for (let n = 0; n < 120; n += 1) {
      await appended.append({
        records: [
          toRecord(auditEntry({ at: new Date(Date.UTC(2026, 0, 1, 0, n)), subject: `s${n}`, outcome: 'error' })),
        ],
        ...{ calls: [], isUrgent: false, tried: null },
      });
    }
    const housekeeping = new AuditHousekeeping(appended, new CallCountStore(database), await settingsOn());
    const deletions = await deletionsOf(() => housekeeping.tick(NOW));
    expect(await countOf(database, 'audit_batches')).toBe(1); // the batch that records the deletion
    expect(deletions.slice(0, 6)).toEqual([50, 150, 50, 150, 20, 60]);
    await log.onApplicationShutdown();
  });

  it('of unused sessions, is a part of them at a time', async () => {
    const database = await filled(
      open,
      (
        numbers,
      ) => `insert into mcp_sessions (id, client, protocol_version, initialize, event_seq, created_at, last_seen_at,
          answered_after, answered_up_to)
        select 's' || n, 'ada', '2025-06-18', '{}', 0, ${OLD}, ${OLD}, 0, 0 from ${numbers} where n <= 1000`,
    );
    const deletions = await deletionsOf(() => new SessionStore(database).deleteIdle(NOW));
    expect(await countOf(database, 'mcp_sessions')).toBe(0);
    expect(Math.max(...deletions)).toBe(200);
  });

  it('of tokens, is a part at a time, and what is left of grants is found by an index', async () => {
    const database = await filled(
      open,
      () => `insert into administrators (name, role, groups, disabled, password_hash, stamp, created_at, password_changed_at)
        values ('ada', 'member', '[]', 0, 'x', 'x', '2026', '2026')`,
      (numbers) => `insert into oauth_grants (id, person, program, name, host, proven, payload, created_at, expires_at)
        select 'g' || n, 'ada', 'p', 'n', 'h', '', '{}', ${OLD}, '2027' from ${numbers} where n <= 2000`,
      (numbers) => `insert into oauth_artifacts (kind, id_hash, grant_id, payload, created_at, expires_at)
        select 'RefreshToken', 'a' || n, 'g' || n, '{}', ${OLD}, case when n % 2 = 0 then ${OLD} else '2027' end
        from ${numbers}`,
    );
    const artifacts = new ArtifactStore(database);
    const deletions = await deletionsOf(() => artifacts.deleteEnded(NOW));
    expect(await countOf(database, 'oauth_artifacts')).toBe(1_000);
    expect(deletions.reduce((sum, count) => sum + count)).toBe(4_000);
    expect(Math.max(...deletions)).toBe(500);
    const grants = new GrantStore(database);
    const statements = await statementsOf(async () => {
      const { nextCursor } = await grants.listPage({ limit: 10 }, NOW);
      await grants.listPage({ limit: 10, cursor: nextCursor ?? undefined }, NOW);
      await grants.listInForce(['g1', 'g2'], NOW);
    });
    for (const statement of statements) {
      const growing = await growingPartsOf(database, statement, 40);
      expect(growing.filter((part) => part !== 'SCAN oauth_grants USING INDEX oauth_grants_created')).toEqual([]);
    }
    expect(await grants.deleteEnded(NOW, NOW)).toHaveLength(500); // those without tokens; the others are deleted next time
    expect(await grants.deleteEnded(NOW, NOW)).toHaveLength(500);
    expect(await grants.deleteEnded(NOW, NOW)).toEqual([]);
  });
});
