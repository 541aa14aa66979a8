import { sql } from 'kysely';
import type { AuditFilter } from '../../src/access/audit/audit-query.store.js';
import { auditEntry, auditOn } from '../../src/access/audit/testing.js';
import type { Database } from '../../src/platform/database/database.js';
import { describeEachDatabase } from '../../src/platform/database/testing.js';
import { Random } from '../fuzz/random.js';
import { seedFrom } from '../support/seed.js';

const SEED = seedFrom('AUDIT_SEED');
/** Rows of the large table; a million makes sense, too. */
const ROWS = Number(process.env['AUDIT_ROWS'] ?? 60_000);
const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute));

describeEachDatabase('queries of the audit log', (open, dialect) => {
  it(`give each entry that fits once, the newest first, in pages of any size (seed ${SEED})`, async () => {
    const random = new Random(SEED);
    const database = await open();
    const { log, reader } = auditOn(database);
    const kinds = ['call', 'read', 'change'] as const;
    const made = Array.from({ length: 400 }, (_entry, n) => {
      const kind = random.pick(kinds);
      return auditEntry({
        kind,
        at: at(random.integer(0, 60)),
        client: kind === 'change' ? null : { name: random.pick(['ide', 'cli', 'CLI']), groups: [] },
        admin: kind === 'change' ? 'admin' : null,
        subject: random.pick(['forecast', 'echo', 'rss://feed']),
        outcome: random.pick(['ok', 'denied', 'error']),
        message: random.pick(['Über 100% _wild_ "quoted"', 'plain']),
        count: n,
      });
    });
    for (const entry of made) log.record(entry);
    await log.flush();
    for (let query = 0; query < 60; query += 1) {
      const filter: AuditFilter = {
        ...(random.chance(0.4) && { kind: random.pick(kinds) }),
        ...(random.chance(0.4) && { client: random.pick(['ide', 'cli', 'nobody']) }),
        ...(random.chance(0.2) && { admin: 'admin' }),
        ...(random.chance(0.4) && { subject: random.pick(['forecast', 'echo']) }),
        ...(random.chance(0.4) && { outcome: random.pick(['ok', 'denied']) }),
        ...(random.chance(0.4) && { from: at(random.integer(0, 60)) }),
        ...(random.chance(0.4) && { to: at(random.integer(0, 60)) }),
        ...(random.chance(0.3) && { q: random.pick(['100% _WILD_', 'üBER', 'echo', '%', 'nothing like it']) }),
      };
      const expected = made
        .map((entry, index) => ({ ...entry, seq: index + 1 }))
        .filter(
          ({ kind, client, admin, subject, outcome, at: time, message }) =>
            (filter.kind === undefined || kind === filter.kind) &&
            (filter.client === undefined || client?.name === filter.client) &&
            (filter.admin === undefined || admin === filter.admin) &&
            (filter.subject === undefined || subject === filter.subject) &&
            (filter.outcome === undefined || outcome === filter.outcome) &&
            (!filter.from || time >= filter.from) &&
            (!filter.to || time < filter.to) &&
            (!filter.q ||
              [subject, client?.name, admin, message].join(' ').toLowerCase().includes(filter.q.toLowerCase())),
        )
        .sort((left, right) => right.at.getTime() - left.at.getTime() || right.seq - left.seq);
      const found: number[] = [];
      let cursor: string | undefined;
      do {
        const page = await reader.listPage({ ...filter, limit: random.integer(1, 60), cursor });
        found.push(...page.items.map(({ seq }) => seq));
        cursor = page.nextCursor ?? undefined;
      } while (cursor !== undefined);
      expect({ filter, found }).toEqual({ filter, found: expected.map(({ seq }) => seq) });
    }
  });

  const fill = async (database: Database) => {
    const padded = dialect === 'sqlite' ? sql`printf('%08d', n)` : sql`lpad(n::text, 8, '0')`;
    await sql`
      insert into audit_log (seq, at, kind, client, admin, subject, outcome, record, search, hash)
      select n, '2026-01-01T' || ${padded},
        case when n % 1000 = 0 then 'change' else 'call' end,
        case when n % 1000 = 0 then null else 'client' || (n % 50) end,
        case when n % 1000 = 0 then 'admin' end,
        'tool' || (n % 300), case when n % 500 = 0 then 'denied' else 'ok' end,
        '{"seq":1,"text":"' || ${'x'.repeat(500)} || '"}', 'text' || n || ${'y'.repeat(500)}, 'hash'
      from (with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${sql.lit(ROWS)}) select n from numbers) numbered`.execute(
      database,
    );
    await sql`analyze`.execute(database);
  };

  it(`look at a limited number of ${ROWS} entries, and say where to go on`, async () => {
    const database = await open();
    await fill(database);
    const { reader } = auditOn(database);
    const filters: AuditFilter[] = [
      {},
      { client: 'client7' },
      { kind: 'change' },
      { kind: 'call' },
      { admin: 'admin' },
      { subject: 'tool7' },
      { outcome: 'denied' },
      { outcome: 'ok', client: 'client7' },
      { client: 'nobody' },
      { from: new Date('2025-01-01T00:00:00Z'), to: new Date('2027-01-01T00:00:00Z'), client: 'client7' },
      { q: 'nothing like it' },
      { q: 'nothing like it', kind: 'call' },
    ];
    for (const filter of filters) {
      const page = await reader.listPage({ ...filter, limit: 50 });
      const isNobody = filter.client === 'nobody';
      expect({ filter, found: page.items.length, goesOn: page.nextCursor !== null }).toEqual({
        filter,
        found: isNobody || filter.q === 'nothing like it' ? 0 : (expect.any(Number) as number),
        goesOn: !isNobody,
      });
    }
  });
});
