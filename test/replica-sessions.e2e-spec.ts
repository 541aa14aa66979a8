import { setTimeout as delay } from 'node:timers/promises';
import { Client as ClientV2, StreamableHTTPClientTransport as TransportV2 } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  ElicitRequestSchema,
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { McpTransport } from '../src/entrypoints/mcp/mcp-transport.provider.js';
import { LongSkillsModule } from './support/long-skills.module.js';
import { describeOnNewPostgres } from './support/postgres.js';
import { RoundRobin } from './support/round-robin.js';
import { KEY, TestService } from './support/service.js';
import { messagesOf } from './support/stream-messages.js';
import { Hang, TestSkillsModule } from './support/test-skills.module.js';
import { until } from './support/until.js';

const requestInit = { headers: { Authorization: `Bearer ${KEY}` } };
const SETTING = 'config://mcp.tool_timeout_ms';
const LAST_CHANGED = 'config://mcp.max_sessions';
/** Duplicates would have arrived by then. */
const A_WHILE_MS = 300;

type Message = Record<string, unknown>;

describeOnNewPostgres('three replicas behind a load balancer without affinity', (database) => {
  const replicas: TestService[] = [];
  let balancer: RoundRobin;
  let url: URL;

  beforeAll(async () => {
    const env = { DATABASE_URL: database.url };
    for (let number = 0; number < 3; number += 1)
      replicas.push(await TestService.start({ imports: [TestSkillsModule, LongSkillsModule], env }));
    balancer = new RoundRobin(replicas.map(({ mcpUrl }) => mcpUrl));
    url = await balancer.start();
  });
  afterEach(async () => {
    const watchers = await Promise.all(replicas.map((one) => watch(one, { resourceSubscriptions: [LAST_CHANGED] })));
    await replica(0).admin('PUT', 'skills/echo', { enabled: true });
    await replica(0).admin('DELETE', 'config/mcp.tool_timeout_ms');
    // Changes are delivered in order: when this one has arrived, so have those before it.
    await replica(0).admin('DELETE', 'config/mcp.max_sessions');
    for (const messages of watchers) {
      expect((await messages.next()).value).toMatchObject({ method: 'notifications/resources/updated' });
      await messages.return(undefined);
    }
  });
  afterAll(async () => {
    expect(Math.min(...balancer.served)).toBeGreaterThan(10);
    await balancer.stop();
    for (const one of replicas) await one.stop();
  });

  const replica = (index: number): TestService => {
    const found = replicas[index];
    if (!found) throw new Error('it did not start');
    return found;
  };
  const streams = () => replicas.reduce((sum, { app }) => sum + app.get(McpTransport).endpoint.counts().streams, 0);
  const running = () => replicas.reduce((sum, { app }) => sum + app.get(Hang).running, 0);
  const body = (method: string, params: Message, id = 7) => ({ jsonrpc: '2.0', id, method, params });
  const change = (value: number) => replica(value % 3).admin('PUT', 'config/mcp.tool_timeout_ms', { value });

  /** The messages of a subscriptions/listen stream of a replica, after the acknowledgement. */
  async function watch(one: TestService, notifications: Message) {
    const messages = messagesOf(await one.postStateless('subscriptions/listen', { notifications }));
    expect((await messages.next()).value).toMatchObject({ method: 'notifications/subscriptions/acknowledged' });
    return messages;
  }

  /** The messages of a GET stream through one of the replicas. */
  async function listen(index: number, session: Record<string, string>, headers: Record<string, string> = {}) {
    const abort = new AbortController();
    const res = await fetch(replica(index).mcpUrl, {
      headers: { accept: 'text/event-stream', ...requestInit.headers, ...session, ...headers },
      signal: abort.signal,
    });
    const heard: Message[] = [];
    const ended = (async () => {
      for await (const message of messagesOf(res)) heard.push(message);
    })().catch(() => undefined);
    return { res, heard, ended, close: () => abort.abort() };
  }

  describe.each([
    ['v1', () => new ClientV1({ name: 'ide', version: '1' }, { capabilities: { elicitation: {} } })],
    ['v2', () => new ClientV2({ name: 'ide', version: '1' }, { capabilities: { elicitation: {} } })],
  ] as const)('serve the %s client of the 2025 era:', (version, newClient) => {
    const updated: string[] = [];
    const asked: unknown[] = [];
    let toolsChanged = 0;
    let client: ClientV1 | ClientV2;

    beforeAll(async () => {
      client = newClient();
      if (client instanceof ClientV1) {
        client.setNotificationHandler(ToolListChangedNotificationSchema, () => void (toolsChanged += 1));
        client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void updated.push(params.uri));
        client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
          asked.push(params.message);
          return { action: 'accept' as const, content: { approved: true } };
        });
        await client.connect(new TransportV1(url, { requestInit }));
      } else {
        client.setNotificationHandler('notifications/tools/list_changed', () => void (toolsChanged += 1));
        client.setNotificationHandler('notifications/resources/updated', ({ params }) => void updated.push(params.uri));
        client.setRequestHandler('elicitation/create', ({ params }) => {
          asked.push(params.message);
          return { action: 'accept' as const, content: { approved: true } };
        });
        await client.connect(new TransportV2(url, { requestInit }));
      }
      await until(() => streams() === 1);
    });
    afterAll(async () => {
      await client.close();
      await until(() => streams() === 0);
    });

    const call = (name: string, args: Message, options?: { signal: AbortSignal }) =>
      client instanceof ClientV1
        ? client.callTool({ name, arguments: args }, undefined, options)
        : client.callTool({ name, arguments: args }, options);

    it('calls reach it on each replica', async () => {
      for (let number = 0; number < 6; number += 1) {
        const { content } = await call('echo', { text: `${version} ${number}` });
        expect(content).toEqual([{ type: 'text', text: `${version} ${number}` }]);
      }
    });

    it('it is told once of each change, and of the resources that it watches, whichever replica it told so', async () => {
      const uris = [SETTING, 'config://mcp.max_calls', 'config://mcp.max_streams'];
      for (const uri of uris) await client.subscribeResource({ uri });
      await change(20_001);
      await until(() => updated.includes(SETTING));
      await replica(1).admin('PUT', 'config/mcp.max_calls', { value: 1_999 });
      await replica(2).admin('PUT', 'config/mcp.max_streams', { value: 4_999 });
      await until(() => uris.every((uri) => updated.includes(uri)));
      await replica(2).admin('PUT', 'skills/echo', { enabled: false });
      await until(() => toolsChanged > 0);
      await delay(A_WHILE_MS);
      expect(updated.toSorted()).toEqual(uris.toSorted());
      expect(toolsChanged).toBe(1);

      for (const uri of uris) await client.unsubscribeResource({ uri });
      updated.splice(0);
      await change(20_002);
      await replica(1).admin('DELETE', 'config/mcp.max_calls');
      await replica(2).admin('DELETE', 'config/mcp.max_streams');
      await delay(A_WHILE_MS);
      expect(updated).toEqual([]);
    });

    it('it cancels calls, whichever replica serves them', async () => {
      for (let number = 0; number < 3; number += 1) {
        const controller = new AbortController();
        const outcome = expect(call('hang', {}, { signal: controller.signal })).rejects.toThrow();
        await until(() => running() === 1);
        await call('echo', { text: 'meanwhile' });
        controller.abort();
        await outcome;
        await until(() => running() === 0);
      }
    });

    it('its answers reach the tool that asked', async () => {
      for (let number = 0; number < 3; number += 1) {
        asked.splice(0);
        expect((await call('approve', {})).structuredContent).toEqual({ approved: true });
        expect(asked).toEqual(['Do you approve?']);
      }
    });
  });

  it('serve subscriptions/listen of any replica', async () => {
    const notifications = { toolsListChanged: true, resourceSubscriptions: [SETTING] };
    const messages = await watch(replica(1), notifications);
    const next = async () => (await messages.next()).value as Message;
    await change(20_003);
    expect(await next()).toMatchObject({ method: 'notifications/resources/updated', params: { uri: SETTING } });
    await replica(2).admin('PUT', 'skills/echo', { enabled: false });
    expect(await next()).toMatchObject({ method: 'notifications/tools/list_changed' });
    await messages.return(undefined);
  });

  it('end a session everywhere when it is ended on one of them', async () => {
    const session = await replica(0).openSession();
    for (const one of replicas) expect((await one.post(body('ping', {}), session)).status).toBe(200);
    const stream = await listen(2, session);
    const ended = await fetch(replica(1).mcpUrl, {
      method: 'DELETE',
      headers: { ...requestInit.headers, ...session },
    });
    expect(ended.status).toBe(200);
    await stream.ended;
    for (const one of replicas) await until(async () => (await one.post(body('ping', {}), session)).status === 404);
  });

  it('have one stream for each session: a new one ends that of another replica', async () => {
    const session = await replica(0).openSession('2025-06-18');
    const first = await listen(0, session);
    await until(() => first.res.ok);
    const second = await listen(1, session);
    await first.ended;
    await replica(2).admin('PUT', 'skills/echo', { enabled: false });
    await until(() => second.heard.length > 0);
    expect(second.heard).toMatchObject([{ method: 'notifications/tools/list_changed' }]);
    second.close();
  });

  it('log at the level that was set through another', async () => {
    const session = await replica(0).openSession();
    for (const one of replicas) await one.post(body('ping', {}), session);
    const count = body('tools/call', { name: 'count', arguments: { steps: 1 } });
    const logged = async (index: number) =>
      (await (await replica(index).post(count, session)).text()).includes('counted');
    await replica(1).post(body('logging/setLevel', { level: 'error' }), session);
    await until(async () => !(await logged(0)) && !(await logged(2)));
    await replica(0).post(body('logging/setLevel', { level: 'debug' }), session);
    await until(async () => (await logged(1)) && (await logged(2)));
  });

  describe('a call whose connection is cut', () => {
    const slowly = (steps: number) => ({
      ...body('tools/call', { name: 'slowly', arguments: { steps, stepMs: 200 }, _meta: { progressToken: 'p' } }),
    });

    /** Starts a call through a replica, and closes its connection after the first message. Returns the id of the last event. */
    async function cutOff(index: number, session: Record<string, string>, steps: number): Promise<string> {
      const abort = new AbortController();
      const res = await fetch(replica(index).mcpUrl, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...requestInit.headers,
          ...session,
        },
        body: JSON.stringify(slowly(steps)),
        signal: abort.signal,
      });
      let [seen, id] = ['', ''];
      for await (const chunk of res.body ?? []) {
        seen += Buffer.from(chunk as Uint8Array).toString();
        id = [...seen.matchAll(/^id: (.+)\ndata: \{/gm)].at(-1)?.[1] ?? '';
        if (id !== '') break;
      }
      abort.abort();
      return id;
    }

    it('is followed from another replica, and is not done twice', async () => {
      const session = await replica(0).openSession();
      const position = await cutOff(0, session, 12);
      const { heard, ended } = await listen(1, session, { 'last-event-id': position });
      await ended;
      const steps = heard.flatMap(({ params }) => (params as { message?: string } | undefined)?.message ?? []);
      expect(steps).toEqual(Array.from({ length: 11 }, (_, index) => `step ${index + 2}`));
      expect(heard.at(-1)).toMatchObject({ id: 7, result: { content: [{ text: '12 steps, slowly' }] } });
    });
  });
});
