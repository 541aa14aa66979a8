import { jest } from '@jest/globals';
import { zstdCompressSync } from 'node:zlib';
import { Logger } from '@nestjs/common';
import { sql } from 'kysely';
import { MOST_TEXT_BYTES } from '../../src/access/audit/audit-body.rules.js';
import { toRecord } from '../../src/access/audit/audit-record.rules.js';
import { auditEntry, auditOn, forge, storedEntries } from '../../src/access/audit/testing.js';
import { DatabaseUnavailable } from '../../src/platform/database/database.errors.js';
import type { Database } from '../../src/platform/database/database.js';
import type { Tables } from '../../src/platform/database/tables.js';
import { triggersOn, withoutTriggers } from '../../src/platform/sql/dialect.js';
import { describeEachDatabase } from '../../src/platform/database/testing.js';
import { Random } from '../fuzz/random.js';
import { seedFrom } from '../support/seed.js';

const SEED = seedFrom('AUDIT_SEED');
const SEQUENCES = Number(process.env['AUDIT_SEQUENCES'] ?? 4);
const LENGTH = 40;
const TABLES = ['audit_batches', 'audit_terms', 'audit_chain'];
const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute));
const NO_HASH = '0'.repeat(64);

/** Bypasses the triggers that protect the table, as somebody with full access to the database could. */
async function unguarded(database: Database, work: () => Promise<void>): Promise<void> {
  let guarded = work;
  for (const table of TABLES) {
    const inner = guarded;
    guarded = () => withoutTriggers(database, table, inner);
  }
  await guarded();
}

const dropTrigger = (database: Database, dialect: string, name: string, table: string) =>
  sql.raw(dialect === 'sqlite' ? `drop trigger ${name}` : `drop trigger ${name} on ${table}`).execute(database);

describeEachDatabase('the chain of the audit log', (open, dialect) => {
  beforeAll(() => void Logger.overrideLogger(false));

  const filled = async (count = 20) => {
    const database = await open();
    const audit = auditOn(database);
    for (let n = 1; n <= count; n += 1) {
      audit.log.record(auditEntry({ at: at(n), subject: `tool${n}`, arguments: { n } }));
      if (n % 3 === 0) await audit.log.flush();
    }
    await audit.log.flush();
    return { database, ...audit };
  };

  it(`holds all that was recorded, in order, through restarts, on two replicas (seed ${SEED})`, async () => {
    for (let sequence = 0; sequence < SEQUENCES; sequence += 1) {
      const random = new Random(SEED + sequence);
      const database = await open();
      let replicas = [auditOn(database), auditOn(database)];
      const recorded = new Map<number, string[]>([
        [0, []],
        [1, []],
      ]);
      let minute = 0;
      let deleted = 0;
      for (let step = 0; step < LENGTH; step += 1) {
        const which = random.integer(0, 2);
        const { log, appended, chain } = replicas[which] ?? replicas[0] ?? auditOn(database);
        switch (random.integer(0, 6)) {
          case 0:
            await Promise.all(replicas.map(({ log: one }) => one.flush()));
            break;
          case 1:
            await Promise.all(replicas.map(({ log: one }) => one.onApplicationShutdown()));
            replicas = [auditOn(database), auditOn(database)];
            break;
          case 2:
            deleted += await appended.deleteOldest({
              before: at(minute - 20),
              limit: 1 + random.integer(0, 50),
              now: at(minute),
            });
            break;
          case 3:
            expect(await chain.verify()).toMatchObject({ broken: null, isComplete: true });
            break;
          default:
            for (let n = random.integer(0, 30); n >= 0; n -= 1) {
              const subject = `${which}:${(minute += 1)}`;
              log.record(auditEntry({ at: at(minute), subject }));
              recorded.get(which)?.push(subject);
            }
            if (random.integer(0, 3) === 0)
              await log.recordNow(auditEntry({ kind: 'change', subject: null, at: at(minute) }));
        }
      }
      await Promise.all(replicas.map(({ log }) => log.flush()));
      const [{ chain, appended } = auditOn(database)] = replicas;
      const verified = await chain.verify();
      expect(verified).toMatchObject({ broken: null, isComplete: true });
      const rows = await storedEntries(database);
      const { head, anchor } = await appended.ends();
      expect([verified.checked, anchor.seq]).toEqual([rows.length, deleted]);
      expect(rows.map(({ seq }) => Number(seq))).toEqual(rows.map((_row, index) => anchor.seq + 1 + index));
      expect(head.seq).toBe(anchor.seq + rows.length);
      // The entries of each replica are in the order in which it recorded them, except for deleted old ones.
      for (const [which, subjects] of recorded) {
        const kept = rows.flatMap(({ subject }) => (subject?.startsWith(`${which}:`) ? [subject] : []));
        expect(kept).toEqual(kept.length === 0 ? [] : subjects.slice(-kept.length));
      }
    }
  });

  it('refuses changes, and the removal of entries that are not old', async () => {
    const { database, appended } = await filled();
    for (const table of ['audit_batches', 'audit_terms'] as const) {
      await expect(database.updateTable(table).set({ to_ms: 1 }).where('first_seq', '=', 4).execute()).rejects.toThrow(
        'cannot be changed',
      );
      await expect(database.deleteFrom(table).where('first_seq', '=', 4).execute()).rejects.toThrow(
        'only up to the anchor',
      );
    }
    await expect(database.updateTable('audit_chain').set({ head_seq: 3 }).execute()).rejects.toThrow('goes forward');
    await expect(database.updateTable('audit_chain').set({ anchor_seq: 99 }).execute()).rejects.toThrow('goes forward');
    expect(await appended.deleteOldest({ before: at(8), limit: 100, now: at(30) })).toBe(6);
    for (const table of ['audit_batches', 'audit_terms'] as const) {
      await expect(database.deleteFrom(table).where('first_seq', '=', 7).execute()).rejects.toThrow(
        'only up to the anchor',
      );
    }
  });

  /** Replaces the stored ends of the chain, with hashes that match the entries. */
  const replaceEnds = async (database: Database, head: number, anchor: number) => {
    const hashes = await database.selectFrom('audit_batches').select(['last_seq', 'hash']).execute();
    const hashOf = (seq: number) => hashes.find((row) => Number(row.last_seq) === seq)?.hash ?? NO_HASH;
    const ends = { head_seq: head, head_hash: hashOf(head), anchor_seq: anchor, anchor_hash: hashOf(anchor) };
    await database.deleteFrom('audit_chain').execute();
    await database
      .insertInto('audit_chain')
      .values({ id: 1, ...ends })
      .execute();
  };

  const bytes = dialect === 'sqlite' ? `x'00'` : `'\\x00'`;
  const forbidden: [string, string][] = [
    ['deleting the ends', `delete from audit_chain`],
    ['a second pair of ends', `insert into audit_chain values (2, 20, 'x', 0, 'x')`],
    ['ends in the place of others', `insert into audit_chain values (1, 20, 'x', 0, 'x')`],
    ['moving the end back', `update audit_chain set head_seq = 3`],
    ['another hash of the end', `update audit_chain set head_hash = 'x'`],
    ['an end without an entry', `update audit_chain set head_seq = 21, head_hash = 'x'`],
    ['an end within a batch', `update audit_chain set head_seq = 21`],
    ['another hash of the anchor', `update audit_chain set anchor_hash = 'x'`],
    [
      'an anchor without an entry that says so',
      `update audit_chain set anchor_seq = 6, anchor_hash = (select hash from audit_batches where last_seq = 6)`,
    ],
    ['ends that are not found', `update audit_chain set id = 2`],
    ['deleting the head of the log', `delete from audit_batches where first_seq <= 5`],
    ['deleting the tail of the log', `delete from audit_batches where first_seq > 15`],
    ['deleting a term', `delete from audit_terms where first_seq = 4 and term = 's:tool4'`],
    ['a term of an entry that there is', `insert into audit_terms values (4, 'c:other', 0, 1)`],
    ['entries in the place of others', `insert into audit_batches values (3, 3, 0, 0, null, null, 'x', ${bytes})`],
  ];
  const ofOneDatabase: [string, string][] =
    dialect === 'sqlite'
      ? [
          ['other ends by replacing', `insert or replace into audit_chain values (1, 15, 'x', 0, 'x')`],
          [
            'entries by replacing',
            `insert or replace into audit_batches select first_seq, last_seq, from_ms, to_ms, null, null, 'x', body
             from audit_batches where first_seq = 7`,
          ],
          [
            'a term by replacing',
            `insert or replace into audit_terms select first_seq, term, to_ms, 9 from audit_terms where first_seq = 7`,
          ],
        ]
      : [
          ['emptying the ends', `truncate audit_chain`],
          ['emptying the log', `truncate audit_batches`],
          ['emptying the terms', `truncate audit_terms`],
        ];

  it.each([...forbidden, ...ofOneDatabase])('the database refuses %s', async (_title, statement) => {
    const { database, chain, appended } = await filled();
    const before = await appended.ends();
    await expect(sql.raw(statement).execute(database)).rejects.toThrow(/audit (log|chain)|constraint/);
    expect(await appended.ends()).toEqual(before);
    expect(await chain.verify()).toMatchObject({ checked: 20, broken: null });
  });

  it('deletes whole batches, and says up to where in an entry of the same transaction', async () => {
    const { database, chain, appended } = await filled();
    const { hash } = await database
      .selectFrom('audit_batches')
      .select('hash')
      .where('last_seq', '=', 6)
      .executeTakeFirstOrThrow();
    // The third batch also has a younger entry.
    expect(await appended.deleteOldest({ before: at(9), limit: 100, now: at(30) })).toBe(6);
    expect((await storedEntries(database)).at(-1)).toMatchObject({
      seq: 21,
      kind: 'retention',
      count: 6,
      deletedTo: { seq: 6, hash },
    });
    const terms = await database.selectFrom('audit_terms').select('first_seq').execute();
    expect(Math.min(...terms.map(({ first_seq }) => Number(first_seq)))).toBe(7);
    expect(await chain.verify()).toMatchObject({ checked: 15, broken: null });
  });

  it('deletes what a clock recorded that was ahead together with what came after it', async () => {
    const database = await open();
    const { appended, chain } = auditOn(database);
    for (const minute of [1, 600_000, 2, 3, 20, 30]) {
      const records = [toRecord(auditEntry({ at: at(minute) }))];
      await appended.append({ records, calls: [], isUrgent: false, tried: null });
    }
    expect(await appended.deleteOldest({ before: at(10), limit: 100, now: at(31) })).toBe(4);
    expect(await appended.deleteOldest({ before: at(10), limit: 100, now: at(31) })).toBe(0);
    expect(await chain.verify()).toMatchObject({ checked: 3, broken: null, isComplete: true });
  });

  it('deletes about the given number of entries at once, and no fewer than a batch', async () => {
    const { appended, chain } = await filled();
    const before = at(60);
    const deleted: number[] = [];
    for (const limit of [1, 7, 100]) deleted.push(await appended.deleteOldest({ before, limit, now: before }));
    expect(deleted).toEqual([3, 6, 11]);
    expect(await chain.verify()).toMatchObject({ checked: 3, last: { seq: 23 }, broken: null });
  });

  it('is not called whole while a trigger that guards it is missing', async () => {
    for (const table of TABLES) {
      const names = await triggersOn(await open(), [table]);
      expect(names.length).toBeGreaterThan(2);
      for (const name of names) {
        const { database, chain } = await filled(3);
        await dropTrigger(database, dialect, name, table);
        expect((await chain.verify()).broken).toEqual({
          seq: 3,
          problem: expect.stringContaining(`lacks the triggers ${name}`) as string,
        });
      }
    }
  });

  const batchOf = async (database: Database, firstSeq: number) =>
    database.selectFrom('audit_batches').selectAll().where('first_seq', '=', firstSeq).executeTakeFirstOrThrow();
  const set = (firstSeq: number, change: Partial<Tables['audit_batches']>) => (database: Database) =>
    database.updateTable('audit_batches').set(change).where('first_seq', '=', firstSeq).execute();
  const changed =
    (firstSeq: number, change: (lines: string[]) => string[], isChained = false) =>
    (database: Database) =>
      forge(database, { firstSeq, change: (text) => change(text.split('\n')).join('\n'), isChained });

  type Tampered = [string, (database: Database) => Promise<unknown>, number, RegExp];
  const tampered: Tampered[] = [
    [
      'one character of an entry',
      changed(7, (lines) => lines.map((line) => line.replace('"tool8"', '"tool9"'))),
      7,
      /one of entries 7 to 9, or their hash, was changed/,
    ],
    ['an entry that is gone from its batch', changed(7, (lines) => lines.slice(1)), 7, /was changed/],
    ['entries in each other’s place', changed(7, (lines) => lines.toReversed()), 7, /was changed/],
    ['an entry twice', changed(7, (lines) => [...lines, ...lines.slice(2)]), 7, /was changed/],
    ['an entry of another batch', changed(7, (lines) => [...lines, '{"v":1}']), 7, /was changed/],
    ['a hash', set(10, { hash: 'f'.repeat(64) }), 10, /was changed/],
    ['a text that is none', set(10, { body: Buffer.from('none') }), 10, /cannot be read/],
    [
      'half a text',
      async (database) => set(10, { body: (await batchOf(database, 10)).body.slice(0, 40) })(database),
      10,
      /cannot be read/,
    ],
    ...(['after it', 'after it, in a frame'] as const).map((where): Tampered => {
      const hidden = where === 'after it' ? Buffer.from('hidden') : zstdCompressSync('hidden');
      const add = async (database: Database) =>
        set(10, { body: Buffer.concat([(await batchOf(database, 10)).body, hidden]) })(database);
      return [`what is hidden ${where}`, add, 10, /cannot be read|was changed/];
    }),
    ['no text', set(10, { body: Buffer.alloc(0) }), 10, /cannot be read/],
    [
      'a text that is gigabytes when it is read',
      set(10, { body: zstdCompressSync(Buffer.alloc(MOST_TEXT_BYTES + 1)) }),
      10,
      /too long/,
    ],
    ['a body that is too long to be read', set(10, { body: Buffer.alloc(MOST_TEXT_BYTES + 1) }), 10, /too long/],
    [
      'the last entry of the last batch, with its hash',
      changed(19, (lines) => lines.slice(0, 1), true),
      19,
      /last_seq does not fit/,
    ],
    [
      'something that is not an entry, with its hash',
      changed(19, (lines) => [...lines.slice(0, 1), 'x'], true),
      20,
      /none that the log/,
    ],
    ['an earliest time', set(13, { from_ms: 0 }), 13, /from_ms does not fit the text of entries 13 to 15/],
    ['a latest time', set(13, { to_ms: at(600).getTime() }), 13, /to_ms does not fit/],
    [
      'a deletion that the text does not say',
      set(13, { deleted_to_seq: 0, deleted_to_hash: NO_HASH }),
      13,
      /deleted_to_seq/,
    ],
    ['the number of the last entry', set(13, { last_seq: 16 }), 13, /last_seq does not fit/],
    ['the number of the last entry of all', set(19, { last_seq: 21 }), 19, /last_seq does not fit/],
    ['the number of the first entry', set(13, { first_seq: 14 }), 13, /missing/],
    [
      'a term that is gone',
      (database) => sql`delete from audit_terms where first_seq = 13 and term = 's:tool14'`.execute(database),
      13,
      /lacks the term s:tool14/,
    ],
    [
      'a term that the text does not have',
      (database) => sql`insert into audit_terms values (13, 'c:other', ${at(15).getTime()}, 1)`.execute(database),
      13,
      /the term c:other in audit_terms does not fit/,
    ],
    [
      'how often a term occurs',
      (database) => sql`update audit_terms set n = 2 where first_seq = 13 and term = 'c:ide'`.execute(database),
      13,
      /the term c:ide/,
    ],
    [
      'the time of a term',
      (database) => sql`update audit_terms set to_ms = 2 where first_seq = 13 and term = 'c:ide'`.execute(database),
      13,
      /the term c:ide/,
    ],
    [
      'a term of no batch',
      (database) => sql`insert into audit_terms values (14, 'c:ide', 1, 1)`.execute(database),
      14,
      /belongs to no batch/,
    ],
    [
      'a term after the end',
      (database) => sql`insert into audit_terms values (21, 'c:ide', 1, 1)`.execute(database),
      21,
      /belongs to no entry/,
    ],
    [
      'a term before the first entry',
      (database) => sql`insert into audit_terms values (0, 'c:ide', 1, 1)`.execute(database),
      0,
      /belongs to no entry/,
    ],
    [
      'times that are too far apart, with the hash and all columns',
      async (database) => {
        await changed(19, (lines) => lines.map((line) => line.replace('T00:20', 'T05:20')), true)(database);
        const to_ms = at(320).getTime();
        await set(19, { to_ms })(database);
        await database.updateTable('audit_terms').set({ to_ms }).where('first_seq', '=', 19).execute();
      },
      19,
      /too far apart/,
    ],
    [
      'a batch that is gone',
      (database) => sql`delete from audit_batches where first_seq = 4`.execute(database),
      4,
      /missing/,
    ],
    [
      'the first batch',
      (database) => sql`delete from audit_batches where first_seq = 1`.execute(database),
      1,
      /missing/,
    ],
    [
      'the middle',
      (database) => sql`delete from audit_batches where first_seq between 7 and 12`.execute(database),
      7,
      /missing/,
    ],
    ['the end', (database) => sql`delete from audit_batches where first_seq >= 15`.execute(database), 16, /missing/],
    [
      'two batches in each other’s place',
      async (database) => {
        const [one, other] = [await batchOf(database, 4), await batchOf(database, 7)];
        const { body, hash } = one;
        await set(4, { body: other.body, hash: other.hash })(database);
        await set(7, { body, hash })(database);
      },
      4,
      /was changed/,
    ],
    [
      'a batch twice',
      async (database) => {
        await database.deleteFrom('audit_batches').where('first_seq', '=', 7).execute();
        const copy = { ...(await batchOf(database, 4)), first_seq: 7, last_seq: 9 };
        await database.insertInto('audit_batches').values(copy).execute();
      },
      7,
      /was changed/,
    ],
    [
      'an end that was moved back with the batches after it',
      async (database) => {
        await sql`delete from audit_batches where first_seq > 15`.execute(database);
        await sql`delete from audit_terms where first_seq > 15`.execute(database);
        await sql`update audit_chain set head_seq = 15`.execute(database);
      },
      15,
      /recorded as its end/,
    ],
    [
      'an end that was moved into a batch',
      (database) => sql`update audit_chain set head_seq = 19`.execute(database),
      20,
      /after the recorded end/,
    ],
    [
      'a batch after the end',
      (database) =>
        sql.raw(`insert into audit_batches values (21, 21, 0, 0, null, null, '', ${bytes})`).execute(database),
      21,
      /after the recorded end/,
    ],
    [
      'an anchor that was moved with nothing deleted',
      (database) =>
        sql`update audit_chain set anchor_seq = 3, anchor_hash = (select hash from audit_batches where last_seq = 3)`.execute(
          database,
        ),
      4,
      /no entry says/,
    ],
    [
      'a head that was cut off with the anchor moved after it',
      async (database) => {
        const { hash } = await batchOf(database, 4);
        await database.updateTable('audit_chain').set({ anchor_seq: 6, anchor_hash: hash }).execute();
        await database.deleteFrom('audit_batches').where('first_seq', '<=', 6).execute();
      },
      7,
      /no entry says/,
    ],
    [
      'a head that was cut off with a batch that claims to say so',
      async (database) => {
        const { hash } = await batchOf(database, 4);
        await database.updateTable('audit_chain').set({ anchor_seq: 6, anchor_hash: hash }).execute();
        await database.deleteFrom('audit_batches').where('first_seq', '<=', 6).execute();
        await set(19, { deleted_to_seq: 6, deleted_to_hash: hash })(database);
      },
      7,
      /no entry says/,
    ],
    [
      'ends that were replaced with both cut off',
      async (database) => {
        await database.deleteFrom('audit_batches').where('first_seq', '>', 15).execute();
        await replaceEnds(database, 15, 6);
        await database.deleteFrom('audit_batches').where('first_seq', '<=', 6).execute();
      },
      7,
      /no entry says/,
    ],
    ['ends that are gone', (database) => database.deleteFrom('audit_chain').execute(), 1, /after the recorded end/],
    [
      'a deletion whose entry says something else',
      async (database) => {
        await auditOn(database).appended.deleteOldest({ before: at(8), limit: 100, now: at(30) });
        await changed(21, (lines) => lines.map((line) => line.replace('"deletedTo"', '"x"')))(database);
      },
      7,
      /no entry says/,
    ],
    [
      'old entries that were not deleted',
      async (database) => {
        const old = await batchOf(database, 4);
        await auditOn(database).appended.deleteOldest({ before: at(8), limit: 100, now: at(30) });
        await database.insertInto('audit_batches').values(old).execute();
      },
      4,
      /should have been deleted/,
    ],
  ];

  it.each(tampered)('names the first broken link: %s', async (_title, tamper, seq, problem) => {
    const { database, chain } = await filled();
    expect(await chain.verify()).toMatchObject({ checked: 20, broken: null });
    await unguarded(database, async () => void (await tamper(database)));
    expect((await chain.verify()).broken).toEqual({ seq, problem: expect.stringMatching(problem) as string });
  });

  it('does not show that its tail was cut off with the triggers made again, which only a hash kept elsewhere does', async () => {
    const { database, chain } = await filled();
    await unguarded(database, async () => {
      await database.deleteFrom('audit_batches').where('first_seq', '>', 15).execute();
      await database.deleteFrom('audit_terms').where('first_seq', '>', 15).execute();
      await replaceEnds(database, 15, 0);
    });
    expect(await chain.verify()).toMatchObject({ checked: 15, broken: null });
    await dropTrigger(database, dialect, 'audit_batches_unchangeable', 'audit_batches');
    const problem = expect.stringContaining('lacks the triggers audit_batches_unchangeable') as string;
    expect((await chain.verify()).broken).toEqual({ seq: 15, problem });
  });

  it('is verified in parts of whole batches, each continuing after the one before', async () => {
    const { chain } = await filled();
    const first = await chain.verify({ most: 8 });
    expect(first).toMatchObject({ checked: 9, last: { seq: 9 }, isComplete: false, broken: null });
    const second = await chain.verify({ after: 9, most: 6 });
    expect(second).toMatchObject({ checked: 6, last: { seq: 15 }, isComplete: false });
    expect(await chain.verify({ after: 15, most: 8 })).toMatchObject({ checked: 5, isComplete: true, broken: null });
    // A start inside a batch includes the whole batch.
    expect(await chain.verify({ after: 17 })).toMatchObject({ checked: 5, isComplete: true, broken: null });
    expect(await chain.verify({ after: 99 })).toMatchObject({ checked: 0, last: { seq: 20 }, broken: null });
  });

  it('is written once when a try fails although it was written', async () => {
    const { log, appended, chain } = auditOn(await open());
    const original = appended.append.bind(appended);
    let failures = 2;
    appended.append = async (batch) => {
      await original(batch);
      if (failures-- > 0) throw new DatabaseUnavailable('the connection broke', { cause: null, isLasting: false });
    };
    // Several batches, because their times are far apart.
    for (const minute of [1, 2, 10, 20]) log.record(auditEntry({ at: at(minute) }));
    await expect(log.flush()).rejects.toThrow('cannot be written now');
    log.record(auditEntry());
    await expect(log.flush()).rejects.toThrow('cannot be written now');
    await log.flush();
    expect(await chain.verify()).toMatchObject({ checked: 5, broken: null });
  });

  it('is written when a try fails in the middle', async () => {
    const database = await open();
    const { log, appended, chain } = auditOn(database);
    log.record(auditEntry());
    await sql`alter table call_counts rename to elsewhere`.execute(database);
    const append = jest.spyOn(appended, 'append');
    await expect(log.flush()).rejects.toThrow('cannot be written now');
    expect(append.mock.calls[0]?.[0].tried).toMatchObject({ seq: 1 });
    await sql`alter table elsewhere rename to call_counts`.execute(database);
    await log.flush();
    expect(await chain.verify()).toMatchObject({ checked: 1, broken: null });
  });

  it('stores gathered entries in one row, whatever their number', async () => {
    const rows = async (count: number) => {
      const database = await open();
      const { log } = auditOn(database);
      for (let n = 0; n < count; n += 1) log.record(auditEntry({ at: new Date(n), subject: `tool${n % 5}` }));
      await log.flush();
      const terms = await database.selectFrom('audit_terms').select('term').execute();
      return [(await database.selectFrom('audit_batches').select('hash').execute()).length, terms.length];
    };
    expect(await rows(1_000)).toEqual([1, 6]);
    expect(await rows(2_000)).toEqual([1, 6]);
  });

  it('is not read where a body is too long', async () => {
    const { database, batches } = await filled(3);
    const body = Buffer.alloc(MOST_TEXT_BYTES + 1);
    await unguarded(database, async () => void (await set(1, { body })(database)));
    const found = await batches.listFrom(1, { entries: 1, bytes: 1 });
    expect(found).toMatchObject([{ bytes: body.length }]);
    expect((await batches.bodiesOf(found)).lengths).toEqual([0]);
  });
});
