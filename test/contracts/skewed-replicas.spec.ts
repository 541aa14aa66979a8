import { jest } from '@jest/globals';
import type { RelayedNews } from '#mcp-http';
import { SessionStore } from '../../src/access/clients/session.store.js';
import { ChangeLogStore } from '../../src/entrypoints/mcp/change-log.store.js';
import { Housekeeping } from '../../src/entrypoints/mcp/housekeeping.service.js';
import { RelayStore } from '../../src/entrypoints/mcp/relay.store.js';
import { ReplicaRelay } from '../../src/entrypoints/mcp/replica-relay.service.js';
import { StreamJournalStore } from '../../src/entrypoints/mcp/stream-journal.store.js';
import { settingsOn } from '../../src/platform/config/testing.js';
import type { Database } from '../../src/platform/database/database.js';
import { ReplicaChannel } from '../../src/platform/database/replica-channel.service.js';
import { ReplicaStore } from '../../src/platform/database/replica.store.js';
import { parseEnvironment } from '../../src/platform/environment/environment.js';
import { describeReplicas } from '../support/postgres.js';

const SKEW_MS = 6 * 60_000;
const TIMERS = [
  'setTimeout',
  'clearTimeout',
  'setInterval',
  'clearInterval',
  'setImmediate',
  'clearImmediate',
] as const;

describeReplicas('a replica whose clock is six minutes ahead', (databases) => {
  const database = (): Database => {
    const [found] = databases;
    if (!found) throw new TypeError('there is no database');
    return found;
  };
  afterEach(() => void jest.useRealTimers());
  const goAhead = () =>
    jest.useFakeTimers({
      now: Date.now() + SKEW_MS,
      doNotFake: [...TIMERS, 'nextTick', 'queueMicrotask', 'hrtime', 'performance'],
    });

  it('keeps the messages that another one has just relayed', async () => {
    const channel = new ReplicaChannel(parseEnvironment({ DATABASE_URL: 'postgres://other' }), database());
    const relay = new ReplicaRelay(channel, new RelayStore(database()), new ReplicaStore(database()));
    const news: RelayedNews = { kind: 'client_messages', sessionId: 's', messages: [] };
    await relay.send(news);
    goAhead();
    await relay.tick();
    expect(await relay.latest()).toEqual([news]);
  });

  it('keeps the streams that another one has just finished', async () => {
    const [sessions, journal] = [new SessionStore(database()), new StreamJournalStore(database())];
    await sessions.create({
      ...{ id: 's', client: 'alice', key: null, protocolVersion: '2025-11-25', initialize: {}, logLevel: null },
      ...{ subscriptions: [], eventSeq: 0, answered: { after: 0, upTo: 0 }, openStream: null, lastSeenAt: new Date() },
    });
    await journal.open('t', { sessionId: 's', requestIds: [1], process: 'p' });
    await journal.finish('t', 14);
    goAhead();
    const settings = await settingsOn({ database: database() });
    await new Housekeeping(sessions, settings, new ChangeLogStore(database()), journal).tick(new Date());
    expect(await journal.find('t')).toMatchObject({ finished: true });
  });
});
