import { Random } from '../../../test/fuzz/random.js';
import { RateLimitStore } from '../../platform/database/rate-limit.store.js';
import type { Database } from '../../platform/database/database.js';
import { describeEachDatabase } from '../../platform/database/testing.js';
import { RequestRates } from './request-rates.service.js';
import { clientsOn, PLAIN_CLIENT } from './testing.js';
import { TokenBucket } from './token-bucket.js';

describe('a token bucket', () => {
  it.each([1, 2, 3, 4])('lets no more pass than its rate and one burst, with seed %d', (seed) => {
    const random = new Random(seed);
    const perMinute = random.integer(1, 120);
    const bucket = new TokenBucket(perMinute, 0);
    const passed: number[] = [];
    for (let nowMs = 0; nowMs < 600_000; nowMs += random.integer(0, 900)) {
      const waitMs = bucket.take(nowMs);
      if (waitMs === 0) passed.push(nowMs);
      else expect(waitMs).toBeLessThanOrEqual(60_000 / perMinute);
    }
    for (const [index, from] of passed.entries()) {
      for (const spanMs of [1_000, 60_000, 300_000]) {
        const within = passed.slice(index).filter((at) => at < from + spanMs).length;
        expect(within).toBeLessThanOrEqual(perMinute + (perMinute * spanMs) / 60_000 + 1);
      }
    }
    // It does not allow less, either: a client that sends all the time gets the whole rate.
    expect(passed.length).toBeGreaterThanOrEqual(Math.min(perMinute * 10, 600) - 2);
  });

  it('is paid back by time alone, whatever the clock does', () => {
    const bucket = new TokenBucket(60, 10_000);
    bucket.deduct(1_000);
    expect(bucket.take(10_000)).toBe(61_000);
    expect(bucket.take(0)).toBeGreaterThan(0);
    expect(bucket.take(61_001)).toBe(0);
  });
});

describeEachDatabase('the requests of clients', (open, dialect) => {
  const replicaOn = async (database: Database) => {
    const world = await clientsOn({ database });
    return { ...world, rates: new RequestRates(world.clients, world.settings, new RateLimitStore(database)) };
  };

  it('count once, also those before a pause in which the client has made good for them', async () => {
    const { rates, registry } = await replicaOn(await open());
    await registry.create('own', { ...PLAIN_CLIENT, limits: { ...PLAIN_CLIENT.limits, requestsPerMinute: 60 } });
    const begun = Date.now();
    const take = (count: number, second: number) =>
      Array.from({ length: count }, () => rates.take('own', begun + second * 1_000)).filter((why) => why !== null);
    expect(take(30, 0)).toEqual([]);
    await rates.tick(new Date(begun + 500));
    await rates.tick(new Date(begun + 31_000)); // the bucket is full again, and the shared counter continues
    expect(take(50, 32)).toEqual([]);
    await rates.tick(new Date(begun + 32_500));
    expect(take(5, 33)).toEqual([]);
  });

  it('are limited by the limit of the client, else by the setting, and all together', async () => {
    const { rates, registry, settings } = await replicaOn(await open());
    await registry.create('own', { ...PLAIN_CLIENT, limits: { ...PLAIN_CLIENT.limits, requestsPerMinute: 3 } });
    await registry.create('free', { ...PLAIN_CLIENT, limits: { ...PLAIN_CLIENT.limits, requestsPerMinute: 0 } });
    const passed = (client: string) => {
      let count = 0;
      while (count < 50 && rates.take(client, 0) === null) count += 1;
      return count;
    };
    expect(passed('default')).toBe(50);
    await settings.set('mcp.rate_limit_per_minute', 5);
    expect([passed('own'), passed('default'), passed('other'), passed('free')]).toEqual([3, 5, 5, 50]);
    expect(rates.take('own', 0)).toEqual({ scope: 'client', perMinute: 3, waitMs: 20_000 });
    await settings.set('mcp.rate_limit_in_all_per_minute', 7);
    expect([passed('free'), rates.take('free', 0)?.scope]).toEqual([7, 'all']);
  });

  if (dialect === 'postgres') {
    it('count on all replicas together: excess is deducted later', async () => {
      const database = await open();
      const replicas = [await replicaOn(database), await replicaOn(database)];
      for (const { settings, rates } of replicas) {
        await settings.reload();
        await settings.set('mcp.rate_limit_per_minute', 60);
        void rates.onApplicationShutdown();
      }
      let passed = 0;
      // Both are flooded for five minutes, with 20 requests every half second.
      for (let nowMs = 0; nowMs < 300_000; nowMs += 500) {
        for (const { rates } of replicas) {
          for (let n = 0; n < 20; n += 1) if (rates.take('default', nowMs) === null) passed += 1;
          await rates.tick(new Date(nowMs));
        }
      }
      // The rate for five minutes, the burst, and what one more replica may allow before it learns of the other's requests.
      expect(passed).toBeLessThanOrEqual(5 * 60 + 60 + 60);
      expect(passed).toBeGreaterThanOrEqual(5 * 60 - 60);
    });
  }
});
