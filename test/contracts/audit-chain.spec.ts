import { sql } from 'kysely';
import { auditEntry, auditOn } from '../../src/access/audit/testing.js';
import { DatabaseUnavailable } from '../../src/platform/database/database.errors.js';
import type { Database } from '../../src/platform/database/database.js';
import { describeEachDatabase } from '../../src/platform/database/testing.js';
import { Random } from '../fuzz/random.js';
import { seedFrom } from '../support/seed.js';

const SEED = seedFrom('AUDIT_SEED');
const SEQUENCES = Number(process.env['AUDIT_SEQUENCES'] ?? 4);
const LENGTH = 40;
const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute));

/** Allows what the guards forbid, as somebody would who has the database to themselves. */
async function withoutGuards(database: Database, dialect: string): Promise<void> {
  for (const name of ['audit_log_unchangeable', 'audit_log_undeletable', 'audit_chain_forward']) {
    const table = name.startsWith('audit_chain') ? 'audit_chain' : 'audit_log';
    await sql.raw(dialect === 'sqlite' ? `drop trigger ${name}` : `drop trigger ${name} on ${table}`).execute(database);
  }
}

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
            deleted += await appended.deleteOldest(at(minute - 20), 1 + random.integer(0, 50));
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
    expect(await appended.deleteOldest(at(6), 100)).toBe(5);
    await expect(database.deleteFrom('audit_log').where('seq', '=', 6).execute()).rejects.toThrow(
      'only up to the anchor',
    );
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
      1,
      /should have been deleted/,
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
