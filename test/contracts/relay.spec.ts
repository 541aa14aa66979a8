import { sql } from 'kysely';
import type { RelayedNews } from '#mcp-http';
import type { Database } from '../../src/platform/database/database.js';
import { openPostgres } from '../../src/platform/database/open-database.js';
import { ReplicaChannel } from '../../src/platform/database/replica-channel.service.js';
import { parseEnvironment } from '../../src/platform/environment/environment.js';
import { ReplicaStore } from '../../src/platform/database/replica.store.js';
import { RelayStore } from '../../src/entrypoints/mcp/relay.store.js';
import { ReplicaRelay } from '../../src/entrypoints/mcp/replica-relay.service.js';
import { describeOnNewPostgres } from '../support/postgres.js';
import { until } from '../support/until.js';

describeOnNewPostgres('the relay between replicas', (database) => {
  let tables: Database;
  let [one, other]: Awaited<ReturnType<typeof join>>[] = [];

  /** Adds a replica that receives the messages of the others. */
  async function join() {
    const channel = new ReplicaChannel(parseEnvironment({ DATABASE_URL: database.url }), tables);
    const relay = new ReplicaRelay(channel, new RelayStore(tables), new ReplicaStore(tables));
    const heard: (RelayedNews | null)[] = [];
    channel.on('relay', async (detail) => {
      if (detail !== null) heard.push(await relay.read(detail));
    });
    await channel.open();
    await relay.onApplicationBootstrap();
    const leave = async () => {
      await relay.onApplicationShutdown();
      await channel.onApplicationShutdown();
    };
    return { channel, relay, heard, leave };
  }

  beforeAll(async () => {
    tables = await openPostgres(database.url);
    [one, other] = [await join(), await join()];
  });
  afterAll(async () => {
    await one?.leave();
    await other?.leave();
    await tables.destroy();
  });

  const replica = (found: typeof one) => {
    if (!found) throw new Error('it did not join');
    return found;
  };

  it('brings messages to the others, in order, however large', async () => {
    const large = { jsonrpc: '2.0' as const, id: 's-1', result: { text: 'ü"\\'.repeat(200_000) } };
    const news: RelayedNews[] = [
      { kind: 'session_changed', sessionId: 's' },
      { kind: 'client_messages', sessionId: 's', messages: [{ kind: 'response', message: large }] },
      { kind: 'stream_opened', sessionId: 's' },
      { kind: 'stream_followed', streamId: 't' },
      { kind: 'session_ended', sessionId: 's' },
    ];
    for (const told of news) {
      await replica(one).relay.send(told);
      await until(() => replica(other).heard.length > 0);
      expect(replica(other).heard.splice(0)).toEqual([told]);
    }
    expect(replica(one).heard).toEqual([]);
    expect(await replica(other).relay.latest()).toEqual([news[1]]);
  });

  it.each([
    'not JSON',
    'null',
    '{"kind":"nonsense","sessionId":"s"}',
    '{"kind":"session_ended"}',
    '{"kind":"stream_followed","sessionId":"s"}',
    '{"kind":"client_messages","seq":"1"}',
    '{"kind":"client_messages","seq":123456789}',
    '{"kind":"client_messages","sessionId":"s","messages":[]}',
  ])('takes %j for nothing', async (detail) => {
    expect(await replica(one).relay.read(detail)).toBeNull();
  });

  it('knows who is at work: not who has left, and not who was not seen for long', async () => {
    const third = await join();
    const { process } = third.relay;
    const store = new ReplicaStore(tables);
    expect([await store.wasSeenWithin(process, 15_000), await store.wasSeenWithin('nobody', 15_000)]).toEqual([
      true,
      false,
    ]);
    await sql`update replicas set seen_at_ms = seen_at_ms - 20000 where id = ${process}`.execute(tables);
    expect(await store.wasSeenWithin(process, 15_000)).toBe(false);
    await third.relay.tick();
    expect(await store.wasSeenWithin(process, 15_000)).toBe(true);
    await third.leave();
    expect(await store.wasSeenWithin(process, 15_000)).toBe(false);
    // A replica that has just joined or reconnected does not report others as dead.
    expect(await replica(one).relay.isAtWork('nobody')).toBe(true);
  });

  it('neither keeps a replica from starting nor from stopping while the database does not answer', async () => {
    const store = new ReplicaStore(tables);
    store.saveSeen = () => Promise.reject(new Error('the database is gone'));
    store.forget = () => Promise.reject(new Error('the database is gone'));
    const relay = new ReplicaRelay(replica(one).channel, new RelayStore(tables), store);
    await relay.onApplicationBootstrap();
    expect(await relay.isAtWork('nobody')).toBe(true);
    await relay.onApplicationShutdown();
  });

  it('forgets what nobody needs any more', async () => {
    const news: RelayedNews = { kind: 'client_messages', sessionId: 's', messages: [] };
    await replica(one).relay.send(news);
    await sql`update mcp_relayed set created_at = '2000-01-01T00:00:00.000Z'`.execute(tables);
    await sql`insert into replicas values ('old', 1)`.execute(tables);
    await replica(one).relay.tick();
    expect(await replica(one).relay.latest()).toEqual([]);
    expect((await sql`select id from replicas where id = 'old'`.execute(tables)).rows).toEqual([]);
  });
});
