import { sql } from 'kysely';
import { auditEntry, auditOn } from '../../src/access/audit/testing.js';
import { DatabaseUnavailable } from '../../src/platform/database/database.errors.js';
import type { Database } from '../../src/platform/database/database.js';
import { triggersOn } from '../../src/platform/sql/dialect.js';
import { describeEachDatabase } from '../../src/platform/database/testing.js';
import { Random } from '../fuzz/random.js';
import { seedFrom } from '../support/seed.js';

const SEED = seedFrom('AUDIT_SEED');
const SEQUENCES = Number(process.env['AUDIT_SEQUENCES'] ?? 4);
const LENGTH = 40;
const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute));

/** Allows what the guards forbid, as somebody would who has the database to themselves. */
async function withoutGuards(database: Database, dialect: string): Promise<void> {
  for (const table of ['audit_log', 'audit_chain']) {
    for (const name of await triggersOn(database, [table])) await dropTrigger(database, dialect, name, table);
  }
}

const dropTrigger = (database: Database, dialect: string, name: string, table: string) =>
  sql.raw(dialect === 'sqlite' ? `drop trigger ${name}` : `drop trigger ${name} on ${table}`).execute(database);

describeEachDatabase('the chain of the audit log', (open, dialect) => {
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
      const rows = await database.selectFrom('audit_log').select(['seq', 'subject']).orderBy('seq').execute();
      const { head, anchor } = await appended.ends();
      expect([verified.checked, anchor.seq]).toEqual([rows.length, deleted]);
      expect(rows.map(({ seq }) => Number(seq))).toEqual(rows.map((_row, index) => anchor.seq + 1 + index));
      expect(head.seq).toBe(anchor.seq + rows.length);
      // Each replica's entries are there in the order in which it recorded them, but for the oldest.
      for (const [which, subjects] of recorded) {
        const kept = rows.flatMap(({ subject }) => (subject?.startsWith(`${which}:`) ? [subject] : []));
        expect(kept).toEqual(kept.length === 0 ? [] : subjects.slice(-kept.length));
      }
    }
  });

  it('refuses changes, and the removal of entries that are not old', async () => {
    const { database, appended } = await filled();
    await expect(
      database.updateTable('audit_log').set({ outcome: 'x' }).where('seq', '=', 3).execute(),
    ).rejects.toThrow('cannot be changed');
    await expect(database.deleteFrom('audit_log').where('seq', '=', 3).execute()).rejects.toThrow(
      'only up to the anchor',
    );
    await expect(database.updateTable('audit_chain').set({ head_seq: 3 }).execute()).rejects.toThrow('goes forward');
    await expect(database.updateTable('audit_chain').set({ anchor_seq: 99 }).execute()).rejects.toThrow('goes forward');
    expect(await appended.deleteOldest({ before: at(6), limit: 100, now: at(30) })).toBe(5);
    await expect(database.deleteFrom('audit_log').where('seq', '=', 6).execute()).rejects.toThrow(
      'only up to the anchor',
    );
  });

  /** Puts ends in the place of those that there are, with the hashes that the entries have. */
  const replaceEnds = async (database: Database, head: number, anchor: number) => {
    const hashes = await database.selectFrom('audit_log').select(['seq', 'hash']).execute();
    const hashOf = (seq: number) => hashes.find((row) => Number(row.seq) === seq)?.hash ?? '0'.repeat(64);
    const ends = { head_seq: head, head_hash: hashOf(head), anchor_seq: anchor, anchor_hash: hashOf(anchor) };
    await database.deleteFrom('audit_chain').execute();
    await database
      .insertInto('audit_chain')
      .values({ id: 1, ...ends })
      .execute();
  };

  const forbidden: [string, string][] = [
    ['deleting the ends', `delete from audit_chain`],
    ['a second pair of ends', `insert into audit_chain values (2, 20, 'x', 0, 'x')`],
    ['ends in the place of others', `insert into audit_chain values (1, 20, 'x', 0, 'x')`],
    ['moving the end back', `update audit_chain set head_seq = 3`],
    ['another hash of the end', `update audit_chain set head_hash = 'x'`],
    ['an end without an entry', `update audit_chain set head_seq = 21, head_hash = 'x'`],
    ['another hash of the anchor', `update audit_chain set anchor_hash = 'x'`],
    [
      'an anchor without an entry that says so',
      `update audit_chain set anchor_seq = 5, anchor_hash = (select hash from audit_log where seq = 5)`,
    ],
    ['ends that are not found', `update audit_chain set id = 2`],
    ['deleting the head of the log', `delete from audit_log where seq <= 5`],
    ['deleting the tail of the log', `delete from audit_log where seq > 15`],
    ['an entry in the place of another', `insert into audit_log values (3, '', '', '', '', '', '', '{}', '', 'x')`],
  ];
  const ofOneDatabase: [string, string][] =
    dialect === 'sqlite'
      ? [
          ['other ends by replacing', `insert or replace into audit_chain values (1, 15, 'x', 0, 'x')`],
          [
            'an entry by replacing',
            `insert or replace into audit_log select seq, at, kind, 'other', admin, subject, outcome, record, search, hash
             from audit_log where seq = 7`,
          ],
        ]
      : [
          ['emptying the ends', `truncate audit_chain`],
          ['emptying the log', `truncate audit_log`],
        ];

  it.each([...forbidden, ...ofOneDatabase])('the database refuses %s', async (_title, statement) => {
    const { database, chain, appended } = await filled();
    const before = await appended.ends();
    await expect(sql.raw(statement).execute(database)).rejects.toThrow(/audit (log|chain)|constraint/);
    expect(await appended.ends()).toEqual(before);
    expect(await chain.verify()).toMatchObject({ checked: 20, broken: null });
  });

  it('says up to where old entries were deleted, in an entry of the same transaction', async () => {
    const { database, chain, appended } = await filled();
    const [fifth] = await database.selectFrom('audit_log').select('hash').where('seq', '=', 5).execute();
    await appended.deleteOldest({ before: at(6), limit: 100, now: at(30) });
    const newest = await database.selectFrom('audit_log').selectAll().orderBy('seq', 'desc').executeTakeFirstOrThrow();
    expect(JSON.parse(newest.record)).toMatchObject({
      seq: 21,
      kind: 'retention',
      count: 5,
      deletedTo: { seq: 5, hash: fifth?.hash },
    });
    expect(await chain.verify()).toMatchObject({ checked: 16, broken: null });
  });

  it('is not called whole while a trigger that guards it is missing', async () => {
    for (const table of ['audit_log', 'audit_chain']) {
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

  const tampered: [string, (database: Database) => Promise<unknown>, number, RegExp][] = [
    [
      'one character of an entry',
      (database) =>
        sql`update audit_log set record = replace(record, 'tool7"', 'tool8"') where seq = 7`.execute(database),
      7,
      /was changed/,
    ],
    [
      'a hash',
      (database) => sql`update audit_log set hash = ${'f'.repeat(64)} where seq = 9`.execute(database),
      9,
      /was changed/,
    ],
    [
      'a column that searches use',
      (database) => sql`update audit_log set client = 'other' where seq = 11`.execute(database),
      11,
      /column client/,
    ],
    ['a row that is gone', (database) => sql`delete from audit_log where seq = 4`.execute(database), 4, /missing/],
    ['the first row', (database) => sql`delete from audit_log where seq = 1`.execute(database), 1, /missing/],
    ['the middle', (database) => sql`delete from audit_log where seq between 8 and 12`.execute(database), 8, /missing/],
    ['the end', (database) => sql`delete from audit_log where seq >= 15`.execute(database), 15, /missing/],
    [
      'two rows in each other’s place',
      async (database) => {
        await sql`update audit_log set seq = 1005 where seq = 5`.execute(database);
        await sql`update audit_log set seq = 5 where seq = 6`.execute(database);
        await sql`update audit_log set seq = 6 where seq = 1005`.execute(database);
      },
      5,
      /was changed/,
    ],
    [
      'an end that was moved back with the rows after it',
      async (database) => {
        await sql`delete from audit_log where seq > 15`.execute(database);
        await sql`update audit_chain set head_seq = 15`.execute(database);
      },
      15,
      /recorded as its end/,
    ],
    [
      'a row after the end',
      (database) =>
        sql`insert into audit_log (seq, at, kind, outcome, record, search, hash) values (21, '', '', '', '{}', '', '')`.execute(
          database,
        ),
      21,
      /after the recorded end/,
    ],
    [
      'an anchor that was moved with no row deleted',
      (database) =>
        sql`update audit_chain set anchor_seq = 3, anchor_hash = (select hash from audit_log where seq = 3)`.execute(
          database,
        ),
      4,
      /no entry says/,
    ],
    [
      'a head that was cut off with the anchor moved after it',
      async (database) => {
        const { hash } = await database
          .selectFrom('audit_log')
          .select('hash')
          .where('seq', '=', 5)
          .executeTakeFirstOrThrow();
        await database.updateTable('audit_chain').set({ anchor_seq: 5, anchor_hash: hash }).execute();
        await database.deleteFrom('audit_log').where('seq', '<=', 5).execute();
      },
      6,
      /no entry says/,
    ],
    [
      'a tail that was cut off with the end moved before it',
      async (database) => {
        await database.deleteFrom('audit_log').where('seq', '>', 15).execute();
        await replaceEnds(database, 15, 0);
      },
      15,
      /lacks the triggers audit_log_unchangeable/,
    ],
    [
      'ends that were replaced with both cut off',
      async (database) => {
        await database.deleteFrom('audit_log').where('seq', '>', 15).execute();
        await replaceEnds(database, 15, 5);
        await database.deleteFrom('audit_log').where('seq', '<=', 5).execute();
      },
      6,
      /no entry says/,
    ],
    ['ends that are gone', (database) => database.deleteFrom('audit_chain').execute(), 1, /after the recorded end/],
    [
      'a deletion whose entry says something else',
      async (database) => {
        await auditOn(database).appended.deleteOldest({ before: at(6), limit: 100, now: at(30) });
        await sql`update audit_log set record = replace(record, '"deletedTo"', 'x') where seq = 21`.execute(database);
      },
      6,
      /no entry says/,
    ],
  ];

  it.each(tampered)('names the first broken link: %s', async (_title, tamper, seq, problem) => {
    const { database, chain } = await filled();
    expect(await chain.verify()).toMatchObject({ checked: 20, broken: null });
    await withoutGuards(database, dialect);
    await tamper(database);
    expect((await chain.verify()).broken).toEqual({ seq, problem: expect.stringMatching(problem) as string });
  });

  it('is verified in parts, each going on after the one before', async () => {
    const { chain } = await filled();
    const first = await chain.verify({ most: 8 });
    expect(first).toMatchObject({ checked: 8, last: { seq: 8 }, isComplete: false, broken: null });
    const second = await chain.verify({ after: 8, most: 8 });
    expect(second).toMatchObject({ checked: 8, last: { seq: 16 }, isComplete: false });
    expect(await chain.verify({ after: 16, most: 8 })).toMatchObject({ checked: 4, isComplete: true, broken: null });
  });

  it('is written once when a try fails although it was written', async () => {
    const { log, appended, chain } = auditOn(await open());
    const original = appended.append.bind(appended);
    let failures = 2;
    appended.append = async (batch) => {
      await original(batch);
      if (failures-- > 0) throw new DatabaseUnavailable('the connection broke', { cause: null, isLasting: false });
    };
    log.record(auditEntry());
    await expect(log.flush()).rejects.toThrow('cannot be written now');
    log.record(auditEntry());
    await expect(log.flush()).rejects.toThrow('cannot be written now');
    await log.flush();
    expect(await chain.verify()).toMatchObject({ checked: 2, broken: null });
  });
});
