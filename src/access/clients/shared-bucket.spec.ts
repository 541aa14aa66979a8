import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import { SharedBucket } from './shared-bucket.js';

/** The counter that buckets share: the sum of what all have added since it was last reset. */
class Counter extends RateLimiterMemory {
  failure: Error | null = null;

  constructor() {
    super({ points: 1, duration: 0 });
  }

  override async penalty(key: string, points: number): Promise<RateLimiterRes> {
    if (this.failure) throw this.failure;
    return super.penalty(key, points);
  }

  async total(): Promise<number> {
    return (await this.get('key'))?.consumedPoints ?? 0;
  }

  /** Adds what others have used. */
  async add(points: number): Promise<void> {
    await this.penalty('key', points);
  }

  async beginAgain(): Promise<void> {
    await this.delete('key');
  }
}

const takeAll = (bucket: SharedBucket, nowMs: number) => {
  let taken = 0;
  while (bucket.take(nowMs) === 0) taken += 1;
  return taken;
};

describe('a bucket that replicas share', () => {
  it('has less left by what others have used since it was last settled', async () => {
    const [counter, bucket] = [new Counter(), new SharedBucket(10, 0)];
    bucket.take(0);
    await counter.add(4);
    await bucket.settle('key', counter, 0);
    bucket.take(0);
    await counter.add(2);
    await bucket.settle('key', counter, 0);
    expect(takeAll(bucket, 0)).toBe(10 - 1 - 4 - 1 - 2);
    expect(await counter.total()).toBe(8);
  });

  it('treats all of a restarted counter as new', async () => {
    const [counter, bucket] = [new Counter(), new SharedBucket(10, 0)];
    bucket.take(0);
    await counter.add(5);
    await bucket.settle('key', counter, 0);
    await counter.beginAgain();
    await counter.add(1);
    bucket.take(0);
    await bucket.settle('key', counter, 0);
    expect(takeAll(bucket, 0)).toBe(10 - 1 - 5 - 1 - 1);
  });

  it('settles one thing at a time, and nothing when nothing was taken', async () => {
    const [counter, bucket] = [new Counter(), new SharedBucket(10, 0)];
    await bucket.settle('key', counter, 0);
    expect(await counter.total()).toBe(0);
    bucket.take(0);
    const first = bucket.settle('key', counter, 0);
    bucket.take(0);
    await Promise.all([first, bucket.settle('key', counter, 0)]);
    expect(await counter.total()).toBe(1);
    await bucket.settle('key', counter, 0);
    expect(await counter.total()).toBe(2);
  });

  it('remembers its use while the counter is unreachable', async () => {
    const [counter, bucket] = [new Counter(), new SharedBucket(10, 0)];
    counter.failure = new Error('gone');
    bucket.take(0);
    await expect(bucket.settle('key', counter, 0)).rejects.toThrow('gone');
    counter.failure = null;
    bucket.take(0);
    await bucket.settle('key', counter, 0);
    expect(await counter.total()).toBe(2);
  });

  it('is unused when a new one would be the same', async () => {
    const [counter, bucket] = [new Counter(), new SharedBucket(60, 0)];
    expect(bucket.isUnused(0)).toBe(true);
    bucket.take(0);
    expect(bucket.isUnused(60_000)).toBe(false); // local use that is not yet in the shared counter
    const settling = bucket.settle('key', counter, 0);
    expect(bucket.isUnused(60_000)).toBe(false);
    await settling;
    expect([bucket.isUnused(0), bucket.isUnused(60_000)]).toEqual([false, true]);
    bucket.take(60_000);
    await bucket.settle('key', counter, 0);
    expect([bucket.isUnused(60_000), bucket.isUnused(61_000)]).toEqual([false, true]);
  });
});
