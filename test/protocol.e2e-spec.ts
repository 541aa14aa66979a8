import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { elicit, inputRequired, Skill, type SkillContext, type SkillHandler, type SkillOutput } from '#skill-kit';
import { EventBus } from '../src/platform/events/event-bus.service.js';
import { PromptRegistry } from '../src/core/skills/prompt.registry.js';
import { SkillRegistry } from '../src/core/skills/skill.registry.js';
import { ConformanceFixturesModule } from './conformance/fixtures/conformance-fixtures.module.js';
import { type Era, ERAS } from './contracts/protocol-behaviours.js';
import { KEY, TestService } from './support/service.js';
import { TestSkillsModule } from './support/test-skills.module.js';
import { until } from './support/until.js';

type Message = Record<string, unknown>;

const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';
const LOG_LEVEL = 'io.modelcontextprotocol/logLevel';
const VERSION = 'io.modelcontextprotocol/protocolVersion';
const LISTS = ['tools', 'prompts', 'resources'] as const;

const rpc = (method: string, params: object = {}, id: unknown = 1) => ({ jsonrpc: '2.0', id, method, params });

/** Still reports progress after it has returned, as a careless skill would. */
@Skill({ name: 'afterthought', description: 'Use this to see progress that comes too late.' })
class Afterthought implements SkillHandler {
  execute(_input: object, context: SkillContext): string {
    setTimeout(() => context.progress(2, 2, 'too late'), 10);
    context.progress(1, 2, 'in time');
    return 'done';
  }
}

/** Reports progress that does not always grow, and begins again with the answer to its question. */
@Skill({ name: 'wavering', description: 'Use this to see progress that goes back.' })
class Wavering implements SkillHandler {
  execute(_input: object, context: SkillContext): SkillOutput {
    for (const progress of [0, 1, 1, 0.5, NaN, 2]) context.progress(progress);
    if (!context.canAsk || context.answers['name'] !== undefined) return 'done';
    return inputRequired({ inputRequests: { name: elicit('Who?', { properties: { name: { type: 'string' } } }) } });
  }
}

describe('the protocol', () => {
  let service: TestService;
  let session: Record<string, string>;

  beforeAll(async () => {
    service = await TestService.start({ imports: [TestSkillsModule, ConformanceFixturesModule] });
    for (const skill of [new Afterthought(), new Wavering()]) service.app.get(SkillRegistry).register(skill);
    service.app.get(PromptRegistry).register({
      name: 'numbers',
      description: 'Opens with a number.',
      arguments: [{ name: 'number', description: 'Any number', required: true }],
      get: async ({ number }) => [{ role: 'user', content: { type: 'text', text: `The number ${number}.` } }],
      complete: async () => Array.from({ length: 150 }, (_, index) => String(index)),
    });
    session = await service.openSession();
  });
  afterAll(() => service.stop());

  /** Sends a request in the form of the era. */
  const send = (era: Era, method: string, params: Message = {}, headers: Record<string, string> = {}) =>
    era === '2025-11-25'
      ? service.post(rpc(method, params), { ...session, ...headers })
      : service.postStateless(method, params, headers);
  const messages = async (...request: Parameters<typeof send>) => messagesIn(await send(...request));
  const answer = async (...request: Parameters<typeof send>) => (await messages(...request)).at(-1) ?? {};
  const call = (era: Era, name: string, args: Message = {}, more: Message = {}) =>
    answer(era, 'tools/call', { name, arguments: args, ...more });
  /** Opens the stream on which a client of the era receives notifications. */
  const listen = async (era: Era, uris: string[] = []): Promise<Heard> => {
    for (const uri of era === '2025-11-25' ? uris : []) await send(era, 'resources/subscribe', { uri });
    const notifications = {
      toolsListChanged: true,
      promptsListChanged: true,
      resourcesListChanged: true,
      resourceSubscriptions: uris,
    };
    return new Heard(
      era === '2025-11-25'
        ? await fetch(service.mcpUrl, { headers: { authorization: `Bearer ${KEY}`, ...session } })
        : await service.postStateless('subscriptions/listen', { notifications }),
    );
  };

  it('reports only progress that grows when a skill is executed again with an answer', async () => {
    const client = new Client({ name: 'ide', version: '1.0.0' }, { capabilities: { elicitation: {} } });
    client.setRequestHandler(ElicitRequestSchema, async () => ({ action: 'accept', content: { name: 'Ada' } }));
    await service.connect(client);
    const seen: number[] = [];
    const onprogress = ({ progress }: { progress: number }) => void seen.push(progress);
    const result = await client.callTool({ name: 'wavering' }, undefined, { onprogress });
    expect([result.content, seen]).toEqual([[{ type: 'text', text: 'done' }], [0, 1, 2]]);
  });

  describe.each(ERAS)('in %s', (era) => {
    // Shows in both eras: http.one-path, http.json-or-stream, jsonrpc.id, stream.ends
    it('answers with one JSON object, or with a stream that ends with the answer', async () => {
      const plain = await send(era, 'tools/call', { name: 'echo', arguments: { text: 'x' } });
      expect(plain.headers.get('content-type')).toBe('application/json');
      expect(await plain.json()).toMatchObject({ jsonrpc: '2.0', id: 1, result: { content: [{ text: 'x' }] } });
      const streamed = await send(era, 'tools/call', {
        name: 'count',
        arguments: { steps: 1 },
        _meta: { progressToken: 'p' },
      });
      expect(streamed.headers.get('content-type')).toBe('text/event-stream');
      expect((await messagesIn(streamed)).at(-1)).toMatchObject({ id: 1, result: { content: [{ text: '1 steps' }] } });
    });

    // Shows in both eras: http.notification-accepted, http.notification-refused, jsonrpc.notification
    it('answers a notification with 202 and nothing, or with an error', async () => {
      const notification = (jsonrpc: string) => ({
        jsonrpc,
        method: 'notifications/roots/list_changed',
        params: { _meta: { [VERSION]: '2026-07-28', [CAPABILITIES]: {} } },
      });
      const modern = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'notifications/roots/list_changed' };
      const post = (jsonrpc: string) =>
        era === '2025-11-25'
          ? service.post({ ...notification(jsonrpc), params: {} }, session)
          : service.post(notification(jsonrpc), modern);
      const accepted = await post('2.0');
      expect([accepted.status, await accepted.text()]).toEqual([202, '']);
      expect((await post('1.0')).status).toBe(400);
    });

    // Shows in both eras: jsonrpc.null-id
    it('refuses a request whose id is null', async () => {
      const headers = era === '2025-11-25' ? session : { 'mcp-protocol-version': era, 'mcp-method': 'tools/list' };
      const params = era === '2025-11-25' ? {} : { _meta: { [VERSION]: era, [CAPABILITIES]: {} } };
      const res = await service.post(rpc('tools/list', params, null), headers);
      expect([res.status, await res.json()]).toMatchObject([400, { error: { code: -32600 } }]);
    });

    // Shows in both eras: progress.token, progress.without-token, stream.own-notifications
    it('reports progress under the token of the request, on its own response', async () => {
      const report = (token?: string) =>
        messages(era, 'tools/call', {
          name: 'slowly',
          arguments: { steps: 2, stepMs: 10 },
          ...(token !== undefined && { _meta: { progressToken: token } }),
        });
      const [first, second, silent] = await Promise.all([report('a'), report('b'), report()]);
      const tokens = (all: Message[]) => all.slice(0, -1).map(({ params }) => (params as Message)['progressToken']);
      expect([tokens(first), tokens(second), tokens(silent)]).toEqual([['a', 'a'], ['b', 'b'], []]);
    });

    // Shows in both eras: progress.grows
    it('reports only progress that grows', async () => {
      const all = await messages(era, 'tools/call', { name: 'wavering', _meta: { progressToken: 'w' } });
      expect(all.slice(0, -1).map(({ params }) => (params as Message)['progress'])).toEqual([0, 1, 2]);
    });

    // Shows in both eras: progress.stops
    it('reports no progress after the answer, on no stream', async () => {
      const changes = await listen(era);
      const own = await messages(era, 'tools/call', { name: 'afterthought', _meta: { progressToken: 'late' } });
      expect(JSON.stringify(own)).toContain('in time');
      await new Promise((resolve) => setTimeout(resolve, 60));
      service.app.get(EventBus).emit('prompts.changed', {});
      await until(() => changes.text.includes('prompts/list_changed'));
      expect(changes.text + JSON.stringify(own)).not.toContain('too late');
      await changes.close();
    });

    // Shows in both eras: tools.capability, resources.capability, prompts.capability
    // Shows in both eras: completion.capability, logging.capability
    it('declares what it can do', async () => {
      const initialize = { protocolVersion: era, capabilities: {}, clientInfo: { name: 'test', version: '1' } };
      const { result } =
        era === '2025-11-25' ? await answer(era, 'initialize', initialize) : await answer(era, 'server/discover');
      expect(result).toMatchObject({
        capabilities: {
          tools: { listChanged: true },
          resources: { listChanged: true, subscribe: true },
          prompts: { listChanged: true },
          completions: {},
          logging: {},
        },
      });
    });

    it('describes in its instructions what is here and when to use it, naming existing tools', async () => {
      const initialize = { protocolVersion: era, capabilities: {}, clientInfo: { name: 'test', version: '1' } };
      const { result } =
        era === '2025-11-25' ? await answer(era, 'initialize', initialize) : await answer(era, 'server/discover');
      const { instructions } = result as { instructions: string };
      expect(Buffer.byteLength(instructions)).toBeLessThanOrEqual(2_048); // clients truncate longer instructions
      const { tools } = (await answer(era, 'tools/list'))['result'] as { tools: { name: string }[] };
      const named = instructions.match(/\b[a-z]+_[a-z_]+\b/g) ?? [];
      expect(named.length).toBeGreaterThan(5);
      expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(named));
      const templates = (await answer(era, 'resources/templates/list'))['result'] as {
        resourceTemplates: { uriTemplate: string }[];
      };
      const schemes = templates.resourceTemplates.map(({ uriTemplate }) => uriTemplate.replace(/:.*/, '://'));
      const mentioned = instructions.match(/\b[a-z]+:\/\//g) ?? [];
      expect(mentioned.length).toBeGreaterThan(2);
      expect(schemes).toEqual(expect.arrayContaining(mentioned));
    });

    // Shows in both eras: tools.list, tools.names, tools.structured
    it('lists tools by names that are allowed, and gives structured results as text, too', async () => {
      const { tools } = (await answer(era, 'tools/list'))['result'] as { tools: { name: string }[] };
      expect(tools.length).toBeGreaterThan(5);
      for (const { name } of tools) expect(name).toMatch(/^[A-Za-z0-9_.-]{1,128}$/);
      const { structuredContent, content } = (await call(era, 'system_info'))['result'] as Message;
      expect(content).toEqual([{ type: 'text', text: JSON.stringify(structuredContent) }]);
    });

    // Shows in both eras: tools.list-changed, prompts.list-changed, resources.list-changed, resources.updated
    it('notifies listening clients of changes', async () => {
      const changes = await listen(era, ['config://mcp.max_calls']);
      const events = service.app.get(EventBus);
      events.emit('skills.changed', { names: ['echo'] });
      events.emit('prompts.changed', {});
      events.emit('resources.changed', { store: 'test' });
      await service.admin('PUT', 'config/mcp.max_calls', { value: 1_999 });
      for (const list of LISTS) await until(() => changes.text.includes(`notifications/${list}/list_changed`));
      await until(() => /"uri":"config:\/\/mcp\.max_calls"/.test(changes.text));
      await changes.close();
    });

    // Shows in both eras: tools.rate-limit
    it('limits the rate of calls when a limit is set', async () => {
      await service.admin('PUT', 'config/mcp.rate_limit_per_minute', { value: 2 });
      const statuses = [];
      for (let count = 0; count < 3; count += 1) {
        statuses.push((await send(era, 'tools/call', { name: 'echo', arguments: { text: 'x' } })).status);
      }
      await service.admin('DELETE', 'config/mcp.rate_limit_per_minute');
      expect(statuses.at(-1)).toBe(429);
    });

    // Shows in both eras: resources.list, resources.binary, resources.uris
    it('lists and reads resources, and rejects unknown ones', async () => {
      expect((await answer(era, 'resources/list'))['result']).toMatchObject({
        resources: expect.arrayContaining([expect.objectContaining({ uri: 'test://static-binary' })]) as unknown,
      });
      expect((await answer(era, 'resources/templates/list'))['result']).toMatchObject({
        resourceTemplates: expect.arrayContaining([
          expect.objectContaining({ uriTemplate: 'test://template/{id}/data' }),
        ]) as unknown,
      });
      const { contents } = (await answer(era, 'resources/read', { uri: 'test://static-binary' }))['result'] as {
        contents: { blob: string }[];
      };
      const blob = contents[0]?.blob ?? '';
      expect(Buffer.from(blob, 'base64').toString('base64')).toBe(blob);
      for (const uri of ['no uri', 'nope://x', '../../etc/passwd']) {
        const { error } = await answer(era, 'resources/read', { uri });
        expect([uri, (error as Message | undefined)?.['code']]).toEqual([uri, era === '2025-11-25' ? -32002 : -32602]);
      }
    });

    // Shows in both eras: resources.permission
    it('lets a client subscribe only to what it may read', async () => {
      if (era === '2025-11-25') {
        expect(await answer(era, 'resources/subscribe', { uri: 'nope://x' })).toMatchObject({
          error: { code: -32002, data: { uri: 'nope://x' } },
        });
        expect(await answer(era, 'resources/subscribe', {})).toMatchObject({ error: { code: -32602 } });
        return;
      }
      const changes = await listen(era, ['nope://x', 'config://mcp.max_calls']);
      await until(() => changes.text.includes('acknowledged'));
      expect(changes.text).toContain('"resourceSubscriptions":["config://mcp.max_calls"]');
      await changes.close();
    });

    // Shows in both eras: prompts.list, prompts.unknown, prompts.arguments
    it('lists prompts and gets one, and says what is wrong with others', async () => {
      expect((await answer(era, 'prompts/list'))['result']).toMatchObject({
        prompts: expect.arrayContaining([expect.objectContaining({ name: 'numbers' })]) as unknown,
      });
      const get = (name: string, args: Message = {}) => answer(era, 'prompts/get', { name, arguments: args });
      expect(await get('numbers', { number: '7' })).toMatchObject({
        result: { messages: [{ role: 'user', content: { text: 'The number 7.' } }] },
      });
      expect(await get('nope')).toMatchObject({ error: { code: -32602 } });
      expect(await get('numbers')).toMatchObject({ error: { code: -32602 } });
    });

    // Shows in both eras: completion.values, completion.unknown
    it('offers at most 100 values, and says how many there are', async () => {
      const complete = (name: string) =>
        answer(era, 'completion/complete', {
          ref: { type: 'ref/prompt', name },
          argument: { name: 'number', value: '' },
        });
      const { completion } = (await complete('numbers'))['result'] as { completion: Message };
      expect(completion).toMatchObject({ total: 150, hasMore: true });
      expect(completion['values']).toHaveLength(100);
      expect(await complete('nope')).toMatchObject({ error: { code: -32602 } });
    });

    // Shows in both eras: logging.level, logging.unknown-level
    it('sends log messages of the level that was asked for, and above', async () => {
      const logged = async (level: string) => {
        const _meta = era === '2025-11-25' ? {} : { [LOG_LEVEL]: level };
        if (era === '2025-11-25') await answer(era, 'logging/setLevel', { level });
        const all = await messages(era, 'tools/call', { name: 'test_logging_tool', arguments: {}, _meta });
        return all.slice(0, -1).map(({ method, params }) => [method, (params as Message)['level']]);
      };
      expect(await logged('error')).toEqual([]);
      expect(await logged('info')).toEqual([['notifications/message', 'info']]);
      expect(await logged('debug')).toEqual([['notifications/message', 'info']]);
      const unknown =
        era === '2025-11-25'
          ? await answer(era, 'logging/setLevel', { level: 'loud' })
          : await answer(era, 'tools/list', { _meta: { [LOG_LEVEL]: 'loud' } });
      expect(unknown).toMatchObject({ error: { code: -32602 } });
    });

    // Shows in both eras: pagination.pages, pagination.cursor
    it('gives every entry of a list once, page by page', async () => {
      const registry = service.app.get(SkillRegistry);
      const names = Array.from({ length: 1_500 }, (_, index) => `page_${index}`);
      registry.register(...names.map((name) => new (skillNamed(name))()));
      const listed: string[] = [];
      let cursor: string | undefined;
      do {
        const { result } = await answer(era, 'tools/list', cursor === undefined ? {} : { cursor });
        const page = result as { tools: { name: string }[]; nextCursor?: string };
        listed.push(...page.tools.map(({ name }) => name));
        cursor = page.nextCursor;
      } while (cursor !== undefined);
      registry.remove(...names);
      expect(new Set(listed).size).toBe(listed.length);
      expect(listed).toEqual(expect.arrayContaining(names));
      expect(await answer(era, 'tools/list', { cursor: 'nonsense' })).toMatchObject({ error: { code: -32602 } });
    });
  });

  describe('with sessions', () => {
    // Shows in 2025-11-25: lifecycle.initialize, session.secure-id, session.visible-id
    it('opens sessions that nobody can guess, and says who it is', async () => {
      const open = () =>
        service.post(
          rpc('initialize', {
            protocolVersion: '2025-11-25',
            capabilities: {},
            clientInfo: { name: 't', version: '1' },
          }),
        );
      const [first, second] = [await open(), await open()];
      const ids = [first, second].map((res) => res.headers.get('mcp-session-id') ?? '');
      expect(new Set(ids).size).toBe(2);
      // A version 4 UUID has 122 random bits.
      for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(await first.json()).toMatchObject({
        result: { serverInfo: { name: 'agent-service' }, capabilities: { tools: {} } },
      });
    });

    // Shows in 2025-11-25: stream.primer, stream.retry, resume.after-last
    it('lets a client resume the response to a call that released its connection', async () => {
      const res = await send('2025-11-25', 'tools/call', { name: 'test_reconnection', arguments: {} });
      const [, id = ''] = /^id: (\S+)\ndata: \n\nretry: \d+\n\n$/.exec(await res.text()) ?? [];
      const headers = { authorization: `Bearer ${KEY}`, ...session, 'last-event-id': id };
      expect((await messagesIn(await fetch(service.mcpUrl, { headers }))).at(-1)).toMatchObject({
        id: 1,
        result: { content: [{ text: 'Finished after the response was let go.' }] },
      });
    });

    // Shows in 2025-11-25: lifecycle.client-capabilities
    it('does not ask a client that did not say that it can be asked', async () => {
      const asked = await messages('2025-11-25', 'tools/call', {
        name: 'test_elicitation',
        arguments: { message: 'Name?' },
      });
      expect(asked.filter(({ method }) => method === 'elicitation/create')).toEqual([]);
      expect(asked.at(-1)).toMatchObject({ id: 1, result: { isError: true } });
    });

    // Shows in 2025-11-25: cancel.unknown
    it.each([{ requestId: 'never was' }, { requestId: { no: 'id' } }, {}])(
      'ignores the cancellation %j',
      async (params) => {
        const notification = { jsonrpc: '2.0', method: 'notifications/cancelled', params };
        expect((await service.post(notification, session)).status).toBe(202);
        expect(await answer('2025-11-25', 'ping')).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
      },
    );
  });

  describe('without sessions', () => {
    const era = '2026-07-28';
    /** Calls a tool as a client that supports all kinds of input requests. */
    const ask = (
      name: string,
      more: Message = {},
      capabilities: Message = { elicitation: {}, sampling: {}, roots: {} },
    ) => call(era, name, {}, { ...more, _meta: { [CAPABILITIES]: capabilities } });
    const stateOf = async (name: string) => ((await ask(name))['result'] as { requestState: string }).requestState;
    const confirmed = { confirm: { action: 'accept', content: { ok: true } } };

    // Shows in 2026-07-28: discover, envelope.server-info, jsonrpc.result-type
    it('says in every result who it is, and which sort of result it is', async () => {
      expect((await answer(era, 'server/discover'))['result']).toMatchObject({ supportedVersions: [era] });
      for (const [method, params] of [
        ['server/discover', {}],
        ['tools/list', {}],
        ['tools/call', { name: 'echo', arguments: { text: 'x' } }],
        ['resources/read', { uri: 'test://static-text' }],
      ] as const) {
        expect((await answer(era, method, params))['result']).toMatchObject({
          resultType: 'complete',
          _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'agent-service' } },
        });
      }
    });

    // Shows in 2026-07-28: envelope.missing-capability, input.declared
    it('refuses a call that needs what the client did not declare', async () => {
      const res = await send(era, 'tools/call', { name: 'test_missing_capability', arguments: {} });
      expect([res.status, await res.json()]).toMatchObject([
        400,
        { id: 1, error: { code: -32021, data: { requiredCapabilities: { sampling: {} } } } },
      ]);
    });

    // Shows in 2026-07-28: stream.unbuffered, logging.unasked, logging.own-stream
    it('sends log messages only to who asked, and only on the response', async () => {
      const changes = await listen(era);
      expect(changes.headers.get('x-accel-buffering')).toBe('no');
      const tool = { name: 'test_logging_tool', arguments: {} };
      const asked = await send(era, 'tools/call', { ...tool, _meta: { [LOG_LEVEL]: 'debug' } });
      expect(asked.headers.get('x-accel-buffering')).toBe('no');
      expect(await asked.text()).toContain('notifications/message');
      expect(JSON.stringify(await messages(era, 'tools/call', tool))).not.toContain('notifications/message');
      service.app.get(EventBus).emit('prompts.changed', {});
      await until(() => changes.text.includes('prompts/list_changed'));
      expect(changes.text).not.toContain('notifications/message');
      await changes.close();
    });

    // Shows in 2026-07-28: caching.hints, caching.unfinished
    it('sends cache hints for what may be kept, except for results that ask', async () => {
      for (const method of [
        'server/discover',
        'tools/list',
        'prompts/list',
        'resources/list',
        'resources/templates/list',
        'resources/read',
      ]) {
        const { result } = await answer(era, method, method === 'resources/read' ? { uri: 'test://static-text' } : {});
        const { ttlMs, cacheScope } = result as { ttlMs: number; cacheScope: string };
        expect([method, Number.isInteger(ttlMs) && ttlMs >= 0, cacheScope]).toEqual([method, true, 'private']);
      }
      expect((await ask('test_input_required_result_request_state'))['result']).not.toHaveProperty('ttlMs');
    });

    // Shows in 2026-07-28: input.requests, stream.no-requests
    it('asks in the result, never by sending a request', async () => {
      const _meta = { [CAPABILITIES]: { elicitation: {} }, progressToken: 1 };
      const all = await messages(era, 'tools/call', {
        name: 'test_input_required_result_elicitation',
        arguments: {},
        _meta,
      });
      expect(all).toHaveLength(1);
      expect(all[0]).toMatchObject({
        id: 1,
        result: { resultType: 'input_required', inputRequests: { user_name: { method: 'elicitation/create' } } },
      });
    });

    // Shows in 2026-07-28: input.tampered, input.other-request
    it('continues with the state that it gave for this very call, and with no other', async () => {
      const tool = 'test_input_required_result_tampered_state';
      const [own, foreign] = [await stateOf(tool), await stateOf('test_input_required_result_request_state')];
      const retry = (requestState: string) => ask(tool, { inputResponses: confirmed, requestState });
      expect(await retry(own)).toMatchObject({ result: { content: [{ text: 'state intact' }] } });
      for (const state of [`${own}x`, own.slice(0, -4), 'x', foreign]) {
        expect([state, await retry(state)]).toMatchObject([state, { error: { code: -32602 } }]);
      }
      const changed = { arguments: { to: 'something else' }, inputResponses: confirmed, requestState: own };
      expect(await ask(tool, changed)).toMatchObject({ error: { code: -32602 } });
    });

    // Shows in 2026-07-28: input.again, input.more
    it('asks again for what is missing, and ignores what it did not ask for', async () => {
      const tool = 'test_input_required_result_elicitation';
      const name = { action: 'accept', content: { name: 'Ada' } };
      expect(await ask(tool, { inputResponses: { other: name } })).toMatchObject({
        result: { resultType: 'input_required', inputRequests: { user_name: {} } },
      });
      expect(await ask(tool, { inputResponses: { user_name: name, other: name } })).toMatchObject({
        result: { resultType: 'complete', content: [{ text: 'Hello, Ada!' }] },
      });
    });
  });
});

/** The data received on a stream so far. */
class Heard {
  text = '';
  private readonly reader;

  constructor(private readonly res: Response) {
    this.reader = res.body?.pipeThrough(new TextDecoderStream()).getReader();
    void this.read();
  }

  get headers(): Headers {
    return this.res.headers;
  }

  async close(): Promise<void> {
    await this.reader?.cancel();
  }

  private async read(): Promise<void> {
    for (let chunk = await this.reader?.read(); chunk && !chunk.done; chunk = await this.reader?.read()) {
      this.text += chunk.value;
    }
  }
}

/** Returns the messages of a response, JSON or event stream. */
async function messagesIn(res: Response): Promise<Message[]> {
  const text = await res.text();
  if (res.headers.get('content-type') !== 'text/event-stream') return [JSON.parse(text) as Message];
  return [...text.matchAll(/^data: (.+)$/gm)].map(([, data = '']) => JSON.parse(data) as Message);
}

function skillNamed(name: string): new () => SkillHandler {
  @Skill({ name, description: 'Use this to fill a page.' })
  class Filler implements SkillHandler {
    execute(): string {
      return name;
    }
  }
  return Filler;
}
