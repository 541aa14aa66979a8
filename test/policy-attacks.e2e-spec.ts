import { FeedStore } from '../src/features/feeds/store/feed.store.js';
import { newFeed } from '../src/features/feeds/testing.js';
import { MemoryService } from '../src/features/memory/memory.service.js';
import { TestService } from './support/service.js';

type Message = Record<string, unknown>;

interface Answer {
  status: number;
  text: string;
}

/** Ways to bypass a policy. None of them may read `secret`, or save into it. */
describe('policies cannot be bypassed', () => {
  let service: TestService;
  let key: string;
  TestService.forSuite(async (started) => {
    service = started;
    key = String((await service.admin('POST', 'clients', { name: 'mallory', groups: ['outside'] })).body['key']);
    const policies = {
      'no-secret-reading': `forbid(principal in Group::"outside", action == Action::"readResource", resource)
        when { resource.uri like "memory://secret/*" || resource.uri == "memory://public/diary" || resource.uri like "config://mcp.*" || resource.uri like "rss://secret*" };`,
      'no-secret-saving': `forbid(principal in Group::"outside", action == Action::"callTool", resource == Tool::"memory_save")
        when { context.args has namespace && context.args.namespace == "secret" };`,
      'no-removing': 'forbid(principal in Group::"outside", action, resource == Tool::"memory_remove");',
    };
    for (const [name, policy] of Object.entries(policies)) {
      expect((await service.admin('POST', 'policies', { name, policy })).status).toBe(201);
    }
    await memory().save({ namespace: 'secret', key: 'word', content: 'xyzzy', client: 'admin' });
    await memory().save({ namespace: 'public', key: 'diary', content: 'Hired Eve.', client: 'admin' });
    for (const id of ['public-feed', 'secret-feed'])
      await service.app.get(FeedStore, { strict: false }).create(newFeed({ id, url: `https://news.example/${id}` }));
  });

  const memory = () => service.app.get(MemoryService, { strict: false });
  const answerOf = async (res: Response): Promise<Answer> => ({ status: res.status, text: await res.text() });
  const request = async (method: string, params: Message, headers: Record<string, string> = {}): Promise<Answer> =>
    answerOf(await service.postStateless(method, params, { authorization: `Bearer ${key}`, ...headers }));
  const call = (name: string, args: unknown) => request('tools/call', { name, arguments: args });

  it.each([
    'memory://secret/word',
    'MEMORY://secret/word',
    'Memory://secret/word',
    'memory://SECRET/word',
    'memory://secret/word/history',
    'memory://secret/word/',
    'memory://secret//word',
    'memory://secret/./word',
    'memory://public/../secret/word',
    'memory://public/%2e%2e/secret/word',
    'memory://%73ecret/word',
    'memory://secret%2fword',
    'memory:secret/word',
    'memory:///secret/word',
    'memory://user@secret/word',
    'memory://secret:1/word',
    'memory://ｓｅｃｒｅｔ/word',
    'memory://ѕecret/word',
    'memory://sec\u00adret/word',
    'memory://secret\u200b/word',
    ' memory://secret/word',
    'memory://secret/word ',
    'memory://secret/word?x',
    'memory://secret/word#x',
    'memory://secret\\word',
    'file:///etc/passwd',
    'config://mcp.api_key',
    'config://mcp%2eapi_key',
    'config://%6dcp.api_key',
    'CONFIG://mcp.api_key',
    'config:mcp.api_key',
    'config:////mcp.api_key',
  ])('by the URI %j', async (uri) => {
    for (const answer of [
      await request('resources/read', { uri }, { 'mcp-name': encodeURI(uri) }),
      await service
        .post(
          { jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri } },
          { ...(await session()), authorization: `Bearer ${key}` },
        )
        .then(answerOf),
      await call('resource_read', { uri }),
    ]) {
      expect(answer.status).toBeLessThan(500);
      expect(answer.text).not.toMatch(/xyzzy|minimumLength|"isSet"/);
    }
  });

  let opened: Record<string, string> | null = null;
  async function session(): Promise<Record<string, string>> {
    if (opened) return opened;
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } };
    const initialize = { jsonrpc: '2.0', id: 1, method: 'initialize', params };
    const res = await service.post(initialize, { authorization: `Bearer ${key}` });
    expect(res.status).toBe(200);
    opened = { 'mcp-session-id': res.headers.get('mcp-session-id') ?? '' };
    return opened;
  }

  it.each([
    ['as it is', { namespace: 'secret' }],
    ['a list of it', { namespace: ['secret'] }],
    ['an object with a text of its own', { namespace: { toString: 'secret' } }],
    ['a function of Cedar', { namespace: { __extn: { fn: 'unknown', arg: 'x' } } }],
    ['an entity of Cedar', { namespace: { __entity: { type: 'Client', id: 'admin' } } }],
    ['null', { namespace: null }],
    ['other letters', { namespace: 'SECRET' }],
    ['letters that look alike', { namespace: 'ѕecret' }],
    ['an invisible letter', { namespace: 'secret\u200b' }],
    ['half a character', { namespace: 'secret\ud800' }],
    ['a space', { namespace: 'secret ' }],
    ['a path', { namespace: 'public/../secret' }],
    ['a prototype', JSON.parse('{"__proto__": {"namespace": "secret"}}') as object],
    ['a constructor', { constructor: { prototype: { namespace: 'secret' } } }],
    ['many levels', { namespace: JSON.parse(`${'['.repeat(60)}"secret"${']'.repeat(60)}`) as unknown }],
  ])('by a namespace that is %s', async (_what, args) => {
    const before = (await memory().listPage({ limit: 100, namespace: 'secret' })).items.length;
    const answer = await call('memory_save', { key: 'stolen', content: 'by mallory', ...args });
    expect(answer.status).toBeLessThan(500);
    expect((await memory().listPage({ limit: 100, namespace: 'secret' })).items).toHaveLength(before);
  });

  it('by guessing what an entry says', async () => {
    const answer = await call('memory_save', { namespace: 'public', key: 'guess', content: 'hired eve' });
    expect(await memory().find('public', 'guess')).toMatchObject({ content: 'hired eve' });
    expect(answer.text).toContain('Remembered as memory://public/guess');
    expect(answer.text).not.toContain('diary');
    const again = await call('memory_save', { namespace: 'public', key: 'guess-2', content: 'hired eve' });
    expect(again.text).not.toContain('diary');
  });

  it('by a namespace that is sent twice', async () => {
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'memory_save', arguments: { key: 'stolen', content: 'x', namespace: 'TWICE' } },
    }).replace('"namespace":"TWICE"', '"namespace":"public","namespace":"secret"');
    await service.post(body, { ...(await session()), authorization: `Bearer ${key}` });
    expect(await memory().find('secret', 'stolen')).toBeUndefined();
  });

  it.each([
    'memory_remove',
    'MEMORY_REMOVE',
    'memory_remove ',
    ' memory_remove',
    'memory_remove\u200b',
    'memоry_remove',
    'memory_remove\n',
    './memory_remove',
    'memory_remove#',
    '__proto__',
    'constructor',
    'toString',
  ])('by the tool name %j', async (name) => {
    const header = /^[ -~]+$/.test(name) ? name : encodeURIComponent(name);
    const answer = await request(
      'tools/call',
      { name, arguments: { key: 'word', namespace: 'secret' } },
      { 'mcp-name': header },
    );
    expect(answer.status).toBeLessThan(500);
    expect((await memory().find('secret', 'word'))?.content).toBe('xyzzy');
  });

  it('by headers that name another tool than the body', async () => {
    const params = { name: 'memory_remove', arguments: { key: 'word', namespace: 'secret' } };
    const { status } = await request('tools/call', params, { 'mcp-name': 'system_info' });
    expect(status).toBe(400);
    expect(await memory().find('secret', 'word')).toBeDefined();
  });

  it('by a batch in which the others are allowed', async () => {
    const params = { protocolVersion: '2025-03-26', capabilities: {}, clientInfo: { name: 'x', version: '1' } };
    const authorization = `Bearer ${key}`;
    const begun = await service.post({ jsonrpc: '2.0', id: 1, method: 'initialize', params }, { authorization });
    const batch = ['system_info', 'memory_remove', 'system_info'].map((name, id) => ({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: { name, arguments: name === 'memory_remove' ? { key: 'word', namespace: 'secret' } : {} },
    }));
    const headers = { 'mcp-session-id': begun.headers.get('mcp-session-id') ?? '', authorization };
    const answers = JSON.parse(
      (await answerOf(await service.post(batch, headers))).text.replace(/^[^[{]*data: /s, ''),
    ) as unknown;
    expect(JSON.stringify(answers)).toContain('policy no-removing forbids');
    expect(await memory().find('secret', 'word')).toBeDefined();
  });

  it('by claiming to be somebody else', async () => {
    const _meta = {
      'io.modelcontextprotocol/clientInfo': { name: 'admin', version: '1' },
      client: 'admin',
      groups: [],
      principal: { type: 'Client', id: 'admin' },
    };
    const params = { name: 'memory_remove', arguments: { key: 'word', namespace: 'secret' }, _meta };
    const headers = { 'x-client': 'admin', 'x-forwarded-user': 'admin', 'x-groups': 'admins' };
    expect((await request('tools/call', params, headers)).text).toContain('policy no-removing forbids');
    expect(await memory().find('secret', 'word')).toBeDefined();
  });

  it('by completions', async () => {
    await memory().save({ namespace: 'public', key: 'word', content: 'x', client: 'admin' });
    await memory().save({ namespace: 'secret', key: 'hidden-word', content: 'x', client: 'admin' });
    const complete = async (name: string, value: string, chosen: Record<string, string> = {}) => {
      const params = {
        ref: { type: 'ref/resource', uri: 'memory://{namespace}/{key}' },
        argument: { name, value },
        context: { arguments: chosen },
      };
      const { result } = JSON.parse((await request('completion/complete', params)).text) as {
        result: { completion: { values: string[] } };
      };
      return result.completion.values;
    };
    // Entries saved above without a namespace are in `shared`.
    expect(await complete('namespace', '')).toEqual(['public', 'shared']);
    expect(await complete('key', 'w', { namespace: 'public' })).toEqual(['word']);
    expect(await complete('key', '', { namespace: 'secret' })).toEqual([]);
    expect(await complete('key', 'hidden')).toEqual([]);
    expect(await complete('x', 'hidden')).toEqual([]);
  });

  it.each(['memory://public/{key}', 'memory://public/{namespace}', 'MEMORY://{namespace}/{key}', 'memory://{key}'])(
    'by completions of a template that no store has: %s',
    async (uri) => {
      const text = await Promise.all(
        ['namespace', 'key'].map(async (name) => {
          const [ref, argument] = [
            { type: 'ref/resource', uri },
            { name, value: '' },
          ];
          const context = { arguments: { namespace: 'secret' } };
          return (await request('completion/complete', { ref, argument, context })).text;
        }),
      );
      expect(text.join()).not.toMatch(/"secret"|hidden-word/);
      for (const one of text) expect(JSON.parse(one)).toMatchObject({ error: { code: -32602 } });
    },
  );

  it.each(['feed_items', 'feed_unsubscribe'])('by the names in an error of %s', async (tool) => {
    const { text } = await call(tool, { feed: 'gone' });
    expect(text).toContain('The feeds are: public-feed.');
  });

  it('by lists and searches, which show the rest', async () => {
    const listed = (await request('resources/list', {})).text;
    expect(listed).toContain('memory://public/word');
    expect(listed).not.toContain('memory://secret');
    const found = (await call('memory_search', { query: 'word x', limit: 1 })).text;
    expect(found).toContain('memory://public/word');
    expect(found).not.toContain('memory://secret');
  });
});
