import { jest } from '@jest/globals';
import { openPostgres } from '../../src/platform/database/open-database.js';
import { ReplicaChannel } from '../../src/platform/database/replica-channel.service.js';
import { newPostgresDatabase } from '../../src/platform/database/testing.js';
import { parseEnvironment } from '../../src/platform/environment/environment.js';
import { describeOnPostgres } from '../support/postgres.js';

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

describeOnPostgres('a replica whose pooler loses messages', (serverUrl) => {
  afterEach(() => void jest.useRealTimers());

  it('reloads everything every 30 seconds, until it stops', async () => {
    const { url, drop } = await newPostgresDatabase(serverUrl);
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
    await drop();
  });
});
