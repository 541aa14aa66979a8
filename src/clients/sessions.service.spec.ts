import { memoryDatabase } from '../database/testing.js';
import { recordedEvents } from '../events/testing.js';
import { InvalidCursor } from '../paging/page-cursor.js';
import { SessionNotFound } from './clients.errors.js';
import type { Session } from './session.js';
import { SessionStore } from './session.store.js';
import { SessionsService } from './sessions.service.js';

async function newSessions() {
  const { events, sent } = recordedEvents();
  return { sessions: new SessionsService(new SessionStore(await memoryDatabase()), events), sent };
}

const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute));

const session = (change: Partial<Session> = {}): Session => ({
  id: 's1',
  client: 'default',
  protocolVersion: '2025-11-25',
  clientName: 'editor',
  clientVersion: null,
  initialize: { capabilities: {} },
  logLevel: null,
  subscriptions: [],
  eventSeq: 7,
  createdAt: at(0),
  lastSeenAt: at(0),
  ...change,
});

describe('SessionsService', () => {
  it('returns a session as it was created', async () => {
    const { sessions } = await newSessions();
    await sessions.create(session());
    expect(await sessions.find('s1')).toEqual(session());
    expect(await sessions.find('s2')).toBeUndefined();
  });

  it('saves changes of a session', async () => {
    const { sessions } = await newSessions();
    await sessions.create(session());
    await sessions.touch('s1', at(5));
    await sessions.saveLogLevel('s1', 'warning');
    await sessions.saveSubscriptions('s1', ['memory://a/b']);
    await sessions.saveEventSeq('s1', 9);
    expect(await sessions.find('s1')).toEqual(
      session({ lastSeenAt: at(5), logLevel: 'warning', subscriptions: ['memory://a/b'], eventSeq: 9 }),
    );
  });

  it('lists pages from the last used session, also among equal times', async () => {
    const { sessions } = await newSessions();
    for (const [id, minute] of [
      ['a', 1],
      ['b', 3],
      ['c', 2],
      ['d', 2],
    ] as const) {
      await sessions.create(session({ id, lastSeenAt: at(minute) }));
    }
    const first = await sessions.listPage({ limit: 2 });
    const second = await sessions.listPage({ limit: 2, cursor: first.nextCursor ?? '' });
    expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(['b', 'd', 'c', 'a']);
    expect(second.nextCursor).toBeNull();
    await expect(sessions.listPage({ limit: 2, cursor: 'x' })).rejects.toThrow(InvalidCursor);
  });

  it('deletes idle sessions, and returns how many', async () => {
    const { sessions } = await newSessions();
    await sessions.create(session({ id: 'old', lastSeenAt: at(1) }));
    await sessions.create(session({ id: 'new', lastSeenAt: at(3) }));
    expect([await sessions.deleteIdle(at(2)), await sessions.count()]).toEqual([1, 1]);
  });

  it('sends an event when an administrator ends a session, but not when its client does', async () => {
    const { sessions, sent } = await newSessions();
    await sessions.create(session({ id: 'a' }));
    await sessions.create(session({ id: 'b' }));
    expect(await sessions.delete('a')).toBe(true);
    await sessions.end('b');
    expect(sent).toEqual([['session.ended', { id: 'b' }]]);
    await expect(sessions.end('b')).rejects.toThrow(SessionNotFound);
  });
});
