import { Logger } from '@nestjs/common';
import { type AuditFilter, isListedBefore } from '../../src/access/audit/audit-search.rules.js';
import type { AuditEntry } from '../../src/access/audit/audit-entry.js';
import { toRecord } from '../../src/access/audit/audit-record.rules.js';
import { auditEntry, auditOn, storedEntries } from '../../src/access/audit/testing.js';
import { describeEachDatabase } from '../../src/platform/database/testing.js';
import { Random } from '../fuzz/random.js';
import { seedFrom } from '../support/seed.js';

const SEED = seedFrom('AUDIT_SEED');
const STEPS = Number(process.env['AUDIT_STEPS'] ?? 120);
/** Number of entries in the large log; a million is a sensible value, too. */
const ENTRIES = Number(process.env['AUDIT_ENTRIES'] ?? 60_000);
const START = Date.UTC(2026, 0, 1);
const second = (seconds: number) => new Date(START + seconds * 1_000);
/** Clock skew of the replicas, in seconds. */
const CLOCKS = [0, -90, 300];
const SMALL_BATCHES = 300;
const KINDS = ['call', 'read', 'change', 'login_failed'] as const;

/** The fields by which queries should find an entry. */
interface Known {
  seq: number;
  at: string;
  entry: AuditEntry;
}

const known = (entry: AuditEntry, seq: number): Known => ({ seq, at: entry.at.toISOString(), entry });

function randomEntry(random: Random, at: Date): AuditEntry {
  const kind = random.pick(KINDS);
  const isAdmin = kind === 'change' || kind === 'login_failed';
  return auditEntry({
    kind,
    at,
    client: isAdmin ? null : { name: random.pick(['ide', 'cli', 'CLI', 'a "b"\\c']), groups: [] },
    admin: isAdmin ? random.pick(['admin', 'ide']) : null,
    subject: random.pick(['forecast', 'echo', 'rss://feed', null, `x://${'é'.repeat(600)}`]),
    outcome: random.pick(['ok', 'ok', 'denied', 'error']),
    message: random.pick(['Über 100% _wild_ "quoted"', 'plain', null]),
    arguments: random.pick([{}, { city: 'Oslo' }, { 'line\n': 'zwei\nZeilen' }]),
  });
}

const randomFilter = (random: Random, latest: number): AuditFilter => ({
  ...(random.chance(0.3) && { kind: random.pick(KINDS) }),
  ...(random.chance(0.3) && { client: random.pick(['ide', 'cli', 'a "b"\\c', 'nobody']) }),
  ...(random.chance(0.2) && { admin: random.pick(['admin', 'ide']) }),
  ...(random.chance(0.3) && { subject: random.pick(['forecast', 'echo', `x://${'é'.repeat(600)}`]) }),
  ...(random.chance(0.3) && { outcome: random.pick(['ok', 'denied']) }),
  ...(random.chance(0.4) && { from: second(random.integer(-90, latest)) }),
  ...(random.chance(0.4) && { to: second(random.integer(-90, latest)) }),
  ...(random.chance(0.3) && {
    q: random.pick([
      '100% _WILD_',
      'üBER',
      'echo',
      '%',
      'nothing like it',
      '"city":"OSLO"',
      '\\nZeilen',
      '"quoted"',
      '\\c',
    ]),
  }),
});

const textOf = ({ subject, client, admin, message, arguments: args }: AuditEntry) =>
  [subject, client?.name, admin, message, JSON.stringify(args)].join(' ').toLowerCase();

const fits = ({ entry }: Known, filter: AuditFilter): boolean =>
  (filter.kind === undefined || entry.kind === filter.kind) &&
  (filter.client === undefined || entry.client?.name === filter.client) &&
  (filter.admin === undefined || entry.admin === filter.admin) &&
  (filter.subject === undefined || entry.subject === filter.subject) &&
  (filter.outcome === undefined || entry.outcome === filter.outcome) &&
  (!filter.from || entry.at >= filter.from) &&
  (!filter.to || entry.at < filter.to) &&
  (!filter.q || textOf(entry).includes(filter.q.toLowerCase()));

describeEachDatabase('queries of the audit log', (open) => {
  beforeAll(() => void Logger.overrideLogger(false));

  it(`give each entry that fits once, the newest first, in pages of any size, while replicas write and old entries go (seed ${SEED})`, async () => {
    const random = new Random(SEED);
    const database = await open();
    const replicas = CLOCKS.map((clock) => ({ clock, pending: [] as AuditEntry[] }));
    const { reader, appended, chain } = auditOn(database);
    let entries: Known[] = [];
    let [now, seq, asked] = [0, 0, 0];
    const add = (entry: AuditEntry) => entries.push(known(entry, (seq += 1)));
    const append = async (written: AuditEntry[]) => {
      await appended.append({ records: written.map(toRecord), calls: [], isUrgent: false, tried: null });
      written.forEach(add);
    };
    // More batches than one lookup covers.
    for (let n = 0; n < SMALL_BATCHES; n += 1) await append([randomEntry(random, second((now += 1)))]);
    for (let step = 0; step < STEPS; step += 1) {
      const replica = random.pick(replicas);
      now += random.integer(0, 30);
      for (let n = random.pick([0, 1, 3, 60]); n > 0; n -= 1) {
        const entry = randomEntry(random, second(now + replica.clock + random.integer(-30, 30)));
        replica.pending.push(entry);
      }
      if (random.chance(0.7)) await append(replica.pending.splice(0));
      if (random.chance(0.05)) {
        const before = second(now - 600);
        const deleted = await appended.deleteOldest({ before, limit: random.integer(1, 300), now: second(now) });
        const [old, kept] = [entries.slice(0, deleted), entries.slice(deleted)];
        expect(old.filter(({ entry }) => entry.at >= before)).toEqual([]);
        entries = kept;
        const message = `entries older than ${before.toISOString()} were deleted`;
        if (deleted > 0)
          add({ kind: 'retention', at: second(now), action: 'delete', outcome: 'ok', count: deleted, message });
      }
      if (random.chance(0.4)) continue;
      asked += 1;
      const filter = randomFilter(random, now + 300);
      const expected = entries
        .filter((entry) => fits(entry, filter))
        .sort((left, right) => (isListedBefore(left, right) ? -1 : 1));
      const found: number[] = [];
      let cursor: string | undefined;
      do {
        const page = await reader.listPage({ ...filter, limit: random.integer(1, 60), cursor });
        found.push(...page.items.map((item) => item.seq));
        cursor = page.nextCursor ?? undefined;
      } while (cursor !== undefined);
      expect({ filter, found }).toEqual({ filter, found: expected.map((entry) => entry.seq) });
    }
    expect(asked).toBeGreaterThan(STEPS / 4);
    expect(await chain.verify()).toMatchObject({ checked: entries.length, broken: null });
    const stored = await storedEntries(database);
    expect(stored.map((item) => [item.seq, item.at])).toEqual(entries.map((entry) => [entry.seq, entry.at]));
    for (const { seq: one } of entries.slice(0, 20)) expect((await reader.get(one)).seq).toBe(one);
    await expect(reader.get(seq + 1)).rejects.toThrow('has no entry');
  });

  it(`look at a limited number of ${ENTRIES} entries, and say where to continue`, async () => {
    const { log, reader, batches } = auditOn(await open());
    for (let n = 1; n <= ENTRIES; n += 1) {
      const isChange = n % 1_000 === 0;
      log.record(
        auditEntry({
          at: new Date(START + n),
          kind: isChange ? 'change' : 'call',
          client: isChange ? null : { name: `client${n % 50}`, groups: [] },
          admin: isChange ? 'admin' : null,
          subject: `tool${n % 300}`,
          outcome: n % 500 === 0 ? 'denied' : 'ok',
        }),
      );
      if (n % 2_000 === 0) await log.flush();
    }
    await log.flush();
    const [bodiesOf, read] = [batches.bodiesOf.bind(batches), { batches: 0 }];
    batches.bodiesOf = (wanted) => {
      read.batches += wanted.length;
      return bodiesOf(wanted);
    };
    const page = async (filter: AuditFilter, cursor?: string) => {
      read.batches = 0;
      const { items, nextCursor } = await reader.listPage({ ...filter, limit: 50, cursor });
      return { found: items.length, batches: read.batches, nextCursor };
    };
    const goesOn = expect.any(String) as string;
    expect(await page({})).toEqual({ found: 50, batches: 1, nextCursor: goesOn });
    expect(await page({ client: 'client7' })).toEqual({ found: 50, batches: 2, nextCursor: goesOn });
    expect(await page({ outcome: 'ok', client: 'client7' })).toEqual({ found: 50, batches: 2, nextCursor: goesOn });
    expect(await page({ kind: 'call' })).toEqual({ found: 50, batches: 1, nextCursor: goesOn });
    expect(await page({ client: 'nobody' })).toEqual({ found: 0, batches: 0, nextCursor: null });
    expect(await page({ client: 'client7', subject: 'none' })).toEqual({ found: 0, batches: 0, nextCursor: null });
    expect(await page({ to: new Date(START + 100), client: 'client7' })).toEqual({
      found: 2,
      batches: 1,
      nextCursor: null,
    });
    for (const filter of [{ kind: 'change' }, { q: 'nothing like it' }, { outcome: 'denied', q: 'like it' }] as const) {
      const first = await page(filter);
      expect(first.batches).toBeLessThan(30);
      expect(first.nextCursor).toEqual(goesOn);
    }
    // The last entry of each batch is a change: none may be lost between pages.
    let [changes, cursor] = [0, undefined as string | undefined];
    do {
      const { found, nextCursor } = await page({ kind: 'change' }, cursor);
      changes += found;
      cursor = nextCursor ?? undefined;
    } while (cursor !== undefined);
    expect(changes).toBe(Math.floor(ENTRIES / 1_000));
  });

  it('find each entry once where it takes more batches than are looked up at once', async () => {
    const { appended, reader } = auditOn(await open());
    for (let n = 1; n <= 600; n += 1) {
      const record = toRecord(auditEntry({ at: second(n), message: n % 8 === 1 ? 'mark' : 'other' }));
      await appended.append({ records: [record], calls: [], isUrgent: false, tried: null });
    }
    const { items } = await reader.listPage({ q: 'mark', limit: 100 });
    expect(items.map(({ seq }) => seq)).toEqual(Array.from({ length: 75 }, (_item, index) => 593 - 8 * index));
  });

  it('cost the same, however many entries of others there are', async () => {
    const looked = async (count: number) => {
      const database = await open();
      const { log, reader, batches } = auditOn(database);
      for (let n = 0; n < count; n += 1) {
        log.record(
          auditEntry({
            at: second(n),
            client: { name: n % 100 === 7 ? 'rare' : 'often', groups: [] },
            subject: `tool${n % 100 < 4 ? 0 : 1}`,
          }),
        );
        if (n % 4 === 3) await log.flush();
      }
      await log.flush();
      const bodiesOf = batches.bodiesOf.bind(batches);
      let read = 0;
      batches.bodiesOf = (wanted) => {
        read += wanted.length;
        return bodiesOf(wanted);
      };
      const { items } = await reader.listPage({ client: 'rare', limit: 3 });
      const apart = await reader.listPage({ client: 'rare', subject: 'tool0', limit: 3 });
      return { found: items.map(({ client }) => client), apart, read };
    };
    const once = await looked(400);
    // Batches of other clients are skipped, and so are those without both terms.
    expect(once).toEqual({ found: ['rare', 'rare', 'rare'], apart: { items: [], nextCursor: null }, read: 4 });
    expect(await looked(800)).toEqual(once);
  });

  it('list what can be read, when the text of a batch was damaged', async () => {
    const database = await open();
    const { log, reader } = auditOn(database);
    for (let n = 0; n < 6; n += 1) {
      log.record(auditEntry({ at: second(n) }));
      if (n % 2 === 1) await log.flush();
    }
    const { first_seq, ...batch } = await database
      .selectFrom('audit_batches')
      .selectAll()
      .where('first_seq', '=', 5)
      .executeTakeFirstOrThrow();
    const damaged = { ...batch, first_seq: 7, last_seq: 8, body: Buffer.from('none') };
    expect(Number(first_seq)).toBe(5);
    await database.insertInto('audit_batches').values(damaged).execute();
    expect((await reader.listPage({ limit: 10 })).items.map(({ seq }) => seq)).toEqual([6, 5, 4, 3, 2, 1]);
    await expect(reader.get(7)).rejects.toThrow('entries 7 to 8 of the audit log cannot be read');
    await expect(reader.getBatch(8)).rejects.toThrow('cannot be read');
  });
});
