import { jest } from '@jest/globals';
import { memoryStorage } from './memory-storage.js';
import { SessionQuota } from './session-quota.js';
import type { SessionStorage } from './storage.js';
import { around, storedSession } from './testing.js';

const limitsOf = { perClient: 3, isOwn: false, inAll: 5 };

describe('the quota of sessions', () => {
  let storage: SessionStorage;
  /** The calls of the storage. */
  let asked: string[];
  /** Runs before each response of the storage. */
  let before: () => Promise<void>;
  let quota: SessionQuota;

  beforeEach(() => {
    jest.useFakeTimers({ now: 10_000_000, doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
    asked = [];
    before = () => Promise.resolve();
    storage = memoryStorage().sessions;
    const counted = around(storage, async (method, call) => {
      asked.push(method);
      await before();
      return call();
    });
    quota = new SessionQuota(counted, () => limitsOf);
  });
  afterEach(() => void jest.useRealTimers());

  const pass = (ms: number) => jest.advanceTimersByTime(ms);
  const ids = (client: string, count: number) => Array.from({ length: count }, (_, index) => `${client}${index}`);

  /** Stores sessions that were last used `unusedMs` ago. */
  async function store(client: string, count: number, unusedMs = 0): Promise<void> {
    const lastSeenAt = new Date(Date.now() - unusedMs);
    for (const id of ids(client, count)) await storage.create(storedSession({ id, client, lastSeenAt }));
  }
  const end = async (client: string, count: number) => {
    for (const id of ids(client, count)) await storage.delete(id);
  };
  const statusFor = async (client: string) => (await quota.refusal(client))?.httpStatus ?? null;
  const statusesFor = async (...clients: string[]) => {
    const statuses = [];
    for (const client of clients) statuses.push(await statusFor(client));
    return statuses;
  };

  it('lets a client open as many as its limit says', async () => {
    expect(await statusesFor('alice', 'alice', 'alice', 'alice', 'bob')).toEqual([null, null, null, 429, null]);
    expect((await quota.refusal('alice'))?.message).toContain('mcp.max_sessions_per_key');
  });

  it('lets all clients together open as many as the limit says', async () => {
    const clients = ['alice', 'alice', 'alice', 'bob', 'bob', 'bob', 'carol'];
    expect(await statusesFor(...clients)).toEqual([null, null, null, null, null, 503, 503]);
    expect((await quota.refusal('bob'))?.message).toContain('(setting mcp.max_sessions)');
  });

  it('counts those that are in the storage', async () => {
    await store('alice', 2);
    expect(await statusesFor('alice', 'alice', 'bob', 'bob', 'bob')).toEqual([null, 429, null, null, 503]);
  });

  it('does not let more pass when many open at once', async () => {
    const statuses = await Promise.all(Array.from({ length: 6 }, () => statusFor('alice')));
    expect(statuses.filter((status) => status === null)).toHaveLength(3);
    expect(asked).toEqual(['count', 'count']);
  });

  it('counts in the storage once a minute', async () => {
    await store('alice', 2);
    await statusFor('bob');
    await end('alice', 2);
    pass(59_999);
    expect(await statusesFor('bob', 'bob')).toEqual([null, null]);
    expect(asked).toEqual(['count', 'count']);
    pass(1);
    expect(await statusFor('bob')).toBeNull();
    expect(asked).toHaveLength(4);
  });

  it('counts again after a second when a client has as many as it may', async () => {
    await store('alice', 3);
    expect(await statusFor('alice')).toBe(429);
    await end('alice', 1);
    pass(999);
    expect(await statusFor('alice')).toBe(429);
    pass(1);
    expect(await statusesFor('alice', 'alice')).toEqual([null, 429]);
  });

  it('counts again after a second when one more was opened than there was room for before', async () => {
    expect(await statusesFor('alice', 'alice', 'alice')).toEqual([null, null, null]);
    pass(1_000);
    expect(await statusFor('alice')).toBeNull(); // None of them was stored.
  });

  it('ends those that were unused for longer than five minutes to make room', async () => {
    await store('alice', 2, 300_001);
    await store('bob', 1, 300_001);
    await storage.create(storedSession({ id: 'used', lastSeenAt: new Date(Date.now() - 300_000) }));
    expect(await statusesFor('alice', 'alice', 'alice')).toEqual([null, null, 429]);
    expect((await storage.listByIds(['alice0', 'alice1', 'used', 'bob0'])).map(({ id }) => id)).toEqual([
      'used',
      'bob0',
    ]);
  });

  it('ends none while there is room', async () => {
    await store('alice', 2, 1_000_000);
    expect(await statusFor('alice')).toBeNull();
    expect(asked).not.toContain('deleteUnused');
  });

  it('ends those of others when all clients together have too many', async () => {
    await store('alice', 5, 1_000_000);
    expect(await statusFor('bob')).toBeNull();
    expect(await storage.count('alice')).toBe(0);
  });

  it('counts again in time after the clock was set back', async () => {
    await store('alice', 3);
    expect(await statusFor('alice')).toBe(429);
    await end('alice', 1);
    jest.setSystemTime(Date.now() - 86_400_000);
    pass(1_000);
    expect(await statusesFor('alice', 'alice')).toEqual([null, 429]);
  });

  it('counts again after the storage has failed', async () => {
    before = () => Promise.reject(new Error('the database is gone'));
    await expect(statusFor('alice')).rejects.toThrow('gone');
    before = () => Promise.resolve();
    expect(await statusFor('alice')).toBeNull();
  });
});
