import { untilLocked } from '../../../test/support/lock-waits.js';
import { describeEachDatabase, memoryDatabase } from '../../platform/database/testing.js';
import { InvalidCursor } from '../../platform/paging/page-cursor.js';
import type { Session } from './session.js';
import { SessionStore } from './session.store.js';
import { addSubscriptions } from './subscription.table.js';

const newStore = async () => new SessionStore(await memoryDatabase());

const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute));

const session = (change: Partial<Session> = {}): Session => ({
  id: 's1',
  client: 'default',
  key: null,
  protocolVersion: '2025-11-25',
  clientName: 'editor',
  clientVersion: null,
  initialize: { capabilities: {}, clientInfo: { name: 'editor' } },
  logLevel: null,
  subscriptions: [],
  eventSeq: 7,
  answered: { after: 7, upTo: 7 },
  openStream: null,
  lastSeenAt: at(0),
  createdAt: change.lastSeenAt ?? at(0),
  ...change,
});

describe('SessionStore', () => {
  it('returns a session as it was created', async () => {
    const sessions = await newStore();
    await sessions.create(session());
    expect(await sessions.find('s1')).toEqual(session());
    expect(await sessions.find('s2')).toBeUndefined();
  });

  it('saves changes of a session', async () => {
    const sessions = await newStore();
    await sessions.create(session());
    await sessions.touch('s1', at(5));
    await sessions.saveLogLevel('s1', 'warning');
    await sessions.saveSubscriptions('s1', { added: ['memory://a/b', 'memory://a/c'], removed: [] });
    await sessions.saveSubscriptions('s1', { added: ['memory://a/b'], removed: ['memory://a/c', 'memory://a/d'] });
    await sessions.saveSubscriptions('s2', { added: ['memory://a/b'], removed: [] });
    await sessions.closeStream('s1', 'p/1', 9);
    await sessions.closeStream('s1', 'p/1', 8);
    expect(await sessions.find('s1')).toEqual(
      session({
        createdAt: at(0),
        lastSeenAt: at(5),
        logLevel: 'warning',
        subscriptions: ['memory://a/b'],
        eventSeq: 9,
      }),
    );
  });

  it('lists pages from the last used session, also among equal times', async () => {
    const sessions = await newStore();
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

  it('lists and counts those of one client', async () => {
    const sessions = await newStore();
    for (const [id, client] of [
      ['a', 'ide'],
      ['b', 'ci'],
      ['c', 'ide'],
    ] as const) {
      await sessions.create(session({ id, client }));
    }
    expect((await sessions.listPage({ limit: 9, client: 'ide' })).items.map(({ id }) => id)).toEqual(['c', 'a']);
    expect(await Promise.all([sessions.count('ide'), sessions.count('ci'), sessions.count()])).toEqual([2, 1, 3]);
  });

  it('deletes idle sessions, and returns how many', async () => {
    const sessions = await newStore();
    await sessions.create(session({ id: 'old', lastSeenAt: at(1) }));
    await sessions.create(session({ id: 'new', lastSeenAt: at(3) }));
    expect([await sessions.deleteIdle(at(2)), await sessions.count()]).toEqual([1, 1]);
  });

  it('truncates the name of a program, and accepts a missing one', async () => {
    const sessions = await newStore();
    const clientInfo = { name: `${'x'.repeat(199)}😀`, version: 7 };
    await sessions.create(session({ id: 'long', initialize: { clientInfo } }));
    await sessions.create(session({ id: 'none', initialize: {} }));
    expect(await sessions.find('long')).toMatchObject({ clientName: `${'x'.repeat(199)}\ufffd`, clientVersion: null });
    expect(await sessions.find('none')).toMatchObject({ clientName: null, clientVersion: null });
  });
});

describeEachDatabase('the subscriptions of a session', (open, dialect) => {
  // SQLite runs one transaction at a time.
  (dialect === 'postgres' ? it : it.skip)('are changed by two replicas in different orders', async () => {
    const database = await open();
    const sessions = new SessionStore(database);
    await sessions.create(session());
    const add = (...added: string[]) => sessions.saveSubscriptions('s1', { added, removed: [] });
    const { adding } = await database.transaction().execute(async (transaction) => {
      await addSubscriptions(transaction, 's1', ['memory://second']);
      const one = add('memory://first', 'memory://second', 'memory://third');
      await untilLocked(database, 1);
      const other = add('memory://third', 'memory://first');
      await untilLocked(database, 2);
      return { adding: Promise.all([one, other]) };
    });
    await adding;
    const found = await sessions.find('s1');
    expect(found?.subscriptions).toHaveLength(3);
  });
});

describeEachDatabase('a session that is used while unused ones are deleted', (open, dialect) => {
  // SQLite runs one transaction at a time.
  (dialect === 'postgres' ? it : it.skip)('stays', async () => {
    const database = await open();
    const sessions = new SessionStore(database);
    for (const id of ['used', 'unused']) await sessions.create(session({ id, lastSeenAt: at(1) }));
    const { deleting } = await database.transaction().execute(async (transaction) => {
      await transaction
        .updateTable('mcp_sessions')
        .set({ last_seen_at: at(5).toISOString() })
        .where('id', '=', 'used')
        .execute();
      const deleting = sessions.deleteIdle(at(2));
      await untilLocked(database, 1);
      return { deleting };
    });
    expect(await deleting).toBe(1);
    expect(await sessions.find('used')).toBeDefined();
  });
});
