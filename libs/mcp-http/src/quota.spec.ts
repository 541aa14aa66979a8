import { CALLS, limitsFor, Quota, SESSIONS, STREAMS, tooMany } from './quota.js';
import { Connection } from './received.testing.js';

describe('the limits of a client', () => {
  it.each<[string, number | null | undefined, object]>([
    ['are its own where it has one', 3, { perClient: 3, isOwn: true, inAll: 50 }],
    ['are its own where that is none at all', 0, { perClient: 0, isOwn: true, inAll: 50 }],
    ['are those of every key where it has none', null, { perClient: 10, isOwn: false, inAll: 50 }],
    ['are those of every key where nothing is known of it', undefined, { perClient: 10, isOwn: false, inAll: 50 }],
  ])('%s', (_title, own, expected) => expect(limitsFor(own, 10, 50)).toEqual(expected));
});

describe('the refusal of too many', () => {
  const limits = { perClient: 2, isOwn: false, inAll: 9 };

  it('is 503 when all clients together have them', () => {
    expect(tooMany(CALLS, 'all', limits)).toEqual({
      httpStatus: 503,
      code: -32000,
      message:
        'Too many calls at once: the service takes 9 (setting mcp.max_calls). Wait for some to end, then try again',
    });
  });

  it('says what else limits the total', () => {
    const { httpStatus, message } = tooMany(STREAMS, 'all', limits);
    expect([httpStatus, message]).toEqual([
      503,
      expect.stringContaining('at most three quarters of its limit of open'),
    ]);
  });

  it('is 429 when one key has them, and names the setting', () => {
    expect(tooMany(STREAMS, 'client', limits)).toEqual({
      httpStatus: 429,
      code: -32000,
      message:
        'Too many open streams: this key may have 2 (setting mcp.max_streams_per_key). Close some, or try again later',
    });
  });

  it('names no setting for a limit that the client alone has', () => {
    expect(tooMany(SESSIONS, 'client', { ...limits, isOwn: true })).toEqual({
      httpStatus: 429,
      code: -32000,
      message:
        'Too many sessions: this client may have 2 (set for it by an administrator). End those that nobody needs (DELETE), or try again later',
    });
  });
});

describe('a quota', () => {
  const perClient: Record<string, number> = { alice: 3, bob: 2 };
  const newQuota = () => new Quota(CALLS, (client) => ({ perClient: perClient[client] ?? 0, isOwn: false, inAll: 4 }));
  const statusOf = (quota: Quota, client: string, more?: number) => quota.refusal(client, more)?.httpStatus ?? null;

  it('takes as many of a client as its limit says, and no more', () => {
    const quota = newQuota();
    expect(statusOf(quota, 'alice', 3)).toBeNull();
    expect(statusOf(quota, 'alice', 4)).toBe(429);
    quota.add('alice', 2);
    expect(statusOf(quota, 'alice')).toBeNull();
    expect(statusOf(quota, 'alice', 2)).toBe(429);
    quota.add('alice', 1);
    expect(statusOf(quota, 'alice')).toBe(429);
    expect(statusOf(quota, 'bob')).toBeNull();
  });

  it('reports what it refuses', () => {
    const reported: unknown[] = [];
    const limits = { perClient: 2, isOwn: false, inAll: 3 };
    const quota = new Quota(
      CALLS,
      () => limits,
      (exceeded) => reported.push(exceeded),
    );
    expect([statusOf(quota, 'alice', 2), reported]).toEqual([null, []]);
    expect([3, 4].map((count) => statusOf(quota, 'alice', count))).toEqual([429, 503]);
    expect(reported).toEqual([
      { limit: 'calls', scope: 'client' },
      { limit: 'calls', scope: 'all' },
    ]);
  });

  it('takes as many of all clients as the limit says, and no more', () => {
    const quota = newQuota();
    quota.add('alice', 2);
    expect(statusOf(quota, 'bob', 2)).toBeNull();
    quota.add('bob', 2);
    expect(statusOf(quota, 'alice')).toBe(503);
    expect(statusOf(quota, 'bob')).toBe(503);
  });

  it('has room again after a removal', () => {
    const quota = newQuota();
    quota.add('alice', 3);
    quota.remove('alice', 2);
    expect(statusOf(quota, 'alice', 2)).toBeNull();
    expect(statusOf(quota, 'alice', 3)).toBe(429);
    quota.remove('alice', 1);
    expect(statusOf(quota, 'alice', 3)).toBeNull();
    quota.add('bob', 2);
    expect(statusOf(quota, 'alice', 2)).toBeNull();
    expect(statusOf(quota, 'alice', 3)).toBe(503);
  });

  it('counts one for as long as its response is open', () => {
    const quota = newQuota();
    const [first, second] = [new Connection(), new Connection()];
    quota.addUntilClosed('bob', first.res);
    quota.addUntilClosed('bob', second.res);
    expect(statusOf(quota, 'bob')).toBe(429);
    first.breakOff();
    expect(statusOf(quota, 'bob')).toBeNull();
    expect(statusOf(quota, 'bob', 2)).toBe(429);
    expect(statusOf(quota, 'alice', 3)).toBeNull();
  });
});
