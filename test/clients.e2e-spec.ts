import { Client as ClientV2 } from '@modelcontextprotocol/client';
import { McpTransport } from '../src/entrypoints/mcp/mcp-transport.provider.js';
import { createClient, keyIdsOf, rotateKey, type TestClient } from './support/client-keys.js';
import { describeOnNewPostgres } from './support/postgres.js';
import { KEY, TestService } from './support/service.js';
import { Hang, TestSkillsModule } from './support/test-skills.module.js';
import { until } from './support/until.js';

const rpc = (method: string, params: object = {}) => ({ jsonrpc: '2.0', id: 1, method, params });
const INITIALIZE = rpc('initialize', {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
});

const openSession = (service: TestService, { headers }: Pick<TestClient, 'headers'>) =>
  service.openSession('2025-11-25', headers);

const status = async (response: Promise<Response>) => (await response).status;
const sessionsOf = async (service: TestService, client: string) =>
  (await service.admin('GET', `sessions?client=${client}`)).body['items'] as unknown[];

describe('clients with keys of their own', () => {
  let service: TestService;
  TestService.forSuite((started) => (service = started), { imports: [TestSkillsModule] });
  const endpoint = () => service.app.get(McpTransport).endpoint;

  it('are served in both eras, and shown with when, from where and with what they called last', async () => {
    const ada = await createClient(service, 'ada', { groups: ['people'], note: 'the first' });
    const old = await service.connect(undefined, ada.key);
    expect((await old.listTools()).tools.map(({ name }) => name)).toContain('echo');
    const modern = new ClientV2({ name: 'agent', version: '2.0.0' }, { versionNegotiation: { mode: 'auto' } });
    await service.connectV2(modern, ada.key);
    expect(await modern.callTool({ name: 'echo', arguments: { text: 'hi' } })).toMatchObject({
      content: [{ text: 'hi' }],
    });
    const { body } = await service.admin('GET', 'clients/ada');
    expect(body).toMatchObject({
      groups: ['people'],
      note: 'the first',
      hasValidKey: true,
      lastAddress: '127.0.0.1',
      lastProgram: 'agent',
      keys: [{ shown: ada.key.slice(0, 12), expiresAt: null }],
    });
    expect(JSON.stringify([body, (await service.admin('GET', 'clients')).body])).not.toContain(ada.key.slice(12));
    expect((await service.admin('GET', 'client-groups')).body).toEqual({ items: ['people'] });
    await Promise.all([old.close(), modern.close()]);
  });

  it('lose everything that is open when they are deleted, and nobody else does', async () => {
    const [gone, stays] = [await createClient(service, 'gone'), await createClient(service, 'stays')];
    const [session, other] = [await openSession(service, gone), await openSession(service, stays)];
    const [mine, theirs] = await Promise.all(
      [session, other].map((headers) =>
        fetch(service.mcpUrl, { headers: { ...headers, accept: 'text/event-stream' } }),
      ),
    );
    const listen = { notifications: { toolsListChanged: true } };
    const stream = await service.postStateless('subscriptions/listen', listen, gone.headers);
    const hang = { name: 'hang', arguments: {} };
    const calls = [
      service.post(rpc('tools/call', hang), session),
      service.postStateless('tools/call', hang, gone.headers),
    ];
    const ofOther = service.post(rpc('tools/call', hang), other);
    await until(() => service.app.get(Hang).running === 3);
    expect(await service.admin('DELETE', 'clients/gone')).toMatchObject({ status: 204 });
    const answers = await Promise.all(calls);
    expect(answers.map((answer) => answer.status)).toEqual([401, 401]);
    expect(await answers[0]?.json()).toMatchObject({ error: { code: -32000 } });
    expect(await stream.text()).toContain('"resultType":"complete"');
    await mine?.text();
    expect(await sessionsOf(service, 'gone')).toEqual([]);
    expect(await status(service.post(rpc('ping'), session))).toBe(401);
    expect(endpoint().counts()).toMatchObject({ calls: 1, streams: 1 });
    expect(await status(service.post(rpc('ping'), other))).toBe(200);
    expect(await sessionsOf(service, 'stays')).toHaveLength(1);
    await service.admin('DELETE', 'clients/stays');
    expect(await status(ofOther)).toBe(401);
    await theirs?.text();
    const again = await createClient(service, 'gone');
    expect(await status(service.post(rpc('ping'), { ...session, ...again.headers }))).toBe(404);
  });

  it('keep sessions of the other key when one ends', async () => {
    const before = await createClient(service, 'rotating');
    const former = await openSession(service, before);
    const after = await rotateKey(service, 'rotating', 24);
    const session = await openSession(service, after);
    expect(await status(service.post(rpc('ping'), { ...former, ...after.headers }))).toBe(404);
    const stream = await fetch(service.mcpUrl, { headers: { ...session, accept: 'text/event-stream' } });
    const hang = rpc('tools/call', { name: 'hang', arguments: {} });
    const [ends, goesOn] = [service.post(hang, former), service.post(hang, session)];
    await until(() => endpoint().counts().calls === 2);
    expect(await service.admin('POST', 'clients/rotating/keys', { overlapHours: 1 })).toMatchObject({
      status: 409,
      body: { code: 'clients.too_many_keys' },
    });
    const [oldest] = await keyIdsOf(service, 'rotating');
    expect(await service.admin('DELETE', `clients/rotating/keys/${oldest}`)).toMatchObject({ status: 200 });
    expect(await status(ends)).toBe(401);
    expect(await status(service.post(rpc('ping'), former))).toBe(401);
    expect(endpoint().counts()).toMatchObject({ calls: 1, streams: 1 });
    expect(await status(service.post(rpc('ping'), session))).toBe(200);
    expect(await sessionsOf(service, 'rotating')).toHaveLength(1);
    const last = await rotateKey(service, 'rotating', 0);
    expect(await status(goesOn)).toBe(401);
    await stream.text();
    expect(await status(service.postStateless('tools/list', {}, after.headers))).toBe(401);
    expect(await status(service.postStateless('tools/list', {}, last.headers))).toBe(200);
  });

  it('end a call whose arguments are still arriving when its key is revoked', async () => {
    const slow = await createClient(service, 'slow');
    const sent = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const text = JSON.stringify(rpc('tools/call', { name: 'echo', arguments: { text: 'too late' } }));
    const body = new ReadableStream({
      async start(controller) {
        controller.enqueue(new TextEncoder().encode(text.slice(0, 20)));
        sent.resolve();
        await goOn.promise;
        controller.enqueue(new TextEncoder().encode(text.slice(20)));
        controller.close();
      },
    });
    const session = await openSession(service, slow);
    const headers = { ...session, 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const request: RequestInit & { duplex: 'half' } = { method: 'POST', headers, body, duplex: 'half' };
    const response = fetch(service.mcpUrl, request);
    await sent.promise;
    await until(() => endpoint().counts().arriving === 1);
    await service.admin('DELETE', 'clients/slow');
    goOn.resolve();
    expect((await response).status).toBe(401);
    expect(await (await response).text()).not.toContain('too late');
  });

  it('end by themselves at the second when they expire', async () => {
    const brief = await createClient(service, 'brief');
    const stream = await service.postStateless(
      'subscriptions/listen',
      { notifications: { toolsListChanged: true } },
      brief.headers,
    );
    expect(stream.status).toBe(200);
    let expiresAt: string;
    // On a busy machine, the moment may have passed before the service reads it.
    do expiresAt = new Date(Date.now() + 1_000).toISOString();
    while ((await service.admin('PUT', 'clients/brief', { expiresAt })).status !== 200);
    expect(await stream.text()).toContain('"resultType":"complete"');
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(expiresAt));
    expect(await status(service.postStateless('tools/list', {}, brief.headers))).toBe(401);
    expect((await service.admin('GET', 'clients/brief')).body).toMatchObject({ hasValidKey: false });
  });

  it('survive a restart with their keys and sessions', async () => {
    const kept = await createClient(service, 'kept', { groups: ['people'] });
    const session = await openSession(service, kept);
    service = await service.restart({ imports: [TestSkillsModule] });
    expect(await status(service.post(rpc('ping'), session))).toBe(200);
    expect((await service.admin('GET', 'clients/kept')).body).toMatchObject({ lastProgram: 'test' });
  });

  it('are refused with what is wrong with them', async () => {
    const wrong = async (body: object) => (await service.admin('POST', 'clients', body)).body['code'];
    expect(await wrong({ name: 'Ada' })).toBe('invalid_body');
    expect(await wrong({ name: 'default' })).toBe('clients.client_reserved');
    expect(await wrong({ name: 'past', expiresAt: '2020-01-01T00:00:00Z' })).toBe('clients.invalid_client');
    expect(await wrong({ name: 'far', expiresAt: '9999-12-31T23:59:59-12:00' })).toBe('clients.invalid_client');
    expect(await wrong({ name: 'local', expiresAt: '2099-01-01T00:00' })).toBe('invalid_body');
    expect(await wrong({ name: 'groups', groups: ['Not Good'] })).toBe('invalid_body');
    expect(await wrong({ name: 'limits', limits: { calls: 0 } })).toBe('invalid_body');
    expect(await wrong({ name: 'limits', limits: { other: 1 } })).toBe('invalid_body');
    expect(await wrong({ name: 'note', note: 'x'.repeat(1_001) })).toBe('invalid_body');
    expect(await wrong({ name: 'kept' })).toBe('clients.client_exists');
    expect((await service.admin('PUT', 'clients/default', { note: 'mine' })).body['code']).toBe(
      'clients.client_reserved',
    );
    expect((await service.admin('DELETE', 'clients/kept/keys/nothing')).body['code']).toBe('clients.key_not_found');
    expect((await service.admin('GET', 'clients/%00')).status).toBe(400);
  });

  it('have limits of their own, and get 429 with what to do', async () => {
    const limits = { requestsPerMinute: 0, calls: 1, streams: 1, sessions: 2 };
    const small = await createClient(service, 'small', { limits });
    const session = await openSession(service, small);
    const listen = () =>
      service.postStateless('subscriptions/listen', { notifications: { toolsListChanged: true } }, small.headers);
    const hang = service.post(rpc('tools/call', { name: 'hang', arguments: {} }), session);
    await until(() => service.app.get(Hang).running === 1);
    const stream = await listen();
    await openSession(service, small);
    const refused = [
      await service.postStateless('tools/call', { name: 'echo', arguments: { text: 'x' } }, small.headers),
      await listen(),
      await service.post(INITIALIZE, small.headers),
    ];
    expect(refused.map((res) => [res.status, Number(res.headers.get('retry-after')) > 0])).toEqual(
      Array.from({ length: 3 }, () => [429, true]),
    );
    for (const res of refused) expect(await res.json()).toMatchObject({ error: { code: -32000 } });
    expect(await status(service.postStateless('tools/call', { name: 'echo', arguments: { text: 'x' } }))).toBe(200);
    // Omitted limits, such as streams, keep their values.
    await service.admin('PUT', 'clients/small', { limits: { requestsPerMinute: 2, calls: null, sessions: null } });
    const { body } = await service.admin('GET', 'clients/small');
    expect(body).toMatchObject({ limits: { requestsPerMinute: 2, calls: null, streams: 1, sessions: null } });
    const pings = [1, 2, 3].map(() => service.post(rpc('ping'), session));
    expect((await Promise.all(pings)).map((res) => res.status).sort()).toEqual([200, 200, 429]);
    await service.admin('DELETE', 'clients/small');
    await Promise.all([hang, stream.text()]);
  });

  it('count as a configuration of the endpoint, without mcp.api_key', async () => {
    const bare = await TestService.start({ env: { MCP_API_KEY: '' } });
    const health = async () => ((await (await fetch(new URL('/health', bare.origin))).json()) as { mcp: string }).mcp;
    expect(await health()).toBe('unconfigured');
    const only = await createClient(bare, 'only');
    expect(await health()).toBe('running');
    expect((await bare.admin('GET', 'overview')).body).toMatchObject({ clients: 1, keyConfigured: true });
    expect(await status(bare.postStateless('tools/list', {}, only.headers))).toBe(200);
    expect((await bare.admin('GET', 'clients')).body).toMatchObject({
      items: [{ name: 'default', isDefault: true, hasValidKey: false }, { name: 'only' }],
    });
    await bare.stop();
  });
});

describeOnNewPostgres('clients on two replicas', (database) => {
  let [one, other]: TestService[] = [];
  beforeAll(async () => {
    const env = { DATABASE_URL: database.url, MCP_API_KEY: KEY };
    one = await TestService.start({ imports: [TestSkillsModule], env });
    other = await TestService.start({ imports: [TestSkillsModule], env });
  });
  afterAll(async () => {
    await one?.stop();
    await other?.stop();
  });
  const replicas = (): [TestService, TestService] => {
    if (!one || !other) throw new Error('they did not start');
    return [one, other];
  };

  it('are known on both, and end on both: stream, session and running call', async () => {
    const [here, there] = replicas();
    const shared = await createClient(here, 'shared');
    await until(async () => (await status(there.postStateless('tools/list', {}, shared.headers))) === 200);
    const session = await openSession(here, shared);
    const stream = await fetch(there.mcpUrl, { headers: { ...session, accept: 'text/event-stream' } });
    const listening = await there.postStateless(
      'subscriptions/listen',
      { notifications: { toolsListChanged: true } },
      shared.headers,
    );
    const call = there.post(rpc('tools/call', { name: 'hang', arguments: {} }), session);
    await until(() => there.app.get(Hang).running === 1);
    await here.admin('DELETE', 'clients/shared');
    expect((await call).status).toBe(401);
    expect(await listening.text()).toContain('"resultType":"complete"');
    await stream.text();
    expect(await status(there.post(rpc('ping'), session))).toBe(401);
    expect(await sessionsOf(there, 'shared')).toEqual([]);
  });

  it('change groups and keys on both', async () => {
    const [here, there] = replicas();
    const before = await createClient(here, 'moving', { groups: ['a'] });
    await until(async () => (await status(there.postStateless('tools/list', {}, before.headers))) === 200);
    const after = await rotateKey(there, 'moving', 0);
    await until(async () => (await status(here.postStateless('tools/list', {}, after.headers))) === 200);
    expect(await status(here.postStateless('tools/list', {}, before.headers))).toBe(401);
    await there.admin('PUT', 'clients/moving', { groups: ['b'] });
    await until(async () => JSON.stringify((await here.admin('GET', 'client-groups')).body) === '{"items":["b"]}');
  });

  it('are rotated once when both are asked at the same time', async () => {
    const [here, there] = replicas();
    await createClient(here, 'raced');
    const rotations = await Promise.all(
      [here, there, here, there].map((service) => service.admin('POST', 'clients/raced/keys', { overlapHours: 1 })),
    );
    const statuses = rotations.map((rotation) => rotation.status).sort();
    expect(statuses).toEqual([201, 409, 409, 409]);
  });
});
