import { setTimeout as delay } from 'node:timers/promises';
import { jest } from '@jest/globals';
import { sql } from 'kysely';
import type { Database } from '../../src/platform/database/database.js';
import { KeyValueStore } from '../../src/platform/database/key-value.store.js';
import { Lease } from '../../src/platform/database/lease.js';
import { describeEachDatabase } from '../../src/platform/database/testing.js';
import { dialectOf, sharedTime } from '../../src/platform/sql/dialect.js';
import { describeReplicas } from '../support/postgres.js';

const DAY_MS = 86_400_000;
const LEASE_MS = 60_000;
const REAL = [
  'Date',
  'nextTick',
  'performance',
  'queueMicrotask',
  'setImmediate',
  'setTimeout',
  'clearTimeout',
] as const;

describeReplicas('replicas whose clocks differ by a day', (databases) => {
  const claim = (index: 0 | 1, name: string, forMs = LEASE_MS) => {
    const now = new Date(Date.now() + index * DAY_MS);
    return storeOf(index).claim(name, `replica-${index}`, now, new Date(now.getTime() + forMs));
  };
  const storeOf = (index: 0 | 1) => {
    const database = databases[index];
    if (!database) throw new TypeError('there is no such replica');
    return new KeyValueStore(database);
  };
  const right = (name: string) => claim(0, name);
  const ahead = (name: string, forMs?: number) => claim(1, name, forMs);

  it('keep a lease from each other for as long as it was taken', async () => {
    expect([await ahead('one'), await right('one')]).toEqual([true, false]);
    const [until = ''] = ((await storeOf(0).find('one')) ?? '').split(' ');
    expect(Date.parse(until)).toBeLessThan(Date.now() + DAY_MS / 2);
    expect([await ahead('one', 0), await right('one')]).toEqual([true, true]);
  });

  it('do not take a lease that another one holds', async () => {
    expect([await right('two'), await ahead('two')]).toEqual([true, false]);
  });
});

describeEachDatabase('a lease that is held during work', (open) => {
  const NAME = 'work';
  let now = new Date();
  const clock = () => now;
  let database: Database;
  beforeEach(async () => {
    database = await open();
    jest.useFakeTimers({ doNotFake: [...REAL] });
  });
  afterEach(() => void jest.useRealTimers());

  const lease = () => new Lease(new KeyValueStore(database), NAME);
  const change = (value: (dialect: ReturnType<typeof dialectOf>) => object) =>
    database
      .updateTable('facts')
      .set(value(dialectOf(database)))
      .where('name', '=', NAME)
      .execute();
  /** Lets the time of the lease pass for all replicas. */
  const expire = () => change(() => ({ value: sql`'2000-01-01T00:00:00.000Z' || substr(value, 25)` }));
  const stored = async () => (await new KeyValueStore(database).find(NAME)) ?? '';
  const isFree = () => lease().hold(clock, async () => undefined);
  const secondsPass = (seconds: number) => {
    now = new Date(now.getTime() + seconds * 1_000);
    jest.advanceTimersByTime(seconds * 1_000);
  };

  /** Work of a replica that holds the lease, and ends when the test says so, or when the lease is lost. */
  async function begun() {
    let end = () => undefined as void;
    let started = () => undefined as void;
    const begins = new Promise<void>((resolve) => (started = resolve));
    const held = lease().hold(clock, (lost) => {
      started();
      return new Promise((resolve, reject) => {
        end = resolve;
        lost.addEventListener('abort', () => reject(lost.reason as Error));
      });
    });
    await begins;
    return { held, end: () => end() };
  }

  it('ends within seconds when its owner was killed', async () => {
    await begun();
    const { rows } = await sql<{
      limit: string;
    }>`select ${sharedTime(dialectOf(database), now, 10_000)} as "limit"`.execute(database);
    expect((await stored()).slice(0, 24) < (rows[0]?.limit ?? '')).toBe(true);
    expect(await isFree()).toBe(false);
    await expire();
    expect(await isFree()).toBe(true);
  });

  it('is extended again and again while the work lasts, and ends with it', async () => {
    const { held, end } = await begun();
    for (let times = 0; times < 3; times += 1) {
      const before = await stored();
      await delay(2); // the clock of PostgreSQL shows milliseconds
      secondsPass(3);
      while ((await stored()) === before) await delay(1);
      expect(await isFree()).toBe(false);
    }
    end();
    expect([await held, await isFree()]).toEqual([true, true]);
  });

  it('ends when the work fails', async () => {
    const failing = lease().hold(clock, () => Promise.reject(new TypeError('no')));
    await expect(failing).rejects.toThrow('no');
    expect(await isFree()).toBe(true);
  });

  it('stops the work of an owner that did not extend it in time, and stays with the next one', async () => {
    const late = await begun();
    await expire();
    const next = await begun();
    secondsPass(3);
    expect([await late.held, await isFree()]).toEqual([false, false]);
    next.end();
    expect(await next.held).toBe(true);
  });

  it('is free at once after the clock was set back', async () => {
    await begun();
    await change((dialect) => ({
      updated_at: sharedTime(dialect, now, 3_600_000),
      value: sql`${sharedTime(dialect, now, 3_609_000)} || substr(value, 25)`,
    }));
    expect(await isFree()).toBe(true);
  });
});
