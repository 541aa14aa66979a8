import { request as httpRequest } from 'node:http';
import { memoryStorage } from './memory-storage.js';
import { callOf, META, openSession as open, rpc, startEndpoint, type TestEndpoint, until } from './testing.js';

const BOTH = 'application/json, text/event-stream';

type Headers = Record<string, string>;
type Message = Record<string, unknown>;

interface SseEvent {
  id?: string;
  data?: Message;
}

describe('McpEndpoint', () => {
  let server: TestEndpoint;

  beforeEach(async () => {
    server = await startEndpoint();
  });
  afterEach(() => server.stop());

  const post: TestEndpoint['post'] = (...sent) => server.post(...sent);
  const stateless: TestEndpoint['postStateless'] = (...sent) => server.postStateless(...sent);
  const openSession = (version?: string, capabilities?: object) => open(server, version, { capabilities });

  describe('2025 era', () => {
    // Shows in 2025-11-25: lifecycle.version, lifecycle.other-version
    it.each([
      ['2024-11-05', '2024-11-05'],
      ['2025-03-26', '2025-03-26'],
      ['2025-06-18', '2025-06-18'],
      ['2025-11-25', '2025-11-25'],
      ['1999-01-01', '2025-11-25'],
    ])('negotiates %s to %s', async (requested, negotiated) => {
      const res = await post(
        rpc('initialize', { protocolVersion: requested, capabilities: {}, clientInfo: { name: 'x' } }),
      );
      expect(await res.json()).toMatchObject({ result: { protocolVersion: negotiated } });
    });

    it('answers a call as plain JSON when the result is all there is', async () => {
      const res = await post(callOf('echo', { a: 1 }, 'x'), await openSession());
      expect(res.headers.get('content-type')).toBe('application/json');
      expect(res.headers.get('content-length')).not.toBeNull();
      expect(await res.json()).toEqual({
        jsonrpc: '2.0',
        id: 'x',
        result: { content: [{ type: 'text', text: '{"a":1}' }] },
      });
    });

    it('continues a session after a restart', async () => {
      const session = await openSession();
      await post(rpc('logging/setLevel', { level: 'info' }), session);
      await server.stop();
      server = await startEndpoint({ storage: server.storage });
      expect(await (await post(callOf('echo'), session)).json()).toMatchObject({
        result: { content: [{ text: '{}' }] },
      });
      expect(await (await post(callOf('log'), session)).text()).toContain('notifications/message');
    });

    // Shows in 2025-11-25: session.missing, session.ended, session.delete
    it('tells apart a missing, an unknown, an ended and another client’s session', async () => {
      expect((await post(callOf('echo'))).status).toBe(400);
      expect((await post(callOf('echo'), { 'mcp-session-id': 'nope' })).status).toBe(404);
      const session = await openSession();
      expect((await post(callOf('echo'), { ...session, 'x-client': 'mallory' })).status).toBe(404);
      expect((await fetch(server.url, { method: 'DELETE', headers: session })).status).toBe(200);
      const ended = await post(callOf('echo', {}, 7), session);
      expect(ended.status).toBe(404);
      expect(await ended.json()).toMatchObject({ id: 7, error: { code: -32001 } });
    });

    it('keeps apart two calls with the same id at once', async () => {
      const session = await openSession();
      const first = post(callOf('wait', { label: 'one' }, 5), session);
      const second = post(callOf('wait', { label: 'two' }, 5), session);
      await until(() => server.endpoint.counts().calls === 2);
      server.release();
      const texts = await Promise.all([first, second].map(async (res) => await (await res).text()));
      expect(texts[0]).toContain('one done');
      expect(texts[1]).toContain('two done');
    });

    it('sends headers and keep-alives of a slow call early, then the result', async () => {
      await server.stop();
      server = await startEndpoint({ timing: { slowAfterMs: 10 } });
      const res = await post(callOf('wait'), await openSession('2025-06-18'));
      expect(res.headers.get('content-type')).toBe('text/event-stream');
      expect(res.headers.get('x-accel-buffering')).toBe('no');
      server.release();
      const body = await res.text();
      expect(body).toMatch(/^: keep-alive/);
      expect(body).toContain('wait done');
    });

    it('keeps a slow call alive for a client that reads only JSON', async () => {
      await server.stop();
      server = await startEndpoint({ timing: { slowAfterMs: 10 } });
      const res = await post(callOf('wait'), { ...(await openSession()), accept: 'application/json' });
      expect(res.headers.get('content-type')).toBe('application/json');
      server.release();
      expect(await res.json()).toMatchObject({ result: { content: [{ text: 'wait done' }] } });
    });

    it('aborts the call when its caller goes away', async () => {
      const session = await openSession('2025-06-18');
      const controller = new AbortController();
      const gone = post(callOf('wait'), session, controller.signal).catch(() => 'gone');
      await until(() => server.endpoint.counts().calls === 1);
      controller.abort();
      await until(() => server.aborted.includes('wait'));
      expect(await gone).toBe('gone');
    });

    // Shows in 2025-11-25: cancel.notification
    it('aborts the call when the client cancels it, and ends its response', async () => {
      const session = await openSession();
      const response = post(callOf('wait', {}, 9), session);
      await until(() => server.endpoint.counts().calls === 1);
      await post({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 9 } }, session);
      expect((await response).status).toBe(202);
      expect(server.aborted).toEqual(['wait']);
      expect(server.endpoint.counts().calls).toBe(0);
    });

    // Shows in 2025-11-25: stream.related-requests
    it('asks the client in the middle of a call, on its stream', async () => {
      const session = await openSession('2025-11-25', { elicitation: {} });
      const events = readEvents(await post(callOf('ask'), session));
      let question: Message | undefined;
      for await (const event of events) {
        if (event.data?.['method'] === 'elicitation/create') {
          question = event.data;
          const answer = { jsonrpc: '2.0', id: question['id'], result: { action: 'decline' } };
          expect((await post(answer, session)).status).toBe(202);
        } else if (event.data?.['result']) {
          expect(event.data['result']).toMatchObject({ content: [{ text: 'decline' }] });
        }
      }
      expect(question).toBeDefined();
    });

    it('resumes a response that was released, with nothing lost', async () => {
      const session = await openSession();
      const [primer] = await collect(readEvents(await post(callOf('detach', {}, 3), session)));
      expect(primer?.id).toMatch(/\.0$/);
      server.release();
      const resumed = await fetch(server.url, {
        headers: { ...session, accept: BOTH, 'last-event-id': primer?.id ?? '' },
      });
      expect(await collect(readEvents(resumed))).toMatchObject([
        { data: { id: 3, result: { content: [{ text: 'detach done' }] } } },
      ]);
    });

    it('resumes a response whose connection broke, and aborts the call when nobody does', async () => {
      await server.stop();
      server = await startEndpoint({ timing: { resumeWithinMs: 3_000 } });
      const session = await openSession();
      const controller = new AbortController();
      const res = await post(callOf('progress', {}, 3), session, controller.signal);
      const events = readEvents(res);
      const primer = (await events.next()).value as SseEvent;
      controller.abort();
      await new Promise((resolve) => setTimeout(resolve, 20));
      const resumed = await fetch(server.url, { headers: { ...session, 'last-event-id': primer.id ?? '' } });
      expect(server.aborted).toEqual([]);
      await resumed.body?.cancel();
      await until(() => server.aborted.includes('progress'));
    });

    it('answers a call that a restart cut short when its stream is resumed', async () => {
      const session = await openSession();
      const primer = (await collect(readEvents(await post(callOf('detach', {}, 3), session)))).at(0);
      const storage = memoryStorage();
      Object.assign(storage, { sessions: server.storage.sessions, journal: { ...server.storage.journal } });
      const crashed = server;
      server = await startEndpoint({ storage });
      const resumed = await fetch(server.url, { headers: { ...session, 'last-event-id': primer?.id ?? '' } });
      expect(await collect(readEvents(resumed))).toMatchObject([{ data: { id: 3, error: { code: -32603 } } }]);
      await crashed.stop();
    });

    it('answers batches in the only version that has them', async () => {
      const batch = [
        callOf('echo', { n: 1 }, 1),
        { jsonrpc: '2.0', method: 'notifications/x' },
        callOf('echo', { n: 2 }, 2),
      ];
      const answers = (await (await post(batch, await openSession('2025-03-26'))).json()) as Message[];
      expect(answers.map((answer) => answer['id'])).toEqual([1, 2]);
      for (const version of ['2024-11-05', '2025-06-18', '2025-11-25']) {
        expect((await post(batch, await openSession(version))).status).toBe(400);
      }
    });

    it('sends changes recorded by other processes once, together with its own', async () => {
      const stream = await fetch(server.url, { headers: await openSession() });
      const { changes } = server.storage;
      await changes.append({ kind: 'resources_list_changed' });
      await server.endpoint.publish({ kind: 'tools_list_changed' });
      await server.endpoint.follow();
      await changes.append({ kind: 'prompts_list_changed' });
      await Promise.all([server.endpoint.follow(), server.endpoint.follow()]);
      server.endpoint.revoke({ client: 'alice' });
      const methods = (await collect(readEvents(stream))).map((event) => event.data?.['method'] ?? null);
      expect(methods.slice(1)).toEqual([
        'notifications/resources/list_changed',
        'notifications/tools/list_changed',
        'notifications/prompts/list_changed',
      ]);
    });

    it('reports that all lists changed when the log no longer has the changes', async () => {
      const { changes } = server.storage;
      await server.stop();
      server = await startEndpoint({
        storage: { ...server.storage, changes: { ...changes, after: async () => null } },
      });
      const session = await openSession();
      for (let count = 0; count < 5; count += 1) await changes.append({ kind: 'tools_list_changed' });
      const stream = await fetch(server.url, { headers: session });
      await changes.append({ kind: 'tools_list_changed' });
      await changes.append({ kind: 'tools_list_changed' });
      await changes.append({ kind: 'tools_list_changed' });
      await server.endpoint.follow();
      server.endpoint.revoke({ client: 'alice' });
      const methods = new Set((await collect(readEvents(stream))).map((event) => event.data?.['method'] ?? null));
      expect([...methods].filter(Boolean).sort()).toEqual([
        'notifications/prompts/list_changed',
        'notifications/resources/list_changed',
        'notifications/tools/list_changed',
      ]);
    });

    it('resumes the GET stream with what was missed, across a restart, each kind once', async () => {
      const session = await openSession();
      const before = await fetch(server.url, { headers: session });
      await server.endpoint.publish({ kind: 'tools_list_changed' });
      await server.stop();
      const last = (await collect(readEvents(before))).at(-1);
      server = await startEndpoint({ storage: server.storage });
      await server.endpoint.publish({ kind: 'tools_list_changed' });
      await server.endpoint.publish({ kind: 'tools_list_changed' });
      const after = await fetch(server.url, { headers: { ...session, 'last-event-id': last?.id ?? '' } });
      const events = readEvents(after);
      await events.next();
      expect((await events.next()).value).toMatchObject({ data: { method: 'notifications/tools/list_changed' } });
      server.endpoint.revoke({ client: 'alice' });
      expect((await events.next()).done).toBe(true);
    });

    // Shows in 2025-11-25: streams.one-each, get.no-responses, get.stream-or-405
    it('sends each change on one stream, and answers on none but their own', async () => {
      const session = await openSession();
      const first = await fetch(server.url, { headers: session });
      const second = await fetch(server.url, { headers: session });
      expect(second.headers.get('content-type')).toBe('text/event-stream');
      await server.endpoint.publish({ kind: 'tools_list_changed' });
      expect((await post(callOf('echo'), { ...session, accept: 'text/event-stream' })).status).toBe(200);
      server.endpoint.revoke({ client: 'alice' });
      const heard = await Promise.all([first, second].map((stream) => collect(readEvents(stream))));
      expect(heard.map((events) => events.flatMap(({ data }) => data ?? []))).toEqual([
        [],
        [{ jsonrpc: '2.0', method: 'notifications/tools/list_changed' }],
      ]);
    });

    // Shows in 2025-11-25: resume.unique-ids, resume.own-stream
    it('gives each event an id of its own, and repeats only the stream that is resumed', async () => {
      const session = await openSession();
      const released = ['one', 'two'].map((label) => post(callOf('detach', { label }, label), session));
      const primers = await Promise.all(released.map(async (res) => (await collect(readEvents(await res)))[0]));
      server.release();
      const resumed = await Promise.all(
        primers.map(async (primer) =>
          collect(readEvents(await fetch(server.url, { headers: { ...session, 'last-event-id': primer?.id ?? '' } }))),
        ),
      );
      expect(resumed.map((events) => events.map(({ data }) => data?.['id']))).toEqual([['one'], ['two']]);
      const ids = [...primers, ...resumed.flat()].map((event) => event?.id);
      expect(new Set(ids).size).toBe(4);
    });

    // Shows in 2025-11-25: resources.unsubscribe
    it('sends nothing of a resource that the client has unsubscribed from', async () => {
      const session = await openSession();
      for (const uri of ['a:1', 'a:2']) await post(rpc('resources/subscribe', { uri }), session);
      expect(await (await post(rpc('resources/unsubscribe', { uri: 'a:1' }), session)).json()).toMatchObject({
        result: {},
      });
      const stream = await fetch(server.url, { headers: session });
      await server.endpoint.publish({ kind: 'resource_updated', uri: 'a:1' }, { kind: 'resource_updated', uri: 'a:2' });
      server.endpoint.revoke({ client: 'alice' });
      expect((await collect(readEvents(stream))).flatMap(({ data }) => data?.['params'] ?? [])).toEqual([
        { uri: 'a:2' },
      ]);
    });

    it('answers GET without a session with 405, so that probing clients stop', async () => {
      const res = await fetch(server.url);
      expect(res.status).toBe(405);
      expect(await res.json()).toMatchObject({ error: { code: -32000 } });
    });
  });

  describe('2026-07-28', () => {
    // Shows in 2026-07-28: stateless
    it('answers discovery and calls without a session', async () => {
      expect(await (await stateless(rpc('server/discover'))).json()).toMatchObject({
        result: { supportedVersions: ['2026-07-28'] },
      });
      const res = await stateless(callOf('echo', { a: 1 }));
      expect(res.status).toBe(200);
      expect(await res.json()).toMatchObject({
        id: 1,
        result: { resultType: 'complete', content: [{ text: '{"a":1}' }] },
      });
    });

    // Shows in 2026-07-28: headers.missing, headers.mismatch, headers.version
    it.each<[string, Headers, number, number]>([
      ['the method header is missing', { 'mcp-method': '' }, 400, -32020],
      ['the name header is another', { 'mcp-name': 'other' }, 400, -32020],
      ['the versions differ', { 'mcp-protocol-version': '2025-11-25' }, 400, -32020],
    ])('refuses a request when %s', async (_case, headers, status, code) => {
      const res = await stateless(callOf('echo'), headers);
      expect(res.status).toBe(status);
      expect(await res.json()).toMatchObject({ id: 1, error: { code } });
    });

    // Shows in 2026-07-28: headers.base64, headers.parameter-malformed, headers.parameter-missing
    it('reads names and parameters encoded in headers', async () => {
      const encoded = `=?base64?${Buffer.from('Zürich').toString('base64')}?=`;
      const ask = (header: Headers) => stateless(callOf('region', { region: 'Zürich' }), header);
      expect((await ask({ 'mcp-param-region': encoded })).status).toBe(200);
      expect((await ask({})).status).toBe(400);
      expect((await ask({ 'mcp-param-region': '=?base64?WvxyaWNo?=' })).status).toBe(400);
    });

    // Shows in 2026-07-28: headers.names, headers.values
    it('reads header names in any case, and values only in their exact case', async () => {
      const ask = (headers: Headers) =>
        new Promise<number | undefined>((resolve, reject) => {
          const req = httpRequest(server.url, { method: 'POST', headers }, (res) => resolve(res.resume().statusCode));
          req.on('error', reject).end(JSON.stringify(rpc('tools/list', { _meta: META })));
        });
      const rest = { 'Content-Type': 'application/json', 'MCP-PROTOCOL-VERSION': '2026-07-28' };
      expect(await ask({ ...rest, 'MCP-METHOD': 'tools/list' })).toBe(200);
      expect(await ask({ ...rest, 'mcp-method': 'tools/list' })).toBe(200);
      expect(await ask({ ...rest, 'mcp-method': 'Tools/List' })).toBe(400);
    });

    // Shows in 2026-07-28: headers.numeric, headers.parameter-absent
    it.each([
      [{ region: 42 }, '42.0', 200],
      [{ region: 42 }, '43', 400],
      [{ region: null }, null, 200],
      [{}, null, 200],
    ])('compares the arguments %j with the header %j', async (args, header, status) => {
      const headers: Headers = header === null ? {} : { 'mcp-param-region': header };
      expect((await stateless(callOf('region', args), headers)).status).toBe(status);
    });

    // Shows in 2026-07-28: method.not-found, jsonrpc.unknown-method
    it('answers methods that this era does not have with 404', async () => {
      for (const method of ['initialize', 'ping', 'logging/setLevel', 'no/such']) {
        const res = await stateless(rpc(method));
        expect([method, res.status]).toEqual([method, 404]);
        expect(await res.json()).toMatchObject({ error: { code: -32601 } });
      }
    });

    // Shows in 2026-07-28: cancel.disconnect
    it('aborts the call when the response is closed', async () => {
      const controller = new AbortController();
      void stateless(callOf('wait'), {}, controller.signal).catch(() => {});
      await until(() => server.endpoint.counts().calls === 1);
      controller.abort();
      await until(() => server.aborted.includes('wait'));
    });

    // Shows in 2026-07-28: subscriptions.closed
    it('ends a subscription whose stream the client closes', async () => {
      const res = await stateless(rpc('subscriptions/listen', { notifications: { toolsListChanged: true } }, 'sub'));
      expect(server.endpoint.counts().streams).toBe(1);
      await res.body?.cancel();
      await until(() => server.endpoint.counts().streams === 0);
    });

    // Shows in 2026-07-28: subscriptions.acknowledged, subscriptions.filter, subscriptions.id, subscriptions.result
    it('acknowledges a subscription first and delivers what it honoured, with its id', async () => {
      const notifications = {
        toolsListChanged: true,
        promptsListChanged: true,
        resourceSubscriptions: ['a:1', 'secret:1'],
      };
      const res = await stateless(rpc('subscriptions/listen', { notifications }, 'sub'));
      await server.endpoint.publish({ kind: 'tools_list_changed' });
      await server.endpoint.publish({ kind: 'resource_updated', uri: 'secret:1' });
      await server.endpoint.close();
      const events = await collect(readEvents(res));
      const meta = { 'io.modelcontextprotocol/subscriptionId': 'sub' };
      expect(events.map((event) => event.data)).toMatchObject([
        {
          method: 'notifications/subscriptions/acknowledged',
          params: { notifications: { toolsListChanged: true, resourceSubscriptions: ['a:1'] }, _meta: meta },
        },
        { method: 'notifications/tools/list_changed', params: { _meta: meta } },
        { id: 'sub', result: { resultType: 'complete', _meta: meta } },
      ]);
    });
  });

  it.each([
    ['a resource that is not there', 'gone:1', -32002, -32602],
    ['another error about a resource', 'wrong:1', -32602, -32602],
  ])('answers %s with the code of the era', async (_case, uri, sessionCode, statelessCode) => {
    const read = rpc('resources/read', { uri });
    const answers = [await post(read, await openSession()), await stateless(read, { 'mcp-name': uri })];
    expect(await Promise.all(answers.map(async (res) => (await res.json()) as Message))).toMatchObject([
      { error: { code: sessionCode, data: { uri } } },
      { error: { code: statelessCode, data: { uri } } },
    ]);
  });

  describe('bad input', () => {
    it.each<[string, string | object, Headers, number, number]>([
      ['truncated JSON', '{"jsonrpc"', {}, 400, -32700],
      ['another content type', '{}', { 'content-type': 'text/plain' }, 415, -32000],
      ['a compressed body', '{}', { 'content-encoding': 'gzip' }, 415, -32000],
      ['too large a body', JSON.stringify({ a: 'x'.repeat(20_000) }), {}, 413, -32000],
      ['a foreign origin', '{}', { origin: 'https://evil.example.com' }, 403, -32000],
    ])('answers %s with a JSON-RPC error', async (_case, body, headers, status, code) => {
      const res = await post(body, headers);
      expect(res.status).toBe(status);
      expect(await res.json()).toMatchObject({
        jsonrpc: '2.0',
        error: { code, message: expect.any(String) as unknown },
      });
    });

    it.each([
      [{}, /^Invalid params for initialize: protocolVersion: [^\n]*$/],
      [
        { protocolVersion: '2025-06-18', capabilities: { roots: 1 }, clientInfo: { name: 'a', version: '1' } },
        /^Invalid params for initialize: capabilities\.roots: [^\n]*$/,
      ],
    ])('names the members of %j that are wrong in initialize', async (params, message) => {
      const { error } = (await (await post(rpc('initialize', params))).json()) as { error: { code: number } };
      expect(error).toEqual({ code: -32602, message: expect.stringMatching(message) as string });
    });
  });
});

async function* readEvents(res: Response): AsyncGenerator<SseEvent, undefined> {
  let buffer = '';
  const decoder = new TextDecoder();
  for await (const chunk of res.body ?? []) {
    buffer += decoder.decode(chunk as Uint8Array, { stream: true });
    const blocks = buffer.split('\n\n');
    buffer = blocks.pop() ?? '';
    for (const block of blocks) {
      const event = parseEvent(block);
      if (event) yield event;
    }
  }
  return undefined;
}

function parseEvent(block: string): SseEvent | null {
  const fields = new Map(
    block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
  );
  const data = fields.get('data');
  const id = fields.get('id');
  if (data === undefined) return null;
  return { ...(id && { id }), ...(data && { data: JSON.parse(data) as Message }) };
}

async function collect(events: AsyncIterable<SseEvent>): Promise<SseEvent[]> {
  const all: SseEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}
