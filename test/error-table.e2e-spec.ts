import { request as httpRequest } from 'node:http';
import { connect as connectTcp } from 'node:net';
import { KEY, TestService } from './support/service.js';
import { TestSkillsModule } from './support/test-skills.module.js';

const rpc = (method: string, params: object = {}, id: unknown = 1) => ({ jsonrpc: '2.0', id, method, params });
const call = (name: unknown, args: unknown = {}) => rpc('tools/call', { name, arguments: args });
const anyText = expect.any(String) as unknown;

describe.each(['/mcp', '/mcp/'] as const)('errors of the endpoint at %s', (path) => {
  let service: TestService;
  let session: Record<string, string>;

  beforeAll(async () => {
    service = await TestService.start({ imports: [TestSkillsModule], env: { MCP_MAX_BODY_BYTES: '20000' }, path });
    session = await service.openSession('2025-06-18');
  });
  afterAll(() => service.stop());

  it('accepts the handshake of a script that leaves out its version', async () => {
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test' } };
    const res = await service.post(rpc('initialize', params));
    expect(res.status).toBe(200);
    expect(res.headers.get('mcp-session-id')).toMatch(/^[!-~]+$/);
    expect(await res.json()).toMatchObject({ id: 1, result: { protocolVersion: '2025-06-18' } });
  });

  // Shows in both eras: http.authentication
  it.each([
    ['no key', {}, 'error_description="API key missing: '],
    ['a wrong key', { authorization: 'Bearer nope' }, 'error="invalid_token", error_description="Invalid API key: '],
    [
      'another scheme',
      { authorization: `Basic ${Buffer.from(`a:${KEY}`).toString('base64')}` },
      'error="invalid_token", error_description="Invalid API key: ',
    ],
    ['an empty key', { authorization: 'Bearer ' }, 'error="invalid_token", error_description="Invalid API key: '],
  ])('answers %s with 401, what to do, and no way into OAuth', async (_case, headers: Record<string, string>, says) => {
    for (const method of ['POST', 'GET', 'DELETE']) {
      const res = await fetch(service.mcpUrl, { method, headers, ...(method === 'POST' && { body: '{"truncated' }) });
      expect([method, res.status]).toEqual([method, 401]);
      // RFC 6750, section 3: attributes are quoted, and contain no quotes themselves.
      expect(res.headers.get('www-authenticate')).toMatch(/^Bearer( [a-z_]+="[^"]+",?)+$/);
      expect(res.headers.get('www-authenticate')).toContain(`Bearer realm="Agent Service", ${says}`);
      expect(res.headers.get('www-authenticate')).not.toContain('resource_metadata');
      expect(await res.json()).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32000, message: anyText } });
    }
  });

  it.each([
    ['GET', '/.well-known/oauth-authorization-server', 404],
    ['GET', '/.well-known/oauth-authorization-server/mcp', 404],
    ['GET', '/.well-known/oauth-protected-resource', 404],
    ['GET', '/.well-known/oauth-protected-resource/mcp', 404],
    ['GET', '/.well-known/openid-configuration', 404],
    ['GET', '/mcp/.well-known/openid-configuration', 404],
    ['POST', '/register', 400],
    ['GET', '/authorize', 400],
    ['POST', '/token', 400],
  ])('informs a client that looks for OAuth at %s %s that there are API keys', async (method, path, status) => {
    const res = await fetch(new URL(path, service.mcpUrl), { method, ...(method === 'POST' && { body: '{"a": ' }) });
    expect([res.status, res.headers.get('content-type')]).toEqual([status, 'application/json; charset=utf-8']);
    expect(await res.json()).toEqual({
      error: anyText,
      error_description: expect.stringContaining('uses an API key') as string,
    });
  });

  it('checks the key before it reads the body', async () => {
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const headers = { 'content-type': 'application/json', 'content-length': '1000000' };
      const req = httpRequest(service.mcpUrl, { method: 'POST', headers }, (res) => resolve(res.statusCode));
      req.on('error', reject);
      req.write('{'); // the rest is never sent
    });
    expect(status).toBe(401);
  });

  it('accepts the scheme in any case', async () => {
    expect((await service.post(rpc('ping'), { ...session, authorization: `bearer ${KEY}` })).status).toBe(200);
  });

  // Shows in 2025-11-25: ping
  it('answers directly, without a redirect', async () => {
    const res = await fetch(service.mcpUrl, {
      method: 'POST',
      redirect: 'error',
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json', ...session },
      body: JSON.stringify(rpc('ping')),
    });
    expect(await res.json()).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
  });

  it.each([
    '*/*',
    'application/json',
    'text/event-stream',
    'application/json, text/event-stream',
    'text/html',
    undefined,
  ])('serves a caller that accepts %s', async (accept) => {
    const res = await fetch(service.mcpUrl, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${KEY}`,
        'content-type': 'application/json',
        ...session,
        ...(accept && { accept }),
      },
      body: JSON.stringify(call('echo', { text: 'hi' })),
    });
    expect(res.status).toBe(200);
    expect(await res.text()).toContain('"hi"');
  });

  // Shows in both eras: http.origin
  // Shows in 2025-11-25: version.header
  it.each<[string, unknown, Record<string, string>, number, number]>([
    ['a foreign Origin', rpc('ping'), { origin: 'https://evil.example.com' }, 403, -32000],
    ['an opaque Origin', rpc('ping'), { origin: 'null' }, 403, -32000],
    ['a body that is not JSON', '{"jsonrpc":', {}, 400, -32700],
    ['a body that is not UTF-8 JSON but HTML', '<html>', {}, 400, -32700],
    ['a body that is not JSON-RPC', { hello: 1 }, {}, 400, -32600],
    ['an object for an id', rpc('ping', {}, {}), {}, 400, -32600],
    ['another content type', '{}', { 'content-type': 'application/x-www-form-urlencoded' }, 415, -32000],
    ['a compressed body', '{}', { 'content-encoding': 'gzip' }, 415, -32000],
    ['a body beyond the limit', 'x'.repeat(20_001), {}, 413, -32000],
    ['a call without a session', call('echo', { text: 'x' }), {}, 400, -32000],
    ['a call in a session that never existed', call('echo', { text: 'x' }), { 'mcp-session-id': 'gone' }, 404, -32001],
    ['a version that never existed', rpc('ping'), { 'mcp-protocol-version': '1999-01-01' }, 400, -32022],
  ])('answers %s', async (_case, body, headers, status, code) => {
    const res = await service.post(body, headers);
    expect(res.status).toBe(status);
    expect(res.headers.get('content-type')).toBe('application/json');
    expect(await res.json()).toMatchObject({ jsonrpc: '2.0', error: { code, message: anyText } });
  });

  // Shows in 2025-11-25: jsonrpc.unknown-method, tools.unknown, resources.not-found
  it.each<[string, object, number]>([
    ['an unknown method', rpc('no/such'), -32601],
    ['an unknown tool', call('no_such_tool'), -32602],
    ['a tool without a name', call(undefined), -32602],
    ['params of the wrong type', rpc('resources/read', { uri: 5 }), -32602],
    ['an invalid cursor', rpc('tools/list', { cursor: 'nonsense' }), -32602],
    ['an unknown prompt', rpc('prompts/get', { name: 'nope' }), -32602],
    ['an unknown resource', rpc('resources/read', { uri: 'config://nope' }), -32002],
    ['a resource that no store owns', rpc('resources/read', { uri: 'nope://x' }), -32002],
  ])('answers %s within a 200 in the 2025 era', async (_case, body, code) => {
    const res = await service.post(body, session);
    expect(res.status).toBe(200);
    expect(await res.json()).toMatchObject({ id: 1, error: { code, message: anyText } });
  });

  // Shows in 2026-07-28: tools.unknown, resources.not-found, errors.retired
  it.each<[string, string, Record<string, unknown>, number, number]>([
    ['an unknown method', 'no/such', {}, 404, -32601],
    ['an unknown tool', 'tools/call', { name: 'no_such_tool' }, 200, -32602],
    ['an unknown resource', 'resources/read', { uri: 'config://nope' }, 200, -32602],
    ['params of the wrong type', 'resources/read', { uri: 5 }, 200, -32602],
  ])('answers %s in 2026-07-28', async (_case, method, params, status, code) => {
    const res = await service.postStateless(method, params);
    expect(res.status).toBe(status);
    expect(await res.json()).toMatchObject({ id: 1, error: { code, message: anyText } });
  });

  it('names the resource that does not exist', async () => {
    const res = await service.postStateless('resources/read', { uri: 'config://nope' });
    expect(await res.json()).toMatchObject({ error: { data: { uri: 'config://nope' } } });
  });

  it.each<[string, Record<string, string>, Record<string, unknown>, number]>([
    ['a version that is not served', { 'mcp-protocol-version': '2099-01-01' }, meta('2099-01-01'), -32022],
    ['a header that is missing', { 'mcp-method': '' }, {}, -32020],
    ['headers that contradict the body', { 'mcp-name': 'other' }, {}, -32020],
  ])('answers %s with 400 in 2026-07-28', async (_case, headers, params, code) => {
    const res = await service.postStateless(
      'tools/call',
      { name: 'echo', arguments: { text: 'x' }, ...params },
      headers,
    );
    expect(res.status).toBe(400);
    expect(await res.json()).toMatchObject({ id: 1, error: { code } });
  });

  it('refuses a foreign Host while it listens on loopback only', async () => {
    const headers = { host: 'evil.example.com', authorization: `Bearer ${KEY}` };
    const status = await new Promise((resolve, reject) => {
      httpRequest(service.mcpUrl, { method: 'POST', headers }, (res) => resolve(res.statusCode))
        .on('error', reject)
        .end();
    });
    expect(status).toBe(403);
  });

  // Shows in both eras: tools.failure, tools.arguments
  it.each<[string, string, unknown, RegExp]>([
    ['arguments that do not fit', 'echo', { text: 1, more: true }, /unknown property "more"[^]*text: must be string/],
    ['a missing argument', 'echo', {}, /missing required property "text"/],
    ['a skill that throws', 'explode', {}, /the fuse was lit/],
  ])('answers %s with a result that says so', async (_case, name, args, message) => {
    for (const res of [
      await service.post(call(name, args), session),
      await service.postStateless('tools/call', { name, arguments: args }),
    ]) {
      const { result } = (await res.json()) as { result: { isError: boolean; content: { text: string }[] } };
      expect([res.status, result.isError]).toEqual([200, true]);
      expect(result.content[0]?.text).toMatch(message);
      expect(result.content[0]?.text).not.toMatch(/\.[jt]s:\d+/);
    }
  });

  it('limits the rate of a key when a limit is set, and says when to retry', async () => {
    await service.admin('PUT', 'config/mcp.rate_limit_per_minute', { value: 2 });
    const answers = await Promise.all([1, 2, 3].map(() => service.post(rpc('ping'), session)));
    await service.admin('DELETE', 'config/mcp.rate_limit_per_minute');
    const limited = answers.find((res) => res.status === 429);
    expect(Number(limited?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await limited?.json()).toMatchObject({ error: { code: -32000 } });
    expect((await service.post(rpc('ping'), session)).status).toBe(200);
  });

  it('lets a client that sends far too much read why it is refused', async () => {
    for (let attempt = 0; attempt < 5; attempt += 1) {
      const res = await service.post('x'.repeat(3_000_000), session);
      expect([res.status, res.headers.get('content-type')]).toEqual([413, 'application/json']);
    }
  });

  it('survives a peer that sends half a request and leaves', async () => {
    const socket = connectTcp(Number(service.mcpUrl.port), '127.0.0.1');
    await new Promise((resolve) => socket.once('connect', resolve));
    socket.write(
      `POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${KEY}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"json`,
    );
    socket.destroy();
    expect((await service.post(rpc('ping'), session)).status).toBe(200);
  });
});

describe('without a key', () => {
  let service: TestService;
  TestService.forSuite((started) => (service = started), { env: { MCP_API_KEY: '' } });

  it('answers 401 with what to do, and is live but not ready', async () => {
    const res = await service.post(rpc('ping'));
    expect(res.status).toBe(401);
    expect(await res.json()).toMatchObject({ error: { message: expect.stringContaining('/admin') as unknown } });
    const health = async (path: string) => {
      const answer = await fetch(new URL(path, service.origin));
      return [answer.status, ((await answer.json()) as { mcp?: string }).mcp];
    };
    expect(await health('/health')).toEqual([200, 'unconfigured']);
    expect((await health('/health/live'))[0]).toBe(200);
    expect((await health('/health/ready'))[0]).toBe(503);
  });

  it('accepts a new key at once: the old one is refused and its streams end', async () => {
    const generate = async () => (await service.admin('POST', 'config/mcp.api_key/generate')).body['value'] as string;
    const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
    const first = await generate();
    const params = { notifications: { toolsListChanged: true } };
    const stream = await service.postStateless('subscriptions/listen', params, bearer(first));
    expect(stream.status).toBe(200);
    const second = await generate();
    expect(await stream.text()).toContain('"resultType":"complete"');
    expect((await service.postStateless('tools/list', {}, bearer(first))).status).toBe(401);
    expect((await service.postStateless('tools/list', {}, bearer(second))).status).toBe(200);
    expect(JSON.stringify((await service.admin('GET', 'config')).body)).not.toContain(second);
  });
});

function meta(version: string) {
  return { _meta: { 'io.modelcontextprotocol/protocolVersion': version } };
}
