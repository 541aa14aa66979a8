import { setImmediate as nextTurn } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { untilFreed } from '../../../test/support/garbage.js';
import { DatabaseUnavailable } from '../../platform/database/database.errors.js';
import { memoryDatabase } from '../../platform/database/testing.js';
import { MOST_ENTRIES } from './audit-batch.rules.js';
import type { AuditItem } from './audit-entry.js';
import { MOST_QUEUED } from './audit-queue.js';
import { CallCountStore } from './call-count.store.js';
import { auditEntry, auditOn } from './testing.js';

const unavailable = () => new DatabaseUnavailable('stalled', { cause: null, isLasting: false });

async function newLog() {
  const database = await memoryDatabase();
  const audit = auditOn(database);
  const { appended } = audit;
  const append = appended.append.bind(appended);
  const entries = async () => {
    const items: AuditItem[] = [];
    for await (const line of audit.reader.exportLines({})) items.push(JSON.parse(line) as AuditItem);
    return items.sort((left, right) => left.seq - right.seq);
  };
  return {
    ...audit,
    database,
    entries,
    fail: (error: () => Error) => {
      appended.append = () => Promise.reject(error());
    },
    recover: () => {
      appended.append = append;
    },
  };
}

describe('AuditLog', () => {
  beforeAll(() => void Logger.overrideLogger(false));

  it('resolves for those who wait when their entry can be read', async () => {
    const { log, entries } = await newLog();
    log.record(auditEntry({ subject: 'first' }));
    await Promise.all([
      log.recordNow(auditEntry({ subject: 'second' })),
      log.recordNow(auditEntry({ subject: 'third' })),
    ]);
    expect((await entries()).map(({ subject }) => subject)).toEqual(['first', 'second', 'third']);
  });

  it('keeps entries while the database fails, in their order, and writes them once it works', async () => {
    const { log, entries, fail, recover, chain } = await newLog();
    fail(unavailable);
    for (let n = 0; n < 1_200; n += 1) log.record(auditEntry({ subject: `t${n}` }));
    await expect(log.recordNow(auditEntry({ kind: 'change', subject: 'change' }))).rejects.toThrow(
      'cannot be written now',
    );
    expect(() => log.assertWorking()).toThrow('cannot be written now');
    expect(() => log.assertWorking()).toThrow(unavailable().message);
    recover();
    await log.flush();
    log.assertWorking();
    expect((await entries()).map(({ subject }) => subject)).toEqual([
      ...Array.from({ length: 1_200 }, (_entry, n) => `t${n}`),
      'change',
    ]);
    expect(await chain.verify()).toMatchObject({ checked: 1_201, broken: null });
  });

  it('keeps up with those who record, however much they do while it writes', async () => {
    const { log, appended } = await newLog();
    const written: unknown[] = [];
    // Otherwise a thread compresses each batch, and has to wait for a core on a busy machine.
    appended.append = async ({ records }) => {
      await nextTurn();
      written.push(...records);
    };
    const [turns, inOneTurn] = [300, 200];
    expect(turns * inOneTurn).toBeGreaterThan(2 * MOST_QUEUED);
    for (let turn = 0; turn < turns; turn += 1) {
      for (let n = 0; n < inOneTurn; n += 1) log.record(auditEntry());
      await nextTurn();
    }
    await log.flush();
    expect(written).toHaveLength(turns * inOneTurn);
  });

  it('drops entries above its limit, and reports how many', async () => {
    const { log, entries, fail, recover } = await newLog();
    fail(unavailable);
    await log.flush();
    // Besides those in the queue, it keeps the batch that could not be written.
    const recorded = MOST_QUEUED + MOST_ENTRIES + 1_000;
    for (let n = 0; n < recorded; n += 1) log.record(auditEntry({ subject: `t${n}` }));
    await expect(log.flush()).rejects.toThrow('cannot be written now');
    recover();
    log.record(auditEntry({ subject: 'after' }));
    await log.flush();
    const all = await entries();
    const gaps = all.filter(({ kind }) => kind === 'gap');
    const kept = all.filter(({ kind }) => kind === 'call').length;
    expect(gaps.reduce((sum, { count = 0 }) => sum + count, kept)).toBe(recorded + 1);
    expect(gaps.length).toBeGreaterThan(0);
    expect(gaps[0]?.message).toContain('not recorded, because');
  });

  it('does not hold the arguments of calls while the database does not answer', async () => {
    const { log, fail } = await newLog();
    fail(unavailable);
    const held = Array.from({ length: 300 }, (_, n) => {
      const args = { text: `${n}${'x'.repeat(10_000)}` };
      log.record(auditEntry({ arguments: args }));
      return new WeakRef(args);
    });
    await log.flush().catch(() => undefined);
    await untilFreed(held);
  });

  it('drops entries that the database rejects, so that others are written', async () => {
    const { log, entries, fail, recover } = await newLog();
    fail(() => new Error('invalid byte sequence'));
    log.record(auditEntry({ subject: 'poison' }));
    for (let tries = 0; tries < 3; tries += 1) await log.flush().catch(() => undefined);
    recover();
    log.record(auditEntry({ subject: 'fine' }));
    await log.flush();
    expect((await entries()).map(({ kind, subject, count }) => [kind, subject, count])).toEqual([
      ['gap', undefined, 1],
      ['call', 'fine', undefined],
    ]);
  });

  it('writes what it holds when it shuts down', async () => {
    const { log, entries } = await newLog();
    log.record(auditEntry());
    await log.onApplicationShutdown();
    expect(await entries()).toHaveLength(1);
  });

  it('counts calls in the transaction that records them', async () => {
    const { log, database } = await newLog();
    const at = new Date(Date.UTC(2026, 0, 1, 10, 59, 59));
    for (let n = 0; n < 5; n += 1) {
      log.record(auditEntry({ at, durationMs: 8 }));
      await log.flush();
    }
    log.record(auditEntry({ at, kind: 'change', client: null }));
    log.record(auditEntry({ at, subject: 'nonsense', outcome: 'unknown' }));
    await log.flush();
    const counts = await new CallCountStore(database).list({ span: 'hour', of: 'tool', from: new Date(0) });
    expect(counts.map(({ name, outcome, calls }) => [name, outcome, calls]).sort()).toEqual([
      ['?', 'unknown', 1],
      ['forecast', 'ok', 5],
    ]);
    expect(counts.find(({ name }) => name === 'forecast')).toMatchObject({
      at: '2026-01-01T10:00:00.000Z',
      latency: { 6: 5 },
    });
  });
});
