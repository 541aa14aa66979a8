import { DEFAULT_TIMING } from './endpoint-options.js';
import { spread } from './event-stream.js';
import { callOf, openSession, startEndpoint, type TestEndpoint } from './testing.js';

type Headers = Record<string, string>;

const { streamRetryMs, retryMs, resumeWithinMs } = DEFAULT_TIMING;
const OLDER_VERSIONS = ['2024-11-05', '2025-03-26', '2025-06-18'];

describe('an endpoint whose clients reopen streams', () => {
  let server: TestEndpoint;

  beforeEach(async () => void (server = await startEndpoint()));
  afterEach(() => server.stop());

  const openStream = (headers: Headers) => fetch(server.url, { headers: { accept: 'text/event-stream', ...headers } });

  it('has each notification stream reopened after a long time of its own', async () => {
    const streams = await Promise.all(Array.from({ length: 10 }, async () => openStream(await openSession(server))));
    await server.endpoint.close();
    const times = (await Promise.all(streams.map((stream) => stream.text()))).flatMap(retriesIn);
    expect(times).toHaveLength(10);
    for (const time of times) {
      expect(time).toBeGreaterThanOrEqual(streamRetryMs);
      expect(time).toBeLessThanOrEqual(1.5 * streamRetryMs);
    }
    expect(new Set(times).size).toBeGreaterThan(3);
  });

  it('spreads the times over half of the shortest one', () => {
    expect([0, 0.5, 1].map((chance) => spread(1_000, chance))).toEqual([1_000, 1_250, 1_500]);
  });

  // Clients have one retry time for all streams: with a short one they would give up on the notification stream too early.
  it('sends no retry time on the stream of a response', async () => {
    const stream = await server.post(callOf('progress'), await openSession(server));
    server.release();
    const text = await stream.text();
    expect(text).toContain('notifications/progress');
    expect(retriesIn(text)).toEqual([]);
  });

  it('has the response fetched soon when a call releases its connection, and then withdraws the short time', async () => {
    const session = await openSession(server);
    const released = await (await server.post(callOf('detach'), session)).text();
    expect(released).toMatch(/retry: \d+\n\n$/);
    expect(retriesIn(released)).toEqual([retryMs]);
    const id = /^id: (.*)$/m.exec(released)?.[1] ?? '';
    server.release();
    const resumed = await (await openStream({ ...session, 'last-event-id': id })).text();
    expect(resumed).toContain('detach done');
    expect(retriesIn(resumed)).toEqual([expect.any(Number)]);
    expect(retriesIn(resumed)[0]).toBeGreaterThanOrEqual(streamRetryMs);
  });

  it('waits for the answer of a cut call to be fetched for as long as clients try', () => {
    expect(resumeWithinMs).toBeGreaterThan(2 * spread(streamRetryMs, 1));
  });

  it.each(OLDER_VERSIONS)('sends nothing to clients of %s that they could mistake for a message', async (version) => {
    const stream = await openStream(await openSession(server, version));
    const read = readUntilItBreaks(stream);
    await server.endpoint.close();
    expect((await read).text).toMatch(/^(?:: keep-alive\n\n)+$/); // one every 50 ms
  });

  // Their SDK treats an ended stream as complete, and reopens it only after a broken connection.
  it.each([...OLDER_VERSIONS.map((version) => [version, true] as const), ['2025-11-25', false] as const])(
    'ends the stream of a client of %s so that it reconnects: by breaking it: %s',
    async (version, breaks) => {
      const stream = await openStream(await openSession(server, version));
      await server.endpoint.publish({ kind: 'tools_list_changed' });
      const { text, broke } = await readUntilItBreaks(stream, () => server.endpoint.close());
      expect(text).toContain('notifications/tools/list_changed');
      expect(broke).toBe(breaks);
    },
  );

  it.each(OLDER_VERSIONS)('ends the stream of a client of %s for good when its session ends', async (version) => {
    const session = await openSession(server, version);
    const stream = await openStream(session);
    expect((await fetch(server.url, { method: 'DELETE', headers: session })).status).toBe(200);
    expect((await readUntilItBreaks(stream)).broke).toBe(false);
  });
});

const retriesIn = (text: string): number[] => [...text.matchAll(/^retry: (\d+)$/gm)].map(([, ms]) => Number(ms));

/** Reads a stream, and calls `onChange` when the first notification has arrived. */
async function readUntilItBreaks(res: Response, onChange?: () => unknown): Promise<{ text: string; broke: boolean }> {
  let text = '';
  const decoder = new TextDecoder();
  try {
    for await (const chunk of res.body ?? []) {
      text += decoder.decode(chunk as Uint8Array, { stream: true });
      if (text.includes('list_changed')) await onChange?.();
    }
    return { text, broke: false };
  } catch {
    return { text, broke: true };
  }
}
