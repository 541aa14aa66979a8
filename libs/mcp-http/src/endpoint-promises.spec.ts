import { memoryStorage } from './memory-storage.js';
import { callOf, openSession, ROOMY_LIMITS, rpc, startEndpoint, type TestEndpoint, until } from './testing.js';

type Message = Record<string, unknown>;

/** The guarantees of the endpoint for sessions, streams and calls, independent of its implementation. */
describe('an endpoint', () => {
  let server: TestEndpoint;
  beforeEach(async () => void (server = await startEndpoint()));
  afterEach(() => server.stop());

  const open = (version?: string) => openSession(server, version, { capabilities: { elicitation: {} } });

  async function restart(): Promise<void> {
    await server.stop();
    server = await startEndpoint({ storage: server.storage });
  }

  it.each([
    ['goes on with a session that was unused for less than it may be', -5_000, 200],
    ['does not wake a session that was unused for too long', ROOMY_LIMITS.sessionIdleMs, 404],
  ])('%s', async (_title, beyondMs, status) => {
    const session = await open();
    await server.stop();
    const lastSeenAt = new Date(Date.now() - ROOMY_LIMITS.sessionIdleMs - beyondMs);
    await server.storage.sessions.touch(session['mcp-session-id'], lastSeenAt);
    server = await startEndpoint({ storage: server.storage });
    expect((await server.post(callOf('echo'), session)).status).toBe(status);
  });

  it('notifies a new stream of changes while it is being opened', async () => {
    const storage = memoryStorage();
    let looks = 0;
    await server.stop();
    server = await startEndpoint({
      storage: {
        ...storage,
        changes: {
          ...storage.changes,
          after: async (seq) => {
            const found = await storage.changes.after(seq);
            // The read for the stream is complete; its result is on its way while another process records a change.
            if (++looks === 1) await server.endpoint.publish({ kind: 'tools_list_changed' });
            return found;
          },
        },
      },
    });
    const stream = reading(await fetch(server.url, { headers: await open() }));
    expect(await stream.next()).toMatchObject({ method: 'notifications/tools/list_changed' });
    await server.endpoint.publish({ kind: 'prompts_list_changed' });
    expect(await stream.next()).toMatchObject({ method: 'notifications/prompts/list_changed' });
  });

  it('notifies of a resource under each URI that a session subscribed to, and numbers only the last', async () => {
    const session = await open();
    for (const uri of ['a:1', 'A:1', 'SECRET:1']) await server.post(rpc('resources/subscribe', { uri }), session);
    const stream = reading(await fetch(server.url, { headers: session }));
    // Permission is checked for the canonical resource, however the URI was written.
    await server.endpoint.publish({ kind: 'resource_updated', uri: 'secret:1' });
    await server.endpoint.publish({ kind: 'resource_updated', uri: 'a:1' });
    expect([await stream.next(), await stream.next()]).toMatchObject([
      { params: { uri: 'a:1' } },
      { params: { uri: 'A:1' } },
    ]);
    const [primer = ''] = stream.ids();
    expect(stream.text()).toMatch(/\n\nevent: message\ndata: .*"a:1".*\n\nevent: message\nid: get\.\d+\ndata: .*"A:1"/);
    const again = reading(await fetch(server.url, { headers: { ...session, 'last-event-id': primer } }));
    expect([await again.next(), await again.next()]).toMatchObject([
      { params: { uri: 'a:1' } },
      { params: { uri: 'A:1' } },
    ]);
  });

  it('notifies an older client of a resource under each URI that it subscribed to, with its next response', async () => {
    const session = await open('2025-06-18');
    for (const uri of ['A:1', 'a:1', 'SECRET:1']) await server.post(rpc('resources/subscribe', { uri }), session);
    await server.endpoint.publish({ kind: 'resource_updated', uri: 'secret:1' });
    await server.endpoint.publish({ kind: 'resource_updated', uri: 'a:1' });
    const answer = reading(await server.post(callOf('echo'), session));
    expect([await answer.next(), await answer.next(), await answer.next()]).toMatchObject([
      { params: { uri: 'A:1' } },
      { params: { uri: 'a:1' } },
      { id: 1, result: { content: [{ text: '{}' }] } },
    ]);
  });

  it('notifies a listen stream of a resource under each URI that it names, if permitted', async () => {
    const notifications = { resourceSubscriptions: ['a:1', 'A:1', 'SECRET:1'] };
    const stream = reading(await server.postStateless(rpc('subscriptions/listen', { notifications })));
    expect(await stream.next()).toMatchObject({ params: { notifications } });
    await server.endpoint.publish({ kind: 'resource_updated', uri: 'secret:1' });
    await server.endpoint.publish({ kind: 'resource_updated', uri: 'A:1' });
    expect([await stream.next(), await stream.next()]).toMatchObject([
      { params: { uri: 'a:1' } },
      { params: { uri: 'A:1' } },
    ]);
  });

  it('yields to other work while it sends many notifications', async () => {
    let turns = 0;
    const turn = () => {
      turns += 1;
      if (turns < 100) setImmediate(turn);
    };
    setImmediate(turn);
    await server.endpoint.publish(
      ...Array.from({ length: 200 }, (_, index) => ({ kind: 'resource_updated' as const, uri: `a:${index}` })),
    );
    expect(turns).toBeGreaterThanOrEqual(9);
  });

  it('does not match an answer to a question from before a restart with a later question', async () => {
    const session = await open();
    const before = await reading(await server.post(callOf('ask'), session)).next();
    await restart();
    const response = reading(await server.post(callOf('ask'), session));
    const question = await response.next();
    expect(question).toMatchObject({ method: 'elicitation/create' });
    expect(question['id']).not.toBe(before['id']);
    const answer = (id: unknown, action: string) => server.post({ jsonrpc: '2.0', id, result: { action } }, session);
    expect((await answer(before['id'], 'cancel')).status).toBe(202);
    expect((await answer(question['id'], 'decline')).status).toBe(202);
    expect(await response.next()).toMatchObject({ id: 1, result: { content: [{ text: 'decline' }] } });
  });

  it('continues a call that its client has resumed, however long it takes', async () => {
    const resumeWithinMs = 2_500;
    await server.stop();
    server = await startEndpoint({ timing: { resumeWithinMs } });
    const session = await open();
    const connection = new AbortController();
    const begun = reading(await server.post(callOf('progress'), session, connection.signal));
    expect(await begun.next()).toMatchObject({ method: 'notifications/progress' });
    const [lastEventId = ''] = begun.ids();
    connection.abort();
    await pause(resumeWithinMs / 10);
    const resumed = reading(await fetch(server.url, { headers: { ...session, 'last-event-id': lastEventId } }));
    await pause(resumeWithinMs);
    server.release();
    await resumed.next();
    expect(await resumed.next()).toMatchObject({ id: 1, result: { content: [{ text: 'progress done' }] } });
    expect(server.aborted).toEqual([]);
  });

  it('ends streams when it closes, lets calls finish, serves those that still come, and refuses the next', async () => {
    await server.stop();
    server = await startEndpoint({ timing: { drainMs: 20_000 } });
    const session = await open();
    const running = server.post(callOf('wait'), session);
    const notifications = { toolsListChanged: true };
    const stream = await server.postStateless(rpc('subscriptions/listen', { notifications }));
    await until(() => server.endpoint.counts().calls === 1);
    let isClosed = false;
    const closing = server.endpoint.close().then(() => (isClosed = true));
    expect(await stream.text()).toContain('"resultType":"complete"');
    expect((await server.post(callOf('echo'), session)).status).toBe(200);
    expect((await fetch(server.url, { headers: session })).status).toBe(503);
    expect([isClosed, server.endpoint.counts().calls, server.aborted]).toEqual([false, 1, []]);
    server.release();
    expect(await (await running).text()).toContain('wait done');
    await closing;
    const refused = await server.post(callOf('echo'), session);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
  });

  it('serves what a proxy sends over the connection of a stream that ended because it closes', async () => {
    await server.stop();
    server = await startEndpoint({ timing: { lingerMs: 2_000, drainMs: 20_000 } });
    const session = await open();
    const stream = await fetch(server.url, { headers: session });
    const closing = server.endpoint.close();
    await stream.text();
    expect((await server.post(callOf('echo'), session)).status).toBe(200);
    await closing;
  });

  it('records what streams delivered before it is closed', async () => {
    const storage = memoryStorage();
    const recorded = Promise.withResolvers<void>();
    const closeStream = () => recorded.promise;
    await server.stop();
    server = await startEndpoint({
      storage: { ...storage, sessions: { ...storage.sessions, closeStream } },
      timing: { drainMs: 60_000 },
    });
    await fetch(server.url, { headers: await open() });
    let isClosed = false;
    const closing = server.endpoint.close().then(() => (isClosed = true));
    for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate);
    expect(isClosed).toBe(false);
    recorded.resolve();
    await closing;
  });

  it('ends calls that do not finish in time when it closes, with an answer', async () => {
    await server.stop();
    server = await startEndpoint({ timing: { drainMs: 50 } });
    const running = server.post(callOf('wait'), await open());
    await until(() => server.endpoint.counts().calls === 1);
    await server.endpoint.close();
    expect(server.aborted).toEqual(['wait']);
    expect(await (await running).text()).toContain('"error"');
  });
});

/** Reads the messages of a stream one by one. `ids` returns the ids of the events so far, `text` all received data. */
function reading(res: Response): { next: () => Promise<Message>; ids: () => string[]; text: () => string } {
  const reader = res.body?.pipeThrough(new TextDecoderStream()).getReader();
  let [text, all] = ['', ''];
  return {
    text: () => all,
    ids: () => [...all.matchAll(/^id: (.*)$/gm)].map(([, id = '']) => id),
    next: async () => {
      for (;;) {
        const [event, data] = /^data: (\{.*\})\n\n/m.exec(text) ?? [];
        if (event !== undefined && data !== undefined) {
          text = text.slice(text.indexOf(event) + event.length);
          return JSON.parse(data) as Message;
        }
        const { value, done } = (await reader?.read()) ?? { done: true };
        if (done) throw new Error(`the stream has ended: ${text}`);
        text += value;
        all += value;
      }
    },
  };
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
