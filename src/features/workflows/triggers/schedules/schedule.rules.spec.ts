import type { Schedule, WorkflowDefinition } from '#open-workflow';
import {
  catchUpOf,
  countTicks,
  dueTicks,
  type FixedTimetable,
  GRACE_MS,
  lastTicks,
  MOST_CAUGHT_UP,
  nextTick,
  startAfter,
  timetablesOf,
} from './schedule.rules.js';
import { numbersBelow } from '../../../../../test/fuzz/random.js';

const at = (time: string) => new Date(`2026-${time}Z`);
const definition = (schedule?: Schedule, timezone?: unknown): WorkflowDefinition => ({
  document: {
    dsl: '1.0.3',
    namespace: 'test',
    name: 'report',
    version: '1.0.0',
    ...(timezone !== undefined && { metadata: { timezone: timezone as string } }),
  },
  ...(schedule && { schedule }),
  do: [],
});
const cron = (pattern: string, timeZone = 'UTC'): FixedTimetable => ({ kind: 'cron', pattern, timeZone });
const every = (everyMs: number): FixedTimetable => ({ kind: 'every', everyMs });

describe('the timetable of a workflow', () => {
  it.each([
    ['a cron expression in UTC', definition({ cron: '0 6 * * *' }), cron('0 6 * * *')],
    ['one in a time zone', definition({ cron: '0 6 * * *' }, 'Europe/Berlin'), cron('0 6 * * *', 'Europe/Berlin')],
    ['one without a zone that is a text', definition({ cron: '0 6 * * *' }, 1), cron('0 6 * * *')],
    ['an interval', definition({ every: { minutes: 5 } }), every(300_000)],
    ['an interval in ISO 8601', definition({ every: 'PT1H' }), every(3_600_000)],
    ['an interval of no time, which is a second', definition({ every: { milliseconds: 1 } }), every(1_000)],
    ['a pause', definition({ after: { hours: 1 } }), { kind: 'after', afterMs: 3_600_000 }],
    ['an event, which is no time', definition({ on: { one: { with: { type: 'a' } } } }), null],
    ['nothing', definition(), null],
    ['nonsense', definition({ cron: 'every day' }), null],
    ['an unknown zone', definition({ cron: '0 6 * * *' }, 'Mars/Olympus'), null],
    ['an interval that is none', definition({ every: 'often' }), null],
    ['an endless expression', definition({ cron: '0,'.repeat(1_000) }), null],
  ])('is right for %s', (_title, workflow, timetable) => {
    expect(timetablesOf(workflow)).toEqual(timetable === null ? [] : [timetable]);
  });
});

it('reads all timetables of a workflow', () => {
  const schedule = { cron: '0 6 * * *', every: 'PT1H', after: 'PT1M' };
  expect(timetablesOf(definition(schedule)).map(({ kind }) => kind)).toEqual(['cron', 'every', 'after']);
});

describe('the next time', () => {
  it.each([
    ['after a time in between', cron('0 6 * * *'), at('11-21T12:00:00.5'), at('11-22T06:00:00')],
    ['after one of its own', cron('0 6 * * *'), at('11-22T06:00:00'), at('11-23T06:00:00')],
    ['just before one', cron('0 6 * * *'), at('11-22T05:59:59.999'), at('11-22T06:00:00')],
    ['by seconds', cron('*/10 * * * * *'), at('11-22T05:59:59'), at('11-22T06:00:00')],
    ['in another time zone', cron('0 6 * * *', 'America/New_York'), at('11-21T12:00:00'), at('11-22T11:00:00')],
    ['that the clocks leave out', cron('30 2 * * *', 'Europe/Berlin'), at('03-28T12:00:00'), at('03-29T01:00:00')],
    ['that the clocks show twice', cron('30 2 * * *', 'Europe/Berlin'), at('10-25T00:30:00'), at('10-26T01:30:00')],
    ['that never comes', cron('0 0 30 2 *'), at('11-21T12:00:00'), null],
    ['of an interval', every(900_000), at('11-21T12:00:00'), at('11-21T12:15:00')],
    ['of an interval, just before it', every(900_000), at('11-21T12:14:59.999'), at('11-21T12:15:00')],
  ])('is right %s', (_title, timetable, after, next) => {
    expect(nextTick(timetable, after)).toEqual(next);
  });

  it('is the same from any starting point, and never drifts', () => {
    const random = numbersBelow(7);
    for (let n = 0; n < 300; n += 1) {
      const timetable = [every(1_000 * (1 + random(5_000))), cron(`${random(60)} */${1 + random(11)} * * *`)][n % 2];
      if (!timetable) throw new Error('there are two');
      const start = new Date(at('01-01T00:00:00').getTime() + random(300) * 86_400_000 + random(86_400_000));
      const tick = nextTick(timetable, start);
      if (!tick) throw new Error('it always comes');
      expect(tick.getTime()).toBeGreaterThan(start.getTime());
      const between = new Date(start.getTime() + random(tick.getTime() - start.getTime()));
      expect(nextTick(timetable, between)).toEqual(tick);
    }
  });
});

describe('the times that have come', () => {
  it.each([
    ['none yet', at('11-21T11:59:59.999'), [], 0, at('11-21T12:00:00')],
    ['one, to the millisecond', at('11-21T12:00:00'), [at('11-21T12:00:00')], 0, at('11-21T12:01:00')],
    [
      'two, one of them late',
      at('11-21T12:01:00'),
      [at('11-21T12:00:00'), at('11-21T12:01:00')],
      0,
      at('11-21T12:02:00'),
    ],
    ['one too late', at('11-21T12:01:00.001'), [at('11-21T12:01:00')], 1, at('11-21T12:02:00')],
    ['an hour of them', at('11-21T13:00:30'), [at('11-21T13:00:00')], 60, at('11-21T13:01:00')],
  ])('are %s', (_title, now, start, skipped, next) => {
    const due = dueTicks(cron('* * * * *'), at('11-21T12:00:00'), now, 'none');
    expect(due).toEqual({ start, skipped: { count: skipped, isMore: false }, next });
  });

  it('are each started or skipped once, however the clock advances', () => {
    const random = numbersBelow(42);
    for (let n = 0; n < 200; n += 1) {
      const timetable = n % 2 ? every(1_000 * (1 + random(100))) : cron(`*/${1 + random(20)} * * * *`);
      const begin = at('06-01T00:00:00');
      const started: number[] = [];
      let [now, next, skipped] = [begin, nextTick(timetable, begin), 0];
      for (let look = 0; look < 30 && next; look += 1) {
        now = new Date(now.getTime() + random(random(4) === 0 ? 600_000 : 20_000));
        if (next > now) continue;
        const due = dueTicks(timetable, next, now, 'none');
        for (const tick of due.start) expect(now.getTime() - tick.getTime()).toBeLessThanOrEqual(GRACE_MS);
        started.push(...due.start.map((tick) => tick.getTime()));
        skipped += due.skipped.count;
        next = due.next;
      }
      expect(started).toEqual([...new Set(started)].sort((a, b) => a - b));
      // Counting stops at two hundred.
      expect(Math.min(started.length + skipped, 200)).toBe(countTicks(timetable, begin, now).count);
    }
  });

  it('are not counted for ever', () => {
    const [year, next] = [at('12-31T00:00:00'), at('01-01T00:00:00')];
    expect(countTicks(every(1_000), next, year)).toEqual({ count: 200, isMore: true });
    expect(countTicks(cron('* * * * *'), next, year)).toEqual({ count: 200, isMore: true });
    const { start, skipped } = dueTicks(every(1_000), next, year, 'none');
    expect([start.length, skipped.isMore]).toEqual([61, true]);
  });
});

describe('the last times', () => {
  it.each([
    ['before a time in between', cron('0 6 * * *'), at('11-21T12:00:00.5'), ['11-20T06:00:00', '11-21T06:00:00']],
    ['up to one of its own', cron('0 6 * * *'), at('11-21T06:00:00'), ['11-20T06:00:00', '11-21T06:00:00']],
    ['just before one', cron('0 6 * * *'), at('11-21T05:59:59.999'), ['11-19T06:00:00', '11-20T06:00:00']],
    ['of an interval', every(900_000), at('11-21T12:00:00'), ['11-21T11:45:00', '11-21T12:00:00']],
    ['of an interval, just before it', every(900_000), at('11-21T11:59:59.999'), ['11-21T11:30:00', '11-21T11:45:00']],
  ])('are right %s', (_title, timetable, until, expected) => {
    expect(lastTicks(timetable, until, 2)).toEqual(expected.map(at));
  });

  it('are empty for a time that never comes', () => {
    expect(lastTicks(cron('0 0 30 2 *'), at('11-21T12:00:00'), 2)).toEqual([]);
  });
});

describe('the times that were missed', () => {
  const [next, now] = [at('11-21T12:00:00'), at('11-21T12:30:10')];
  const caughtUp = (pattern: string, catchUp: 'none' | 'last' | 'all') => {
    const { start, skipped } = dueTicks(cron(pattern), next, now, catchUp);
    return [start.map((time) => time.toISOString().slice(14, 19)), skipped.count];
  };
  it('are started later as the workflow says', () => {
    expect(caughtUp('4-59/10 * * * *', 'none')).toEqual([[], 3]);
    expect(caughtUp('4-59/10 * * * *', 'last')).toEqual([['24:00'], 2]);
    expect(caughtUp('4-59/10 * * * *', 'all')).toEqual([['04:00', '14:00', '24:00'], 0]);
  });

  it('are over when another one comes in time, if only the last is wanted', () => {
    expect(caughtUp('*/10 * * * *', 'none')).toEqual([['30:00'], 3]);
    expect(caughtUp('*/10 * * * *', 'last')).toEqual([['30:00'], 3]);
    expect(caughtUp('*/10 * * * *', 'all')).toEqual([['00:00', '10:00', '20:00', '30:00'], 0]);
  });

  it('are started later up to a bound, the last ones', () => {
    const day = at('11-22T12:00:00');
    const { start, skipped } = dueTicks(every(600_000), next, day, 'all');
    expect([start.length, start[0], skipped.count]).toEqual([101, new Date(+day - 100 * 600_000), 44]);
    expect(dueTicks(every(1_000), next, day, 'all').start).toHaveLength(MOST_CAUGHT_UP + 61);
    expect(dueTicks(every(1_000), next, day, 'last').start).toHaveLength(61);
  });

  it('are caught up with by their last one, unless a workflow says otherwise', () => {
    const says = (catchUp: string) =>
      catchUpOf({ ...definition(), document: { ...definition().document, metadata: { catchUp } } });
    expect([catchUpOf(definition()), says('none'), says('all'), says('some')]).toEqual(['last', 'none', 'all', 'last']);
  });
});

describe('the start after another run', () => {
  const now = at('11-21T12:00:00');
  it('comes at once when there was none', () => {
    expect(startAfter(60_000, null, now)).toEqual({ at: now, name: 'first' });
  });
  it('waits for its end', () => {
    expect(startAfter(60_000, { id: 'r1', endedAt: null }, now)).toBeNull();
  });
  it('comes the given time after its end, even if that is past', () => {
    expect(startAfter(60_000, { id: 'r1', endedAt: at('11-21T11:00:00') }, now)).toEqual({
      at: at('11-21T11:01:00'),
      name: 'after r1',
    });
  });
  it('comes at once when its end was recorded by a clock that was ahead, but waits for a replica that is a little ahead', () => {
    const after = (endedAt: Date) => startAfter(60_000, { id: 'r1', endedAt }, now)?.at;
    expect([after(at('11-22T12:00:00')), after(at('11-21T12:05:00'))]).toEqual([now, at('11-21T12:06:00')]);
  });
});
