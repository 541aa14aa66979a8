import { jest } from '@jest/globals';
import type { PostgresPoolClient } from 'kysely';
import { DatabaseUnavailable } from './database.errors.js';
import { type Patience, PatientPool } from './patient-pool.js';

const FULL = new Error('sorry, too many clients already');

/** A pool like that of pg: requests beyond its size would wait in it. */
class FakePool {
  readonly options = {};
  mostAtOnce = 0;
  problem: Error | null = null;
  /** How many connections the server accepts. */
  room = Infinity;
  tries = 0;
  private lent = 0;
  private made = 0;

  async connect(): Promise<PostgresPoolClient> {
    if (this.problem) throw this.problem;
    this.tries += 1;
    if (this.lent === this.made) {
      if (this.made >= this.room) throw FULL;
      this.made += 1;
    }
    this.lent += 1;
    this.mostAtOnce = Math.max(this.mostAtOnce, this.lent);
    return { release: () => void (this.lent -= 1), query: () => Promise.reject(new Error('not asked here')) } as never;
  }

  end(): Promise<void> {
    return Promise.resolve();
  }
}

const broken = new WeakSet<object>();
const PATIENCE: Patience = {
  size: 2,
  patienceMs: 100,
  mostWaiting: 10,
  isBroken: (client) => broken.has(client),
  isFull: (error) => error === FULL,
};

describe('a pool of connections', () => {
  let pool: FakePool;
  let patient: PatientPool;

  beforeEach(() => {
    jest.useFakeTimers();
    pool = new FakePool();
    patient = new PatientPool(pool, PATIENCE);
  });
  afterEach(() => void jest.useRealTimers());

  const outcomesOf = async (asked: readonly Promise<unknown>[]) =>
    (await Promise.allSettled(asked)).map(({ status }) => status);

  /** Twelve users, each of whom returns what was lent after a while, are all served in the order of their requests. */
  const serveTwelve = async () => {
    const served: number[] = [];
    const users = Array.from({ length: 12 }, async (_, number) => {
      const client = await patient.connect();
      served.push(number);
      setTimeout(() => client.release(), 80);
    });
    await jest.runAllTimersAsync();
    expect(await outcomesOf(users)).toEqual(Array(12).fill('fulfilled'));
    expect(served).toEqual(users.map((_, number) => number));
  };

  it('lends all in the order of the requests, as long as some are returned', async () => {
    await serveTwelve();
    expect(pool.mostAtOnce).toBe(2);
  });

  it('rejects waiting requests when none is returned for too long, and serves the next', async () => {
    const kept = await patient.connect();
    const other = await patient.connect();
    const waiting = Promise.allSettled([patient.connect(), patient.connect()]);
    await jest.advanceTimersByTimeAsync(80);
    other.release();
    await jest.advanceTimersByTimeAsync(99);
    const third = patient.connect();
    await jest.advanceTimersByTimeAsync(1);
    const [first, second] = await waiting;
    expect(first?.status).toBe('fulfilled');
    expect(second).toMatchObject({ status: 'rejected', reason: expect.any(DatabaseUnavailable) as unknown });
    kept.release();
    await expect(third).resolves.toBeDefined();
    expect(pool.mostAtOnce).toBe(2);
  });

  it('rejects at once what exceeds the queue, and serves the others', async () => {
    const kept = [await patient.connect(), await patient.connect()];
    const outcomes = outcomesOf(Array.from({ length: 10 }, async () => (await patient.connect()).release()));
    await expect(patient.connect()).rejects.toThrow(DatabaseUnavailable);
    for (const client of kept) client.release();
    expect(await outcomes).toEqual(Array(10).fill('fulfilled'));
  });

  it('does not count on connections that are returned broken', async () => {
    const users = [await patient.connect(), await patient.connect()];
    const outcomes = outcomesOf([patient.connect(), patient.connect(), patient.connect()]);
    await jest.advanceTimersByTimeAsync(80);
    for (const client of users) {
      broken.add(client);
      client.release();
    }
    await jest.advanceTimersByTimeAsync(20);
    expect(await outcomes).toEqual(['fulfilled', 'fulfilled', 'rejected']);
  });

  it('serves the next when a connection cannot be made', async () => {
    pool.problem = new Error('refused');
    expect(await outcomesOf([1, 2, 3, 4, 5].map(() => patient.connect()))).toEqual(Array(5).fill('rejected'));
    pool.problem = null;
    expect(await outcomesOf([patient.connect(), patient.connect()])).toEqual(['fulfilled', 'fulfilled']);
  });

  it('shares the connections that a full server accepts, in the order of the requests', async () => {
    pool.room = 1;
    await serveTwelve();
    expect(pool.mostAtOnce).toBe(1);
    // One try that fails at once, and one after the second that the 12 take.
    expect(pool.tries).toBeLessThanOrEqual(12 + 2);

    pool.room = 2;
    await jest.advanceTimersByTimeAsync(1_000);
    await Promise.all([patient.connect(), patient.connect()]);
    expect(pool.mostAtOnce).toBe(2);
  });

  it('rejects a request at a full server with its refusal, when none is returned for too long', async () => {
    pool.room = 1;
    await patient.connect();
    const refused = expect(patient.connect()).rejects.toBe(FULL);
    const queued = expect(patient.connect()).rejects.toThrow(DatabaseUnavailable);
    await jest.advanceTimersByTimeAsync(100);
    await Promise.all([refused, queued]);
  });

  it('waits for the first connection to a full server, too', async () => {
    const waiting = new PatientPool(pool, { ...PATIENCE, patienceMs: 5_000 });
    pool.room = 0;
    const first = waiting.connect();
    await jest.advanceTimersByTimeAsync(1_500);
    pool.room = 1;
    await jest.advanceTimersByTimeAsync(1_000);
    await expect(first).resolves.toBeDefined();
    expect(pool.tries).toBe(3);
  });
});
