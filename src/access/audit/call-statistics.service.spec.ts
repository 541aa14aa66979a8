import { describeEachDatabase } from '../../platform/database/testing.js';
import { ADMIN_CLIENT } from './audit-entry.js';
import { CallCountStore } from './call-count.store.js';
import { CallStatistics } from './call-statistics.service.js';
import { percentileMs } from './latency.rules.js';
import { auditEntry, auditOn } from './testing.js';

const NOW = new Date(Date.UTC(2026, 0, 8, 12, 30, 30));
const ago = (minutes: number) => new Date(NOW.getTime() - minutes * 60_000);

describeEachDatabase('the statistics of calls', (open) => {
  it('cover an hour, a day and a week, of all replicas, and survive a restart', async () => {
    const database = await open();
    const [one, other] = [auditOn(database), auditOn(database)];
    const call = (minutes: number, outcome = 'ok', client = 'ide') =>
      auditEntry({
        at: ago(minutes),
        outcome,
        durationMs: 8,
        client: { name: client, groups: [] },
        message: `${minutes}`,
      });
    for (const minutes of [0, 5, 59, 61, 23 * 60, 25 * 60, 6 * 24 * 60, 8 * 24 * 60]) one.log.record(call(minutes));
    for (const minutes of [1, 50]) other.log.record(call(minutes, 'denied', 'cli'));
    other.log.record(call(2, 'cancelled'));
    await Promise.all([one.log.flush(), other.log.flush()]);

    const statistics = new CallStatistics(new CallCountStore(database), auditOn(database).reader);
    const sums = async (period: 'hour' | 'day' | 'week') => {
      const spans = await statistics.spans(period, NOW);
      const sum = (of: 'calls' | 'errors' | 'denied') => spans.reduce((total, span) => total + span[of], 0);
      return { parts: spans.length, calls: sum('calls'), errors: sum('errors'), denied: sum('denied') };
    };
    expect(await sums('hour')).toEqual({ parts: 60, calls: 6, errors: 2, denied: 2 });
    expect(await sums('day')).toEqual({ parts: 24, calls: 8, errors: 2, denied: 2 });
    expect(await sums('week')).toEqual({ parts: 28, calls: 10, errors: 2, denied: 2 });
    const [last] = (await statistics.spans('hour', NOW)).slice(-1);
    expect(last).toEqual({
      at: new Date(Date.UTC(2026, 0, 8, 12, 30)),
      ...{ calls: 1, errors: 0, denied: 0, p50Ms: 8, p95Ms: 8 },
    });
    expect(Object.fromEntries(await statistics.totals('client', 'hour', NOW))).toEqual({
      ide: { calls: 5, errors: 0, denied: 0 },
      cli: { calls: 2, errors: 2, denied: 2 },
    });
    expect(Object.fromEntries(await statistics.totals('client', 'month', NOW))).toEqual({
      ide: { calls: 9, errors: 0, denied: 0 },
      cli: { calls: 2, errors: 2, denied: 2 },
    });
    expect((await statistics.latestErrors('hour', NOW)).map(({ message }) => message)).toEqual(['50', '1']);
  });

  it('find the errors of clients among many of administrators', async () => {
    const database = await open();
    const { log, reader } = auditOn(database);
    log.record(auditEntry({ at: ago(30), outcome: 'error', message: 'of a client' }));
    for (let minutes = 0; minutes < 20; minutes += 1)
      for (let time = 0; time < 3; time += 1)
        log.record(auditEntry({ at: ago(minutes), outcome: 'error', client: ADMIN_CLIENT }));
    await log.flush();
    const latest = await new CallStatistics(new CallCountStore(database), reader).latestErrors('hour', NOW);
    expect(latest.map(({ message }) => message)).toEqual(['of a client']);
  });

  it('find the latest errors without reading older entries for rare ones', async () => {
    const database = await open();
    const { log, reader, batches } = auditOn(database);
    const errors = Array.from({ length: 50 }, (_, minute) => ({ minutes: 59 - minute, outcome: 'error' }));
    for (const { minutes, outcome } of [{ minutes: 6 * 24 * 60, outcome: 'timeout' }, ...errors]) {
      log.record(auditEntry({ at: ago(minutes), outcome }));
      await log.flush(); // in a batch of its own
    }
    const read: number[] = [];
    const bodiesOf = batches.bodiesOf.bind(batches);
    batches.bodiesOf = (wanted) => {
      read.push(...wanted.map(({ firstSeq }) => firstSeq));
      return bodiesOf(wanted);
    };
    const statistics = new CallStatistics(new CallCountStore(database), reader);
    const latest = await statistics.latestErrors('week', NOW);
    expect(latest.map(({ seq }) => seq)).toEqual(Array.from({ length: 50 }, (_, at) => 51 - at));
    expect(read).not.toContain(1);
  });

  it('tell how long most calls took, whatever the order', () => {
    expect([
      percentileMs({}, 0.5),
      percentileMs({ 6: 90, 20: 10 }, 0.5),
      percentileMs({ 20: 10, 6: 90 }, 0.95),
    ]).toEqual([null, 8, 1024]);
  });
});
