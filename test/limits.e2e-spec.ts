import { ServerProcess } from './harness/server-process.js';
import { sendStateless } from './harness/stateless-message.js';
import { describeOnNewPostgres } from './support/postgres.js';
import { KEY, TestService } from './support/service.js';
import { until } from './support/until.js';
import { temporaryFolder } from './support/temporary-folder.js';

type Body = Record<string, unknown>;

const rpc = (method: string, params: Body = {}, id: unknown = 1) => ({ jsonrpc: '2.0', id, method, params });

describe('what one caller can make the service store', () => {
  let service: TestService;
  beforeEach(async () => void (service = await TestService.start()));
  afterEach(() => service.stop());

  const messageOf = async (res: Response) => ((await res.json()) as { error: { message: string } }).error.message;
  const overviewBytes = async () => JSON.stringify((await service.admin('GET', 'overview')).body).length;

  it('refuses a batch of 5,000 requests at once', async () => {
    const session = await service.openSession('2025-03-26');
    const batch = (length: number) => Array.from({ length }, (_, id) => rpc('tools/list', {}, id));
    const refused = await service.post(batch(5_000), session);
    expect(refused.status).toBe(400);
    expect(await messageOf(refused)).toContain('the limit is 100');
    expect((await service.post(batch(100), session)).status).toBe(200);
  });

  it('keeps only a little of the sent names in its statistics', async () => {
    for (let count = 0; count < 55; count += 1) {
      const args = { [`${count}${'x'.repeat(1_000_000)}`]: 1 };
      const res = await service.postStateless('tools/call', { name: 'system_info', arguments: args });
      expect((await res.text()).length).toBeLessThan(1_000);
      const uri = `x://${count}${'x'.repeat(2_000)}`;
      await service.postStateless('tools/call', { name: 'resource_read', arguments: { uri } });
    }
    const errors = async () => (await service.admin('GET', 'overview')).body['latestErrors'] as unknown[];
    // They are recorded asynchronously.
    await until(async () => (await errors()).length === 50);
    expect(await overviewBytes()).toBeLessThan(100_000);
  });

  it('refuses an initialize of 4 MB', async () => {
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x'.repeat(4_000_000) } };
    const res = await service.post(rpc('initialize', params));
    expect([res.status, res.headers.get('mcp-session-id')]).toEqual([413, null]);
    expect(await messageOf(res)).toContain('the limit is 16384');
  });

  it('accepts 1,000 subscriptions of a session, but no more', async () => {
    const session = await service.openSession('2025-03-26');
    const subscribe = async (from: number, to: number) => {
      const uris = Array.from({ length: to - from }, (_, index) => `memory://team/${from + index}`);
      const res = await service.post(
        uris.map((uri, id) => rpc('resources/subscribe', { uri }, id)),
        session,
      );
      return (await res.json()) as { error?: { message: string } }[];
    };
    for (let from = 0; from < 1_000; from += 100) {
      expect((await subscribe(from, from + 100)).filter(({ error }) => error)).toEqual([]);
    }
    const [beyond] = await subscribe(1_000, 1_001);
    expect(beyond?.error?.message).toContain('may watch 1000 resources and tasks');
  });

  it('makes an address that guesses keys wait, but lets the right key in', async () => {
    const tried = (key: string) => service.post(rpc('ping'), { authorization: `Bearer ${key}` });
    for (let count = 0; count < 30; count += 1) expect((await tried(`wrong-${count}`)).status).toBe(401);
    const refused = await tried('wrong-again');
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await messageOf(refused)).toContain('invalid API keys');
    expect((await fetch(service.mcpUrl, { method: 'POST' })).status).toBe(401);
    expect((await service.postStateless('tools/list')).status).toBe(200);
  });
});

describe('a server with little memory', () => {
  let server: ServerProcess;
  beforeAll(async () => {
    server = await ServerProcess.start({
      env: { DATA_DIR: temporaryFolder(), MCP_API_KEY: KEY, LOG_LEVEL: 'error' },
      heapMegabytes: 200,
    });
  });
  afterAll(() => server?.stop());

  const listTools = async (programName: string) => {
    const _meta = { 'io.modelcontextprotocol/clientInfo': { name: programName, version: '1' } };
    const res = await sendStateless(server.origin, KEY, 'tools/list', { _meta });
    await res.arrayBuffer();
    return res.status;
  };

  it('does not hold long names of programs: all of them would not fit', async () => {
    for (let count = 0; count < 90; count += 1) {
      expect(await listTools(`${count}${'x'.repeat(3_000_000)}`)).toBe(200);
    }
    expect(server.isRunning).toBe(true);
  });
});

describeOnNewPostgres('text that PostgreSQL does not store', (database) => {
  let service: TestService;
  beforeAll(async () => void (service = await TestService.start({ env: { DATABASE_URL: database.url } })));
  afterAll(() => service.stop());

  const STRANGE = ['a\u0000b', 'a\ud800b'];
  const cursorOf = (...parts: string[]) => Buffer.from(JSON.stringify(parts)).toString('base64url');

  it.each(STRANGE)('causes no server error in %j', async (text) => {
    const session = await service.openSession();
    const call = (name: string, args: Body) => rpc('tools/call', { name, arguments: args });
    const messages = [
      rpc('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: text, version: text } }),
      rpc('ping', {}, text),
      rpc(text),
      rpc('tools/list', { cursor: text }),
      ...['memory', 'knowledge', 'rss', text].flatMap((scheme) => [
        rpc('resources/list', { cursor: cursorOf(scheme, cursorOf(text, text)) }),
        rpc('resources/list', { cursor: cursorOf(scheme, cursorOf(text, text, text)) }),
        rpc('resources/list', { cursor: cursorOf(scheme, cursorOf(text)) }),
      ]),
      ...[`memory://${text}/x`, `knowledge://documents/${text}`, `rss://feeds/${text}`, 'memory://a%00b/c'].flatMap(
        (uri) => [
          rpc('resources/read', { uri }),
          rpc('resources/subscribe', { uri }),
          rpc('completion/complete', { ref: { type: 'ref/resource', uri }, argument: { name: text, value: text } }),
          call('resource_read', { uri }),
        ],
      ),
      ...['namespace', 'key'].map((name) =>
        rpc('completion/complete', {
          ref: { type: 'ref/resource', uri: 'memory://{namespace}/{key}' },
          argument: { name, value: 'a' },
          context: { arguments: { namespace: text } },
        }),
      ),
      rpc('prompts/get', { name: text, arguments: { [text]: text } }),
      rpc('logging/setLevel', { level: text }),
      call(text, {}),
      call('memory_save', { key: 'k', content: `note ${text}`, tags: [text], namespace: 'n' }),
      call('memory_search', { query: text }),
      call('memory_search', { query: text, namespace: text }),
      call('memory_remove', { key: text, namespace: text }),
      call('knowledge_save', { title: text, content: text, tags: [text] }),
      call('knowledge_save', { title: text, content: text, id: text }),
      call('knowledge_search', { query: text, tags: [text] }),
      call('knowledge_remove', { id: text }),
      call('knowledge_restore', { id: text }),
      call('feed_items', { feed: text, query: text }),
      call('feed_items', { query: text }),
      call('feed_unsubscribe', { feed: text }),
    ];
    for (const message of messages) {
      const res = await service.post(message, message.method === 'initialize' ? {} : session);
      const answer = await res.text();
      expect([res.status < 500, JSON.stringify(message)]).toEqual([true, JSON.stringify(message)]);
      expect(answer).not.toMatch(/service log says more|invalid byte sequence|encoding/);
    }
    const saved = await service.postStateless('tools/call', { name: 'memory_search', arguments: { query: 'note' } });
    expect(await saved.text()).toContain('Nothing is remembered about'); // it was refused, not changed
  });

  it('causes no server error in headers', async () => {
    const session = await service.openSession();
    const headers = ['%00', '\u00e9\u00ff', 'x'.repeat(5_000)].flatMap((text) => [
      { ...session, 'last-event-id': text },
      { 'mcp-session-id': text },
      { ...session, 'last-event-id': `${'a'.repeat(64)}.1` },
    ]);
    for (const [index, header] of headers.entries()) {
      const res = await fetch(service.mcpUrl, { headers: { authorization: `Bearer ${KEY}`, ...header } });
      expect([index, res.status < 500]).toEqual([index, true]);
      await res.body?.cancel();
    }
  });
});

interface Schema {
  type?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  maxLength?: number;
  maxItems?: number;
  pattern?: string;
  enum?: unknown[];
  $ref?: string;
  allOf?: Schema[];
}

interface Operation {
  requestBody?: { content: Record<string, { schema: Schema }> };
  parameters?: { name: string; in: string; schema: Schema }[];
}

interface OpenApi {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

/** Returns the places in a schema where a text or list has no maximum length. */
function boundless(schema: Schema, path: string, named: Record<string, Schema> = {}): string[] {
  const { $ref, type, properties = {}, items, allOf = [] } = schema;
  if ($ref) return boundless(named[$ref.split('/').at(-1) ?? ''] ?? {}, path, named);
  const isBoundless =
    (type === 'string' && schema.maxLength === undefined && !schema.pattern && !schema.enum) ||
    (type === 'array' && schema.maxItems === undefined);
  return [
    ...(isBoundless ? [path] : []),
    ...(items ? boundless(items, `${path}[]`, named) : []),
    ...allOf.flatMap((part) => boundless(part, path, named)),
    ...Object.entries(properties).flatMap(([name, property]) => boundless(property, `${path}.${name}`, named)),
  ];
}

describe('the length of what callers send', () => {
  let service: TestService;
  TestService.forSuite((started) => (service = started));

  it('is bounded in every tool', async () => {
    const answer = await service.postStateless('tools/list');
    const { result } = (await answer.json()) as { result: { tools: { name: string; inputSchema: Schema }[] } };
    expect(result.tools.length).toBeGreaterThan(8);
    expect(result.tools.flatMap(({ name, inputSchema }) => boundless(inputSchema, name))).toEqual([]);
  });

  it('is bounded in the admin API', async () => {
    const { body } = await service.admin('GET', 'openapi.json');
    const paths = body['paths'] as OpenApi['paths'];
    const components = body['components'] as OpenApi['components'];
    const found = Object.entries(paths).flatMap(([path, operations]) =>
      Object.entries(operations).flatMap(([method, { requestBody, parameters = [] }]) => [
        ...Object.values(requestBody?.content ?? {}).flatMap(({ schema }) =>
          boundless(schema, `${method} ${path}`, components.schemas),
        ),
        ...parameters
          .filter((parameter) => parameter.in === 'query')
          .flatMap(({ name, schema }) => boundless(schema, `${method} ${path}?${name}`, components.schemas)),
      ]),
    );
    expect(found).toEqual([]);
  });
});
