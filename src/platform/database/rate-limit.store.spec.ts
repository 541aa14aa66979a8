import { jest } from '@jest/globals';
import { sql } from 'kysely';
import { RateLimitStore } from './rate-limit.store.js';
import { describeEachDatabase, memoryDatabase } from './testing.js';

const LIMITS = { points: 1, durationSeconds: 60 };
const refused = expect.objectContaining({ remainingPoints: 0 }) as unknown;

describeEachDatabase('RateLimitStore', (open, dialect) => {
  it('keeps counts of different names apart', async () => {
    const attempts = new RateLimitStore(await open());
    const [logins, keys] = [attempts.open('logins', LIMITS), attempts.open('keys', LIMITS)];
    await logins.consume('somebody');
    await expect(logins.consume('somebody')).rejects.toEqual(refused);
    await keys.consume('somebody');
  });

  it('counts attempts that come at once, each', async () => {
    const count = new RateLimitStore(await open()).open('logins', { ...LIMITS, points: 5 });
    const attempts = await Promise.allSettled(Array.from({ length: 20 }, () => count.consume('somebody')));
    expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
  });

  if (dialect === 'sqlite') return;

  it('continues in memory while PostgreSQL does not respond', async () => {
    const database = await open();
    const count = new RateLimitStore(database).open('logins', LIMITS);
    await database.transaction().execute(async (transaction) => {
      await sql`lock table attempts`.execute(transaction);
      await count.consume('somebody');
      await expect(count.consume('somebody')).rejects.toEqual(refused);
    });
  });

  it('leaves PostgreSQL to others when there are many attempts at once', async () => {
    const database = await open();
    const asked = jest.spyOn(database, 'executeQuery');
    const count = new RateLimitStore(database).open('logins', LIMITS);
    await Promise.all(Array.from({ length: 200 }, (_, n) => count.consume(`${n}`)));
    expect(asked).toHaveBeenCalledTimes(40);
  });
});

describe('RateLimitStore in memory', () => {
  it('remembers a limited number of keys, and forgets those that were counted longest ago', async () => {
    const count = new RateLimitStore(await memoryDatabase()).open('logins', LIMITS);
    await count.consume('first');
    for (let n = 0; n < 19_999; n += 1) await count.consume(`${n}`);
    await expect(count.consume('first')).rejects.toEqual(refused);
    await count.consume('one more');
    await count.consume('0');
    await expect(count.consume('first')).rejects.toEqual(refused);
  });
});
