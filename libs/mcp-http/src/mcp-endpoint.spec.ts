import { request as httpRequest } from 'node:http';
import { callOf, META, openSession as open, rpc, startEndpoint, type TestEndpoint, until } from './testing.js';

type Headers = Record<string, string>;
type Message = Record<string, unknown>;

interface SseEvent {
  id?: string;
  data?: Message;
}

describe('McpEndpoint', () => {
  let server: TestEndpoint;

  beforeEach(async () => void (server = await startEndpoint()));
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

    // Shows in 2026-07-28: method.not-found, jsonrpc.unknown-method
    it('answers methods that this era does not have with 404', async () => {
      for (const method of ['initialize', 'ping', 'logging/setLevel', 'no/such']) {
        const res = await stateless(rpc(method));
        expect([method, res.status]).toEqual([method, 404]);
        expect(await res.json()).toMatchObject({ error: { code: -32601 } });
      }
    });
  });

  describe('bad input', () => {
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
