import { createServer, type RequestListener, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { until } from '../../../test/support/until.js';
import { type WaitingLimits, WaitingRoom } from './waiting-room.js';
import { listenOnLoopback } from '../../../test/support/loopback.js';

describe('WaitingRoom', () => {
  let server: Server;
  let origin: string;
  let arrived: number;

  const openRoom = async (limits?: WaitingLimits): Promise<WaitingRoom> => {
    server = createServer();
    const room = new WaitingRoom(server, limits);
    arrived = 0;
    server.on('request', () => (arrived += 1));
    origin = await listenOnLoopback(server);
    return room;
  };
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  /** Sends requests one after the other, each when the previous one has arrived. */
  const send = async (paths: string[], init: RequestInit = {}): Promise<{ answers: Promise<Response>[] }> => {
    const answers: Promise<Response>[] = [];
    for (const path of paths) {
      const before = arrived;
      const answer = fetch(new URL(path, origin), init);
      answer.catch(() => undefined);
      answers.push(answer);
      await until(() => arrived > before);
    }
    return { answers };
  };
  const paths = (count: number) => Array.from({ length: count }, (_, index) => `/${index}`);
  const application: RequestListener = (req, res) => void text(req).then((body) => res.end(`${req.url} ${body}`));

  it('has the application serve those who waited in the order in which they came, and others at once', async () => {
    const room = await openRoom();
    const { answers } = await send(paths(20), { method: 'POST', body: 'x'.repeat(100_000) });
    const served: (string | undefined)[] = [];
    room.open((req, res) => {
      served.push(req.url);
      application(req, res);
    });
    expect(served).toEqual(paths(20));
    const bodies = await Promise.all(answers.map(async (answer) => (await answer).text()));
    expect(bodies).toEqual(paths(20).map((path) => `${path} ${'x'.repeat(100_000)}`));
    expect(await (await fetch(new URL('/later', origin))).text()).toBe('/later ');
  });

  it.each(['GET', 'HEAD'])('answers probes by %s at once: it lives, and is not ready', async (method) => {
    await openRoom({ maxWaiting: 0, waitMs: 1 });
    const ask = (path: string) => fetch(new URL(path, origin), { method });
    const [live, ready] = [await ask('/health/live'), await ask('/health/ready?verbose')];
    expect([live.status, ready.status]).toEqual([200, 503]);
    expect(live.headers.get('cache-control')).toBe('no-store');
    if (method === 'HEAD') return;
    expect(await live.json()).toEqual({ status: 'ok' });
    expect(await ready.json()).toMatchObject({ error: { mcp: { status: 'down', message: 'starting' } } });
  });

  it.each(['/mcp', '/mcp/', '/mcp?x'])(
    'refuses a caller of %s for whom there is no room, in JSON-RPC',
    async (path) => {
      const room = await openRoom({ maxWaiting: 2, waitMs: 60_000 });
      const { answers } = await send(paths(2));
      const refused = await fetch(new URL(path, origin), { method: 'POST', body: '{}' });
      expect(refused.status).toBe(503);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(await refused.json()).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32000 } });
      room.open(application);
      expect(await Promise.all(answers.map(async (answer) => (await answer).status))).toEqual([200, 200]);
    },
  );

  it('refuses others in a problem document', async () => {
    await openRoom({ maxWaiting: 0, waitMs: 60_000 });
    const refused = await fetch(new URL('/admin/api/config', origin));
    expect(refused.headers.get('content-type')).toBe('application/problem+json');
    expect(await refused.json()).toMatchObject({ status: 503, code: 'service.starting' });
  });

  it('refuses those who have waited too long, and serves them no more', async () => {
    const room = await openRoom({ maxWaiting: 10, waitMs: 20 });
    const { answers } = await send(paths(3));
    expect(await Promise.all(answers.map(async (answer) => (await answer).status))).toEqual([503, 503, 503]);
    room.open(() => {
      throw new Error('nobody waits any more');
    });
  });

  it('does not keep the places of those who have hung up, and does not serve them', async () => {
    const room = await openRoom({ maxWaiting: 2, waitMs: 60_000 });
    const gone = new AbortController();
    const closed = new Promise<void>((resolve) => server.once('request', (_req, res) => res.once('close', resolve)));
    await send(['/gone'], { signal: gone.signal });
    gone.abort();
    await closed;
    const { answers } = await send(paths(2));
    const served: (string | undefined)[] = [];
    room.open((req, res) => {
      served.push(req.url);
      res.end();
    });
    expect(served).toEqual(['/0', '/1']);
    await Promise.all(answers);
  });

  it('refuses those who wait, and those who still come, when the application cannot start', async () => {
    const room = await openRoom();
    const { answers } = await send(paths(3));
    room.close();
    expect(await Promise.all(answers.map(async (answer) => (await answer).status))).toEqual([503, 503, 503]);
    expect((await fetch(new URL('/later', origin))).status).toBe(503);
  });

  it('holds a thousand, and no more', async () => {
    const room = await openRoom();
    const sent = Array.from({ length: 1_010 }, () => fetch(new URL('/', origin)).then((res) => res.status));
    await until(() => arrived === 1_010);
    room.open((_req, res) => void res.end());
    const statuses = await Promise.all(sent);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1_000);
    expect(statuses.filter((status) => status === 503)).toHaveLength(10);
  });
});
