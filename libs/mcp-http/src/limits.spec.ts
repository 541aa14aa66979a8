import { connect, type Socket } from 'node:net';
import type { EndpointLimits, EndpointTiming } from './endpoint-options.js';
import { callOf, META, openSession as open, rpc, startEndpoint, type TestEndpoint, until } from './testing.js';

type Headers = Record<string, string>;
type Message = Record<string, unknown>;

describe('the limits of McpEndpoint', () => {
  let server: TestEndpoint;

  const start = async (limits: Partial<EndpointLimits> = {}, timing: Partial<EndpointTiming> = {}) =>
    (server = await startEndpoint({ limits, timing }));
  afterEach(() => server.stop());

  const post: TestEndpoint['post'] = (...sent) => server.post(...sent);
  const stateless: TestEndpoint['postStateless'] = (...sent) => server.postStateless(...sent);
  const openSession = (version?: string) => open(server, version);
  const listen = (notifications: Message, id = 'sub', headers: Headers = {}) =>
    stateless(rpc('subscriptions/listen', { notifications }, id), headers);
  const errorOf = async (res: Response) => {
    const { error } = JSON.parse(await res.text()) as { error?: { code: number; message: string } };
    return [res.status, error?.code, error?.message] as const;
  };
  const naming = (setting: string) => expect.stringContaining(setting) as unknown;

  it('refuses a batch of more messages than allowed', async () => {
    await start({ maxBatchEntries: 3 });
    const session = await openSession('2025-03-26');
    const batch = (length: number) => Array.from({ length }, (_, index) => rpc('tools/list', {}, index));
    expect(await (await post(batch(3), session)).json()).toHaveLength(3);
    expect(await errorOf(await post(batch(4), session))).toEqual([
      400,
      -32600,
      naming('the batch has 4 messages, the limit is 3'),
    ]);
  });

  it('refuses JSON that is nested too deep', async () => {
    await start({ maxJsonDepth: 10 });
    const nested = (depth: number) =>
      callOf('echo', JSON.parse('{"a":'.repeat(depth) + '1' + '}'.repeat(depth)) as Message);
    expect((await stateless(nested(7))).status).toBe(200);
    expect(await errorOf(await stateless(nested(9)))).toEqual([400, -32600, naming('nested deeper than 10 levels')]);
    expect((await errorOf(await post('['.repeat(9_000))))[0]).toBe(400);
  });

  const withArguments = (count: number) =>
    callOf('echo', Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, index])));

  it('refuses JSON of too many values', async () => {
    await start({ maxJsonValues: 100 });
    expect((await stateless(withArguments(80))).status).toBe(200);
    expect(await errorOf(await stateless(withArguments(100)))).toEqual([400, -32600, naming('more than 100 values')]);
  });

  it('refuses more arguments than any tool has', async () => {
    await start({ maxArguments: 20 });
    expect((await stateless(withArguments(20))).status).toBe(200);
    expect(await errorOf(await stateless(withArguments(21)))).toEqual([400, -32602, naming('at most 20 members each')]);
  });

  it('takes no more bodies at once than there is room for', async () => {
    await start({ maxIncomingBytes: 15_000 });
    const url = new URL(server.url);
    const held = connect(Number(url.port), url.hostname);
    const head =
      'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9000\r\n\r\n';
    held.write(`${head}${' '.repeat(8_000)}`);
    await until(async () => (await post(callOf('echo', { a: 'x'.repeat(8_000) }))).status === 503);
    const refused = await post(callOf('echo', { a: 'x'.repeat(8_000) }));
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(await errorOf(refused)).toEqual([503, -32000, naming('may hold 15000 bytes together')]);
    expect((await stateless(callOf('echo'))).status).toBe(200);
    held.destroy();
    await until(async () => (await post(callOf('echo', { a: 'x'.repeat(8_000) }))).status !== 503);
  });

  it.each(['a\u0000b', 'a\ud800b', '\udfff'])('rejects an argument with %j in it, and says where', async (text) => {
    await start();
    const id = 'i\u0000\ud800';
    for (const response of [
      await post(callOf('echo', { a: [text] }, id), await openSession()),
      await stateless(callOf('echo', { a: [text] }, id)),
    ]) {
      const message = expect.stringMatching(/^params\.arguments\.a\[0\] holds NUL or half of a character/) as string;
      expect([response.status, await response.json()]).toMatchObject([400, { id, error: { code: -32602, message } }]);
    }
  });

  it('hands on escapes of whole characters, and of backslashes', async () => {
    await start();
    const args = { a: '\ud83d\ude00\u00e9', plain: '\\u0000 \\ud800' };
    const body = JSON.stringify(callOf('echo', args)).replace('\ud83d\ude00', '\\ud83d\\ude00');
    const res = await post(body, await openSession());
    expect(await res.json()).toMatchObject({ result: { content: [{ text: JSON.stringify(args) }] } });
  });

  it('refuses one session and one stream too many in all', async () => {
    await start({ maxSessions: 1, maxStreams: 1 });
    const bob = { 'x-client': 'bob' };
    await openSession();
    const handshake = rpc('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'a' } });
    expect(await errorOf(await post(handshake, bob))).toEqual([503, -32000, naming('mcp.max_sessions)')]);
    await listen({});
    expect(await errorOf(await listen({}, 'y', bob))).toEqual([503, -32000, naming('mcp.max_streams, and at most')]);
  });

  describe('of streams', () => {
    it('refuses one too many of a key, in both eras, until one is closed', async () => {
      await start({ maxStreamsPerKey: 2 });
      const [first, second] = [await openSession(), await openSession()];
      const stream = await fetch(server.url, { headers: first });
      await listen({ toolsListChanged: true });
      const refused = await fetch(server.url, { headers: second });
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '30']);
      expect(await errorOf(await listen({}))).toEqual([429, -32000, naming('mcp.max_streams_per_key')]);
      expect((await listen({}, 'x', { 'x-client': 'bob' })).status).toBe(200);
      await stream.body?.cancel();
      await until(async () => (await fetch(server.url, { headers: second })).status === 200);
    });

    it.each([
      ['too many', Array.from({ length: 101 }, (_, index) => `a:${index}`), '100 resources and tasks'],
      [
        'too much',
        Array.from({ length: 90 }, (_, index) => `a:${'x'.repeat(150)}${index}`),
        '10000 characters together',
      ],
    ])('limits subscriptions: %s', async (_case, uris, setting) => {
      await start({ maxBodyBytes: 50_000 });
      expect((await errorOf(await listen({ resourceSubscriptions: uris })))[2]).toEqual(naming(setting));
      const session = await openSession();
      const problems = await Promise.all(
        uris.map(async (uri) => (await errorOf(await post(rpc('resources/subscribe', { uri }), session)))[2]),
      );
      expect(problems).toContainEqual(naming(setting));
      const { subscriptions } = (await server.storage.sessions.find(session['mcp-session-id'])) ?? {
        subscriptions: [],
      };
      expect(subscriptions.length).toBeGreaterThan(50);
      expect(subscriptions.length).toBeLessThanOrEqual(100);
      expect((await post(rpc('resources/subscribe', { uri: subscriptions[0] }), session)).status).toBe(200);
    });

    it('has room again for what the session no longer watches, as another process wrote', async () => {
      await start({ maxSubscriptionBytes: 100 });
      const session = await openSession();
      const [before, after] = ['x', 'y'].map((letter) => `a:${letter.repeat(60)}`) as [string, string];
      const subscribe = async (uri: string) => (await post(rpc('resources/subscribe', { uri }), session)).json();
      expect(await subscribe(before)).toHaveProperty('result');
      expect(await subscribe(after)).toHaveProperty('error');
      await server.storage.sessions.saveSubscriptions(session['mcp-session-id'] ?? '', {
        added: [],
        removed: [before],
      });
      await server.endpoint.receive(null);
      expect(await subscribe(after)).toHaveProperty('result');
    });

    it('writes down subscriptions that come together at once, in their order', async () => {
      await start();
      const { sessions } = server.storage;
      const session = await openSession('2025-03-26');
      let writes = 0;
      const save = sessions.saveSubscriptions.bind(sessions);
      sessions.saveSubscriptions = async (id, uris) => {
        writes += 1;
        await new Promise((resolve) => setTimeout(resolve, writes === 1 ? 30 : 0));
        await save(id, uris);
      };
      const uris = Array.from({ length: 50 }, (_, index) => `a:${index}`);
      await post(
        uris.map((uri, id) => rpc('resources/subscribe', { uri }, id)),
        session,
      );
      expect((await sessions.find(session['mcp-session-id']))?.subscriptions).toEqual(uris);
      expect(writes).toBeLessThan(5);
    });
  });

  describe('of what waits unread', () => {
    /** Sends requests one after the other on one connection, without waiting for responses. */
    function pipelined(requests: number, message: { method: string; params: { name?: string } }): Socket {
      const url = new URL(server.url);
      const body = JSON.stringify({ ...message, params: { ...message.params, _meta: META } });
      const head = [
        'POST /mcp HTTP/1.1',
        'Host: localhost',
        'Content-Type: application/json',
        'MCP-Protocol-Version: 2026-07-28',
        `Mcp-Method: ${message.method}`,
        `Mcp-Name: ${String(message.params['name'])}`,
        `Content-Length: ${body.length}`,
      ];
      const socket = connect(Number(url.port), url.hostname);
      socket.write(`${head.join('\r\n')}\r\n\r\n${body}`.repeat(requests));
      return socket;
    }
    const answersOn = (socket: Socket) => {
      const received: string[] = [];
      socket.setEncoding('utf8').on('data', (chunk: string) => void received.push(chunk));
      return (status: string) => received.join('').split(`HTTP/1.1 ${status}`).length - 1;
    };

    it('cuts a connection on which more requests wait than allowed', async () => {
      await start({ maxPipelinedRequests: 30 });
      const [few, many] = [pipelined(31, callOf('wait')), pipelined(32, callOf('wait'))];
      const answers = answersOn(few);
      const isCut = new Promise((resolve) => many.on('error', () => {}).on('close', resolve));
      many.resume();
      await isCut;
      expect(server.requests()).toBe(2);
      await until(() => {
        server.release();
        return answers('200') === 31;
      });
      few.destroy();
    });

    it('starts nothing more for a peer that does not read', async () => {
      await start({ maxResultBytes: 10_000_000, maxPipelinedRequests: 1_000 });
      const socket = pipelined(1_000, callOf('large', { length: 1_000_000 })).pause();
      await until(() => server.requests() > 0);
      await settled(() => server.requests());
      expect(server.requests()).toBeLessThan(100);
      expect((await stateless(callOf('echo'))).status).toBe(200);
      socket.destroy();
    });

    it('holds no more for all peers together than allowed', async () => {
      await start({ maxResultBytes: 10_000_000, maxUnreadBytes: 20_000_000 });
      const large = callOf('large', { length: 9_000_000 });
      const sockets = Array.from({ length: 6 }, () => pipelined(1, large).pause());
      await until(() => server.requests() === 6);
      await settled(() => server.endpoint.counts().calls);
      expect(await errorOf(await stateless(large))).toEqual([503, -32000, naming('Too many answers wait')]);
      expect((await stateless(callOf('echo'))).status).toBe(200);
      sockets.forEach((socket) => socket.destroy());
      await until(async () => (await stateless(large)).status === 200);
    });

    it('cuts a connection that leaves an answer unread for too long', async () => {
      const limits = { maxResultBytes: 40_000_000, maxUnreadBytes: 100_000_000, unreadTimeoutMs: 100 };
      await start(limits, { slowestBytesPerMs: 1e6 });
      const socket = pipelined(1, callOf('large', { length: 30_000_000 })).pause();
      const closed = new Promise((resolve) => socket.on('close', resolve).on('error', () => {}));
      await until(() => server.closed() === 1);
      socket.resume();
      await closed;
      expect(socket.bytesRead).toBeLessThan(30_000_000);
    });

    it.each<[string, Partial<EndpointLimits>]>([
      ['on one connection', { maxUnreadBytesPerConnection: 100_000, maxUnreadBytes: 1e9 }],
      ['in all', { maxUnreadBytesPerConnection: 1e9, maxUnreadBytes: 1_000_000 }],
    ])('cuts a stream whose peer leaves too much unread %s, and no other', async (_case, limits) => {
      await start({ ...limits, maxBodyBytes: 200_000, maxUriLength: 100_000, maxSubscriptionBytes: 200_000 });
      const uri = `a:${'x'.repeat(90_000)}`;
      const message = rpc('subscriptions/listen', { notifications: { resourceSubscriptions: [uri] } }, 'deaf');
      const deaf = pipelined(1, message).pause();
      const other = await listen({ toolsListChanged: true });
      await until(() => server.endpoint.counts().streams === 2);
      for (let count = 0; count < 300 && server.endpoint.counts().streams === 2; count += 1) {
        await server.endpoint.publish({ kind: 'resource_updated', uri });
        await new Promise((resolve) => setImmediate(resolve));
      }
      await until(() => server.endpoint.counts().streams === 1);
      await other.body?.cancel();
      deaf.destroy();
    });
  });
});

/** Resolves when a number has not changed for a while. */
async function settled(count: () => number): Promise<void> {
  for (let last = -1; last !== count(); await new Promise((resolve) => setTimeout(resolve, 300))) last = count();
}
