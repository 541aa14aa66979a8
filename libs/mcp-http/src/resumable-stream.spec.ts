import { request } from 'node:http';
import { memoryStorage } from './memory-storage.js';
import { bodyReader } from './received.testing.js';
import { ResumableStream } from './resumable-stream.js';
import type { StreamJournal } from './storage.js';
import { callOf, openSession, rpc, startEndpoint, type TestEndpoint, until } from './testing.js';

const MB = 1024 * 1024;

describe('the record of a stream', () => {
  const failures: unknown[] = [];
  beforeEach(() => void failures.splice(0));

  function newStream(journal: StreamJournal): ResumableStream {
    const recording = {
      journal,
      withinMs: 5_000,
      readWithinMs: 5_000,
      onError: (error: unknown) => failures.push(error),
    };
    return new ResumableStream(recording, { sessionId: 's', requestIds: [1], process: 'p' });
  }

  it('keeps all messages of a stream that is small', async () => {
    const stream = newStream(memoryStorage().journal);
    await stream.open();
    for (const text of ['one', 'two', 'three']) await stream.record(text);
    expect((await stream.after(0))?.map(({ message }) => message)).toEqual(['one', 'two', 'three']);
  });

  it('drops the oldest messages of a long stream, and never the last', async () => {
    const stream = newStream(memoryStorage().journal);
    await stream.open();
    const progress = 'p'.repeat(MB / 16);
    for (let count = 0; count < 100; count += 1) {
      await stream.record(progress);
      const kept = (await stream.after(0)) ?? [];
      expect(kept.length).toBeGreaterThanOrEqual(Math.min(count + 1, 8));
      expect(kept.length).toBeLessThanOrEqual(17);
    }
    const { id } = await stream.record('a'.repeat(8 * MB));
    expect((await stream.after(0))?.at(-1)).toEqual({ id, message: 'a'.repeat(8 * MB) });
    expect(failures).toEqual([]);
  });

  it('says at its end how many bytes it leaves', async () => {
    const { journal } = memoryStorage();
    const ends: unknown[] = [];
    const stream = newStream({ ...journal, finish: async (id, bytes) => void ends.push([id, bytes]) });
    await stream.open();
    for (const text of ['one', 'ö']) await stream.record(text);
    await stream.finish();
    expect(ends).toEqual([[stream.id, 5]]);
  });
});

describe('an answer in a stream', () => {
  let server: TestEndpoint;
  let session: Record<string, string>;
  const finished: string[] = [];
  const delivered: string[] = [];

  beforeEach(async () => {
    for (const streams of [finished, delivered]) streams.splice(0);
    const storage = memoryStorage();
    const finish = async (id: string) => void finished.push(id);
    const deliver = async (id: string) => void delivered.push(id);
    server = await startEndpoint({
      storage: { ...storage, journal: { ...storage.journal, finish, deliver } },
      limits: { maxResultBytes: 100 * MB, maxUnreadBytes: 100 * MB },
    });
    session = await openSession(server, '2025-11-25', { headers: { accept: 'text/event-stream' } });
  });
  afterEach(() => server.stop());

  const call = (name: string, args: object, signal?: AbortSignal) => server.post(callOf(name, args), session, signal);
  const streamOf = (text: string) => /^id: ([^.]+)\./m.exec(text)?.[1] ?? 'none';

  it('counts as delivered when its connection took all of it', async () => {
    const text = await (await call('echo', { a: 1 })).text();
    await until(() => delivered.length > 0);
    expect(delivered).toEqual([streamOf(text)]);
  });

  it('does not count as delivered when its connection was cut while a part of it was not sent', async () => {
    // More than the kernel buffers for a client that reads nothing.
    const asking = request(server.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream', ...session },
    });
    asking.on('response', (res) => res.pause());
    asking.on('error', () => {});
    asking.end(JSON.stringify(rpc('tools/call', { name: 'large', arguments: { length: 40 * MB } })));
    await until(() => finished.length > 0);
    const before = server.closed();
    asking.destroy();
    await until(() => server.closed() > before);
    const again = await fetch(server.url, { headers: { ...session, 'last-event-id': `${finished[0]}.0` } });
    expect((await again.text()).length).toBeGreaterThan(40 * MB);
    expect(delivered).toEqual([]);
  });

  it('does not count as delivered when its connection broke before, and is kept for a client that resumes', async () => {
    const hangUp = new AbortController();
    const body = bodyReader(await call('progress', {}, hangUp.signal));
    const place = /^id: (.+\.1)$/m.exec(await body.until('notifications/progress'))?.[1] ?? '';
    hangUp.abort();
    await until(() => server.closed() > 1);
    server.release();
    const again = await fetch(server.url, { headers: { ...session, 'last-event-id': place } });
    expect(await again.text()).toContain('progress done');
    expect([place === '', delivered]).toEqual([false, []]);
  });
});
