import { connect } from 'node:net';
import { Random } from '../../../test/fuzz/random.js';
import { memoryStorage } from './memory-storage.js';
import { around, openSession, rpc, startEndpoint, type TestEndpoint, until } from './testing.js';

const TASKS = 'io.modelcontextprotocol/tasks';
const NOTHING = { arriving: 0, streams: 0, calls: 0 };

describe('a client that hangs up', () => {
  let server: TestEndpoint;
  afterEach(() => server.stop());

  const headersOf = (session: Record<string, string>) => ({
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...session,
  });
  const listen = (taskIds: string[]) => {
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': { extensions: { [TASKS]: {} } },
    };
    return {
      method: 'POST',
      body: JSON.stringify(rpc('subscriptions/listen', { notifications: { taskIds }, _meta })),
      headers: { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' },
    };
  };
  const call = (name = 'wait') => ({
    method: 'POST',
    body: JSON.stringify(rpc('tools/call', { name, arguments: {} })),
  });
  const counts = () => {
    const { arriving, streams, calls } = server.endpoint.counts();
    return { arriving, streams, calls };
  };
  const send = (session: Record<string, string>, request: RequestInit, signal?: AbortSignal) =>
    fetch(server.url, {
      ...request,
      headers: { ...headersOf(session), ...(request.headers as Record<string, string> | undefined) },
      ...(signal && { signal }),
    });

  /** Proves that the client has released its slots: a new request is accepted, although only one is allowed. */
  async function expectNothingLeft(session: Record<string, string>): Promise<void> {
    await until(() => JSON.stringify(counts()) === JSON.stringify(NOTHING));
    const stream = await send(session, { method: 'GET' });
    expect(stream.status).toBe(200);
    await stream.body?.cancel();
    await until(() => counts().streams === 0);
    const answer = await send(session, call('echo'));
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('"result"')]);
  }

  /** Makes a method of the storage wait until it is released. */
  function held(part: 'sessions' | 'changes', name: string) {
    const storage = memoryStorage();
    const release = Promise.withResolvers<void>();
    const state = { isHeld: false, isReached: false };
    const gated = {
      ...storage,
      [part]: around(storage[part], async (method, work) => {
        if (method === name && state.isHeld) {
          state.isReached = true;
          await release.promise;
        }
        return work();
      }),
    };
    return { storage: gated, state, release: release.resolve };
  }

  it.each([
    ['a stream', 'sessions', 'find', { method: 'GET' }],
    ['a stream', 'changes', 'latest', { method: 'GET' }],
    ['a stream', 'changes', 'after', { method: 'GET' }],
    ['a call', 'sessions', 'find', call()],
  ] as const)('while %s waits for %s.%s leaves nothing behind', async (_what, part, name, request) => {
    const { storage, state, release } = held(part, name);
    server = await startEndpoint({ storage });
    const session = await openSession(server);
    await server.stop();
    server = await startEndpoint({ storage, limits: { maxStreamsPerKey: 1, maxCallsPerKey: 1 } });
    state.isHeld = true;
    const hangUp = new AbortController();
    const opening = send(session, request, hangUp.signal).then(
      (res) => res.text(),
      () => 'gone',
    );
    await until(() => state.isReached);
    const before = server.closed();
    hangUp.abort();
    await opening.catch(() => 'gone');
    await until(() => server.closed() > before);
    state.isHeld = false;
    release();
    await expectNothingLeft(session);
  });

  it('while its tasks are looked up leaves no stream behind', async () => {
    server = await startEndpoint({ limits: { maxStreamsPerKey: 1, maxCallsPerKey: 1 } });
    const session = await openSession(server);
    const task = Promise.withResolvers<object>();
    let isReached = false;
    server.tasks.get = () => {
      isReached = true;
      return task.promise;
    };
    const hangUp = new AbortController();
    const opening = send({}, listen(['one']), hangUp.signal).catch(() => 'gone');
    await until(() => isReached);
    const before = server.closed();
    hangUp.abort();
    await opening;
    await until(() => server.closed() > before);
    expect(counts().arriving).toBe(1);
    task.resolve({ taskId: 'one' });
    await expectNothingLeft(session);
  });

  it('with queued requests leaves none of them behind', async () => {
    server = await startEndpoint();
    const session = await openSession(server);
    const { method, body } = call();
    const head = Object.entries(headersOf(session)).map(([name, value]) => `${name}: ${value}`);
    const url = new URL(server.url);
    const socket = connect(Number(url.port), url.hostname);
    const lines = [`${method} /mcp HTTP/1.1`, 'Host: localhost', ...head, `Content-Length: ${body.length}`];
    socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`.repeat(5));
    await until(() => counts().arriving === 4 && counts().calls === 1);
    socket.destroy();
    await until(() => JSON.stringify(counts()) === JSON.stringify(NOTHING));
  });

  it('at whatever moment leaves nothing behind, not in memory either', async () => {
    const random = new Random(1);
    const plain = memoryStorage();
    const slowly = <T extends object>(part: T) =>
      around(part, async (_method, work) => {
        await new Promise((resolve) => setTimeout(resolve, random.next() * 8));
        return work();
      });
    const storage = {
      ...plain,
      sessions: slowly(plain.sessions),
      changes: slowly(plain.changes),
      journal: slowly(plain.journal),
    };
    const clients = 20;
    const limits = { maxStreamsPerKey: clients, maxCallsPerKey: clients };
    server = await startEndpoint({ storage, limits, timing: { warmMs: 40, resumeWithinMs: 20 } });
    server.tasks.set('alice:one', { taskId: 'one' });
    const sessions = await Promise.all(Array.from({ length: clients }, () => openSession(server)));
    const requests: (() => RequestInit)[] = [
      () => ({ method: 'GET' }),
      () => call('wait'),
      () => listen(['one']),
      () => call('progress'),
    ];
    for (let round = 0; round < 5; round += 1) {
      await Promise.all(
        sessions.map(async (session, index) => {
          const request = requests[(index + round) % requests.length]?.() ?? {};
          const signal = AbortSignal.timeout(Math.ceil(random.next() * 25));
          await send(session, request, signal)
            .then(
              (res) => res.text(),
              () => 'gone',
            )
            .catch(() => 'gone');
        }),
      );
    }
    await until(() => JSON.stringify(counts()) === JSON.stringify(NOTHING));
    await until(() => server.endpoint.counts().warmSessions === 0);
    const streams = await Promise.all(sessions.map((session) => send(session, { method: 'GET' })));
    expect(streams.map(({ status }) => status)).toEqual(sessions.map(() => 200));
    expect(server.failures).toEqual([]);
  });
});
