import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { Client } from 'pg';
import { DatabaseUnavailable } from '../../src/platform/database/database.errors.js';
import { openPostgres } from '../../src/platform/database/open-database.js';
import { ReplicaChannel } from '../../src/platform/database/replica-channel.service.js';
import { parseEnvironment } from '../../src/platform/environment/environment.js';
import { TcpProxy } from '../faults/tcp-proxy.js';
import { describeEachOnNewPostgres } from '../support/postgres.js';
import { until } from '../support/until.js';

/** All but intervals: connections to the database need the others. */
const REAL = [
  'setTimeout',
  'clearTimeout',
  'setImmediate',
  'nextTick',
  'queueMicrotask',
  'Date',
  'performance',
] as const;

describeEachOnNewPostgres('a replica that misses messages', (server) => {
  afterEach(() => void jest.useRealTimers());

  it('reloads everything every 30 seconds, until it stops, because some poolers lose messages', async () => {
    const { url } = server;
    const database = await openPostgres(url);
    const channel = new ReplicaChannel(parseEnvironment({ DATABASE_URL: url }), database);
    const reloaded: [topic: string, detail: string | null][] = [];
    for (const topic of ['policies', 'clients'] as const)
      channel.on(topic, async (detail) => void reloaded.push([topic, detail]));
    const all = [
      ['policies', null],
      ['clients', null],
    ];
    jest.useFakeTimers({ doNotFake: [...REAL] });
    await channel.open();
    expect(reloaded).toEqual(all);
    await jest.advanceTimersByTimeAsync(29_999);
    expect(reloaded).toEqual(all);
    await jest.advanceTimersByTimeAsync(1);
    expect(reloaded).toEqual([...all, ...all]);
    await jest.advanceTimersByTimeAsync(30_000);
    expect(reloaded).toEqual([...all, ...all, ...all]);
    await channel.onApplicationShutdown();
    await jest.advanceTimersByTimeAsync(60_000);
    expect(reloaded).toHaveLength(6);
    await database.destroy();
  });

  it('reloads again what it could not read', async () => {
    const { url } = server;
    const database = await openPostgres(url);
    const environment = parseEnvironment({ DATABASE_URL: url });
    const [channel, other] = [new ReplicaChannel(environment, database), new ReplicaChannel(environment, database)];
    const error = jest.spyOn(Logger.prototype, 'error').mockReturnValue();
    const details: (string | null)[] = [];
    // Without the reload every 30 seconds.
    jest.useFakeTimers({ doNotFake: [...REAL] });
    channel.on('policies', async (detail) => {
      details.push(detail);
      if (detail !== null) throw new Error('the database is away');
    });
    await channel.open();
    await other.notify('policies', 'news');
    await until(() => details.length === 3);
    expect(details).toEqual([null, 'news', null]);
    await channel.onApplicationShutdown();
    error.mockRestore();
    await database.destroy();
  });

  it('reloads everything when the answer to a change was lost, and lets the others do so', async () => {
    const { url } = server;
    const proxy = await TcpProxy.before(new URL(url));
    const database = await openPostgres(proxy.through(new URL(url)).href);
    const environment = parseEnvironment({ DATABASE_URL: url });
    const [channel, other] = [new ReplicaChannel(environment, database), new ReplicaChannel(environment, database)];
    const reloaded: string[] = [];
    jest.useFakeTimers({ doNotFake: [...REAL] });
    for (const [name, replica] of Object.entries({ other, channel })) {
      replica.on('policies', async (detail) => void reloaded.push(`${name} ${detail}`));
      await replica.open();
    }
    proxy.rewrite = (answer) => {
      if (!answer.includes('COMMIT')) return answer;
      proxy.reset();
      return Buffer.alloc(0);
    };
    const change = database
      .transaction()
      .execute((transaction) =>
        transaction.insertInto('facts').values({ name: 'kept', value: '', updated_at: '' }).execute(),
      );
    await expect(change).rejects.toThrow(DatabaseUnavailable);
    proxy.rewrite = (answer) => answer;
    expect(await database.selectFrom('facts').select('name').execute()).toEqual([{ name: 'kept' }]);
    await until(() => reloaded.length === 4);
    expect(reloaded.sort()).toEqual(['channel null', 'channel null', 'other null', 'other null']);
    for (const replica of [channel, other]) await replica.onApplicationShutdown();
    await database.destroy();
    await proxy.close();
  });

  it('listens again when its connection no longer answers', async () => {
    const { url } = server;
    const database = await openPostgres(url);
    const channel = new ReplicaChannel(parseEnvironment({ DATABASE_URL: url }), database);
    let reloads = 0;
    channel.on('policies', async () => void (reloads += 1));
    jest.useFakeTimers({ doNotFake: [...REAL] });
    await channel.open();
    const connection: { query: (text: string) => Promise<unknown> } = Client.prototype;
    const query = jest.spyOn(connection, 'query').mockRejectedValueOnce(new Error('timeout'));
    await jest.advanceTimersByTimeAsync(30_000);
    await until(() => reloads === 3);
    query.mockRestore();
    await channel.onApplicationShutdown();
    await database.destroy();
  });
});
