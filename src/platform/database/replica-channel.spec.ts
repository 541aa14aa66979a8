import { jest } from '@jest/globals';
import { parseEnvironment } from '../environment/environment.js';
import { openPostgres } from './open-database.js';
import { ReplicaChannel } from './replica-channel.service.js';
import { newPostgresDatabase } from './testing.js';

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
const serverUrl = process.env['TEST_POSTGRES_URL'];

(serverUrl === undefined ? describe.skip : describe)('a replica whose pooler loses messages', () => {
  afterEach(() => void jest.useRealTimers());

  it('reloads everything every 30 seconds, until it stops', async () => {
    const { url, drop } = await newPostgresDatabase(serverUrl ?? '');
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
