import { Client as ClientV2 } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import {
  ElicitRequestSchema,
  ResourceListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { McpTransport } from '../src/entrypoints/mcp/mcp-transport.provider.js';
import { KEY, TestService } from './support/service.js';
import { Hang, TestSkillsModule } from './support/test-skills.module.js';
import { until } from './support/until.js';

const COUNTING = `
document: { dsl: 1.0.3, namespace: test, name: counting, version: 1.0.0, summary: Counts. }
do:
  - look: { call: system_info }
  - count: { call: count, with: { steps: 2 } }
  - rest: { for: { in: '\${ [1] }' }, do: [{ wait: { wait: PT0.01S } }] }
`;

const ENDLESS = `
document: { dsl: 1.0.3, namespace: test, name: endless, version: 1.0.0, summary: Waits. }
do: [{ rest: { wait: P100D } }]
`;

const ASKING = `
document: { dsl: 1.0.3, namespace: test, name: asking, version: 1.0.0, summary: Asks. }
do: [{ ask: { listen: { to: { one: { with: { type: person.answered } } } }, metadata: { question: { message: Well?, schema: { type: object, properties: {} } } } } }]
`;

const ELICITATION = { capabilities: { elicitation: {} } };

const requestInit = { headers: { Authorization: `Bearer ${KEY}` } };

/** Performs the handshake of assistants with an older release of the SDK. */
class OlderTransport extends TransportV1 {
  constructor(
    url: URL,
    private readonly version: string,
  ) {
    super(url, { requestInit });
  }

  override send(
    message: JSONRPCMessage | JSONRPCMessage[],
    options?: Parameters<TransportV1['send']>[1],
  ): Promise<void> {
    if (!Array.isArray(message) && 'method' in message && message.method === 'initialize') {
      return super.send({ ...message, params: { ...message.params, protocolVersion: this.version } }, options);
    }
    return super.send(message, options);
  }
}

describe('with real clients', () => {
  let service: TestService;
  TestService.forSuite((started) => (service = started), { imports: [TestSkillsModule] });
  afterEach(async () => {
    await service.admin('PUT', 'skills/echo', { enabled: true });
    await service.admin('DELETE', 'config/mcp.tool_timeout_ms');
  });

  const countRuns = async (status: string) =>
    ((await service.admin('GET', `runs?status=${status}`)).body['items'] as unknown[]).length;
  /** Calls a workflow, and cancels the call once its run waits and `isReady`; resolves when the run is cancelled. */
  const cancelledRun = async (
    call: (signal: AbortSignal) => Promise<unknown>,
    { definition = ENDLESS, isReady = (): boolean => true } = {},
  ) => {
    await service.admin('POST', 'workflows', { definition });
    const before = await countRuns('cancelled');
    const controller = new AbortController();
    const outcome = expect(call(controller.signal)).rejects.toThrow();
    await until(async () => isReady() && (await countRuns('waiting')) === 1);
    controller.abort();
    await outcome;
    await until(async () => (await countRuns('cancelled')) > before);
  };

  describe.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])('the v1 client, protocol %s', (version) => {
    const connect = async () => {
      const client = new ClientV1({ name: 'ide', version: '1.0.0' });
      const transport = new OlderTransport(service.mcpUrl, version);
      await client.connect(transport);
      return { client, transport };
    };

    it('lists and calls tools, and reads, completes and browses resources', async () => {
      const { client } = await connect();
      expect(client.getServerVersion()).toMatchObject({ name: 'agent-service' });
      const { tools } = await client.listTools();
      const own = ['ask', 'count', 'echo', 'explode', 'hang', 'resource_read', 'slowly', 'system_info'];
      expect(tools.map((tool) => tool.name)).toEqual(expect.arrayContaining(own));
      const info = await client.callTool({ name: 'system_info', arguments: {} });
      expect(info.structuredContent).toMatchObject({ runtime: `Node.js ${process.version}` });
      expect(info.content).toEqual([{ type: 'text', text: JSON.stringify(info.structuredContent) }]);
      const { resources } = await client.listResources();
      expect(resources.map((resource) => resource.uri)).toContain('config://mcp.api_key');
      const { contents } = await client.readResource({ uri: 'config://mcp.api_key' });
      expect(JSON.stringify(contents)).not.toContain(KEY);
      const { resourceTemplates } = await client.listResourceTemplates();
      expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toContain('config://{key}');
      const { completion } = await client.complete({
        ref: { type: 'ref/resource', uri: 'config://{key}' },
        argument: { name: 'key', value: 'mcp.tool' },
      });
      expect(completion.values).toEqual(['mcp.tool_timeout_ms']);
      expect((await client.listPrompts()).prompts).toEqual([]);
      await client.close();
    });

    it('reports progress of a call', async () => {
      const { client } = await connect();
      const seen: unknown[] = [];
      const onprogress = (progress: unknown) => void seen.push(progress);
      const result = await client.callTool({ name: 'count', arguments: { steps: 3 } }, undefined, { onprogress });
      expect(result.content).toEqual([{ type: 'text', text: '3 steps' }]);
      expect(seen).toEqual([1, 2, 3].map((progress) => ({ progress, total: 3, message: `step ${progress}` })));
      await client.close();
    });

    it('receives the number of completed tasks of a workflow, and the progress of a skill within one', async () => {
      await service.admin('POST', 'workflows', { definition: COUNTING });
      const { client } = await connect();
      const seen: unknown[] = [];
      const onprogress = (progress: unknown) => void seen.push(progress);
      await client.callTool({ name: 'counting', arguments: {} }, undefined, { onprogress });
      expect(seen).toMatchObject([
        { progress: 1, total: 3, message: 'Finished look (1 of 3)' },
        { message: 'count: step 1 (2 of 3)' },
        { message: 'count: step 2 (2 of 3)' },
        { progress: 2, message: 'Finished count (2 of 3)' },
        { progress: 2.5, message: 'Finished wait (0) in rest (3 of 3)' },
      ]);
      await client.close();
    });

    it('is notified of a disabled skill and of a changed setting that it subscribed to', async () => {
      const { client } = await connect();
      let toolsChanged = 0;
      const updated: string[] = [];
      client.setNotificationHandler(ToolListChangedNotificationSchema, () => void (toolsChanged += 1));
      client.setNotificationHandler(ResourceListChangedNotificationSchema, () => {});
      client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void updated.push(params.uri));
      await client.subscribeResource({ uri: 'config://mcp.tool_timeout_ms' });
      await openStream(service);
      await service.admin('PUT', 'skills/echo', { enabled: false });
      await until(() => toolsChanged > 0);
      expect((await client.listTools()).tools.map((tool) => tool.name)).not.toContain('echo');
      await service.admin('PUT', 'config/mcp.tool_timeout_ms', { value: 20_000 });
      await until(() => updated.length > 0);
      expect(updated).toEqual(['config://mcp.tool_timeout_ms']);
      await client.close();
    });

    it('cancels a call, which aborts the signal of the skill', async () => {
      const { client } = await connect();
      const hang = service.app.get(Hang);
      const controller = new AbortController();
      const call = client.callTool({ name: 'hang', arguments: {} }, undefined, { signal: controller.signal });
      const outcome = expect(call).rejects.toThrow();
      await until(() => hang.running === 1);
      controller.abort();
      await outcome;
      await until(() => hang.running === 0);
      await client.close();
    });

    it('cancels a call of a workflow, and with it the run', async () => {
      const { client } = await connect();
      await cancelledRun((signal) => client.callTool({ name: 'endless', arguments: {} }, undefined, { signal }));
      await client.close();
    });

    it('gets a result that says what to do when the time limit is reached', async () => {
      const { client } = await connect();
      const hang = service.app.get(Hang);
      const stoppedBefore = hang.stopped.length;
      await service.admin('PUT', 'config/mcp.tool_timeout_ms', { value: 40 });
      const result = await client.callTool({ name: 'hang', arguments: {} });
      expect(result).toMatchObject({
        isError: true,
        content: [{ text: expect.stringContaining('within 40 ms') as unknown }],
      });
      expect(JSON.stringify(result)).not.toContain('too late');
      expect(hang.stopped.length).toBe(stoppedBefore + 1);
      await client.close();
    });

    it('continues after a restart of the service, with its session and its stream', async () => {
      const { client, transport } = await connect();
      const { sessionId } = transport;
      let toolsChanged = 0;
      client.setNotificationHandler(ToolListChangedNotificationSchema, () => void (toolsChanged += 1));
      await openStream(service);
      service = await service.restart({ imports: [TestSkillsModule] });
      const result = await client.callTool({ name: 'echo', arguments: { text: 'still here' } });
      expect(result.content).toEqual([{ type: 'text', text: 'still here' }]);
      expect(transport.sessionId).toBe(sessionId);
      // The change happens before the client has reopened its stream; it must be notified anyway.
      await service.admin('PUT', 'skills/echo', { enabled: false });
      await until(() => toolsChanged > 0);
      await client.close();
    });
  });

  it.each(['v1', 'v2'] as const)(
    'the %s client cancels a call while it asks its user, and with it the run',
    async (sdk) => {
      let asked = 0;
      const answer = () => {
        asked += 1;
        return new Promise<never>(() => undefined);
      };
      const isReady = () => asked > 0;
      const called = { name: 'asking', arguments: {} };
      if (sdk === 'v1') {
        const client = new ClientV1({ name: 'ide', version: '1.0.0' }, ELICITATION);
        client.setRequestHandler(ElicitRequestSchema, answer);
        await service.connect(client);
        await cancelledRun((signal) => client.callTool(called, undefined, { signal }), { definition: ASKING, isReady });
        return client.close();
      }
      const client = new ClientV2({ name: 'ide', version: '2.0.0' }, ELICITATION);
      client.setRequestHandler('elicitation/create', answer);
      await service.connectV2(client);
      await cancelledRun((signal) => client.callTool(called, { signal }), { definition: ASKING, isReady });
      return client.close();
    },
  );

  describe.each([
    ['in its default mode', 'legacy' as const, '2025-11-25'],
    ['in 2026-07-28 mode', { pin: '2026-07-28' } as const, '2026-07-28'],
    ['when it negotiates the version', 'auto' as const, '2026-07-28'],
  ])('the v2 client %s', (_title, mode, negotiated) => {
    const connect = async (onToolsChanged: () => void = () => {}) => {
      const client = new ClientV2(
        { name: 'ide', version: '2.0.0' },
        { versionNegotiation: { mode }, listChanged: { tools: { onChanged: onToolsChanged } } },
      );
      await service.connectV2(client);
      return client;
    };

    it('lists and calls tools and reads resources', async () => {
      const client = await connect();
      expect(client.getNegotiatedProtocolVersion()).toBe(negotiated);
      expect((await client.listTools()).tools.map((tool) => tool.name)).toContain('system_info');
      const info = await client.callTool({ name: 'system_info', arguments: {} });
      expect(info.structuredContent).toMatchObject({ version: expect.any(String) as unknown });
      const { contents } = await client.readResource({ uri: 'config://mcp.tool_timeout_ms' });
      expect(contents).toMatchObject([
        { mimeType: 'application/json', text: expect.stringContaining('30000') as unknown },
      ]);
      await client.close();
    });

    it('reports progress of a call', async () => {
      const client = await connect();
      const seen: number[] = [];
      await client.callTool(
        { name: 'count', arguments: { steps: 2 } },
        { onprogress: ({ progress }) => void seen.push(progress) },
      );
      expect(seen).toEqual([1, 2]);
      await client.close();
    });

    it('cancels a call of a workflow, and with it the run', async () => {
      const client = await connect();
      await cancelledRun((signal) => client.callTool({ name: 'endless', arguments: {} }, { signal }));
      await client.close();
    });

    it('is notified of a disabled skill', async () => {
      let changes = 0;
      const client = await connect(() => void (changes += 1));
      await openStream(service);
      await service.admin('PUT', 'skills/echo', { enabled: false });
      await until(() => changes > 0);
      await client.close();
    });

    it('receives the errors of its arguments, and of a skill that fails', async () => {
      const client = await connect();
      const invalid = await client.callTool({ name: 'echo', arguments: { text: 7 } });
      expect(invalid).toMatchObject({
        isError: true,
        content: [{ text: expect.stringContaining('text: must be string') as unknown }],
      });
      const failed = await client.callTool({ name: 'explode', arguments: {} });
      expect(failed).toMatchObject({ isError: true, content: [{ text: 'The tool explode failed: the fuse was lit' }] });
      await expect(client.callTool({ name: 'no_such_tool', arguments: {} })).rejects.toMatchObject({ code: -32602 });
      await client.close();
    });
  });
});

function openStream(service: TestService): Promise<void> {
  const { endpoint } = service.app.get(McpTransport);
  return until(() => endpoint.counts().streams > 0);
}
