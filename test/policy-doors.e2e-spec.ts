import { Injectable, Module, type OnModuleInit } from '@nestjs/common';
import { Server } from '@modelcontextprotocol/server';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { Skill, type SkillHandler } from '#skill-kit';
import { ClientsService } from '../src/access/clients/clients.service.js';
import { FeedItemStore } from '../src/features/feeds/store/feed-item.store.js';
import { FeedStore } from '../src/features/feeds/store/feed.store.js';
import { newFeed, newItem } from '../src/features/feeds/testing.js';
import { KnowledgeService } from '../src/features/knowledge/knowledge.service.js';
import { Capabilities } from '../src/entrypoints/mcp/capabilities.provider.js';
import { MemoryService } from '../src/features/memory/memory.service.js';
import { SkillPackages } from '../src/features/packages/skill-packages.service.js';
import { packageOf, skillText } from '../src/features/packages/testing.js';
import { ResourceRouter } from '../src/core/resources/resource.router.js';
import { PromptRegistry } from '../src/core/skills/prompt.registry.js';
import { registersSkills, SkillRegistry } from '../src/core/skills/skill.registry.js';
import { SkillsModule } from '../src/core/skills/skills.module.js';
import { WorkflowDefinitions } from '../src/features/workflows/definitions/workflow-definitions.service.js';
import { SERVICE_CLIENT } from '../src/features/workflows/runs/run.js';
import { RunsService } from '../src/features/workflows/runs/runs.service.js';
import { answerIn } from './harness/stateless-message.js';
import { TestService } from './support/service.js';
import { messagesOf } from './support/stream-messages.js';
import { until } from './support/until.js';

const TASKS = 'io.modelcontextprotocol/tasks';

/** The names of the test tools, once per execution. */
const executed: string[] = [];

@Skill({ name: 'probe', description: 'Use this to leave a trace.', tags: ['traces'] })
@Injectable()
class Probe implements SkillHandler {
  execute(): string {
    executed.push('probe');
    return 'left a trace';
  }
}

@Skill({ name: 'long_probe', description: 'Use this to leave a trace later.', long: true })
@Injectable()
class LongProbe implements SkillHandler {
  execute(): string {
    executed.push('long_probe');
    return 'left a trace';
  }
}

@Module({ imports: [SkillsModule], providers: [Probe, LongProbe, registersSkills(Probe, LongProbe)] })
class ProbeModule implements OnModuleInit {
  constructor(private readonly prompts: PromptRegistry) {}

  onModuleInit(): void {
    this.prompts.register({
      name: 'trace',
      description: 'A prompt that leaves a trace.',
      get: async () => {
        executed.push('trace');
        return [{ role: 'user', content: { type: 'text', text: 'secret prompt' } }];
      },
      complete: async () => ['secret-value'],
    });
  }
}

const workflow = (name: string, task: string, more = '') => `document:
  dsl: 1.0.1
  namespace: team
  name: ${name}
  version: 1.0.0
${more}do:
  - first:
      ${task}
`;
const OUTER = workflow('outer', 'call: probe');
const PARENT = workflow('parent', 'run: { workflow: { namespace: team, name: outer, version: 1.0.0 } }');
const ASKING = workflow(
  'asking',
  `listen: { to: { one: { with: { type: person.answered } } } }
      timeout: { after: PT1H }
      metadata: { question: { message: May I?, schema: { type: object, properties: {} } } }`,
);

/** What the client `bound` must neither do nor see. It may use `parent`, `outer` and everything else. */
const POLICIES: Record<string, string> = {
  'no-tools': `forbid(principal in Group::"bound", action == Action::"callTool", resource)
    when { ["probe", "long_probe", "asking"].contains(resource.name) };`,
  'no-reading': 'forbid(principal in Group::"bound", action == Action::"readResource", resource);',
  'no-prompts': 'forbid(principal in Group::"bound", action == Action::"getPrompt", resource);',
  'no-probe-for-the-service': 'forbid(principal == Client::"service", action, resource == Tool::"probe");',
  'no-probe-in-trials': 'forbid(principal == Client::"admin", action, resource == Tool::"probe");',
};

/** One resource of each store, with the tool that finds it, and how lists and templates show it. */
interface StoreRow {
  uri: () => string;
  /** A template that lists the store; null when it has none. */
  template: string | null;
  /** True when `resources/list` includes the resource. */
  isListed: boolean;
}

type Message = Record<string, unknown>;

// By the fast path, and by the controller.
describe.each(['/mcp', '/mcp/'] as const)('no door at %s', (path) => {
  let service: TestService;
  const keys: Record<'free' | 'bound', string> = { free: '', bound: '' };
  const runs: Record<'free' | 'bound' | 'service', string> = { free: '', bound: '', service: '' };
  const tasks: Record<'free' | 'bound', string> = { free: '', bound: '' };

  let documentId = '';

  const STORES: Record<string, StoreRow> = {
    memory: { uri: () => 'memory://secret/word', template: 'memory://{namespace}/{key}', isListed: true },
    knowledge: {
      uri: () => `knowledge://documents/${documentId}`,
      template: 'knowledge://documents/{id}',
      isListed: true,
    },
    rss: { uri: () => 'rss://secret-feed', template: 'rss://{feed}', isListed: true },
    config: { uri: () => 'config://mcp.tool_timeout_ms', template: 'config://{key}', isListed: true },
    workflow: { uri: () => 'workflow://outer', template: 'workflow://{name}', isListed: true },
    run: { uri: () => `run://${runs.service}`, template: 'run://{id}', isListed: true },
    skill: { uri: () => 'skill://secret-skill/SKILL.md', template: 'skill://{name}/SKILL.md', isListed: true },
    ui: { uri: () => 'ui://runs/view.html', template: null, isListed: false },
  };

  beforeAll(async () => {
    service = await TestService.start({ imports: [ProbeModule], path, env: { MCP_SEARCH_AND_FETCH: 'on' } });
    const get = <T>(type: new (...args: never[]) => T): T => service.app.get(type, { strict: false });
    for (const name of ['free', 'bound'] as const) {
      const { body } = await service.admin('POST', 'clients', { name, groups: [name] });
      keys[name] = String(body['key']);
    }
    await get(MemoryService).save({ namespace: 'secret', key: 'word', content: 'a secretword', client: 'free' });
    const skill = { 'SKILL.md': skillText('secret-skill', 'the secretsteps'), 'docs/a.md': 'a' };
    await get(SkillPackages).saveUpload(packageOf('secret-skill', skill), 'free');
    const plan = { title: 'Secret plan', content: 'the secretplan', source: 'free' };
    documentId = (await get(KnowledgeService).save(plan)).document.id;
    for (const title of ['Gone free', 'Gone bound', 'Gone other']) {
      await get(KnowledgeService).remove((await get(KnowledgeService).save({ title, content: title })).document.id);
    }
    await get(FeedStore).create(newFeed({ id: 'secret-feed' }));
    await get(FeedItemStore).save([
      { ...newItem({ feedId: 'secret-feed', id: 'i1', title: 'secretitem' }), search: 'secretitem' },
    ]);
    const definitions = get(WorkflowDefinitions);
    for (const text of [OUTER, PARENT, ASKING]) await definitions.save(text, { source: 'admin' });
    // Tasks from before the policies were saved.
    for (const name of ['free', 'bound'] as const) {
      tasks[name] = String((await result(name, 'tools/call', { name: 'asking', arguments: {} }))['taskId']);
      runs[name] = tasks[name];
    }
    runs.service = await started('outer', SERVICE_CLIENT);
    for (const [name, policy] of Object.entries(POLICIES)) {
      const answer = await service.admin('POST', 'policies', { name, policy });
      if (answer.status !== 201) throw new Error(JSON.stringify(answer));
    }
    executed.length = 0;
  });
  afterAll(() => service.stop());

  const clientOf = (name: string) => {
    const client = service.app.get(ClientsService, { strict: false }).find(name);
    if (!client) throw new Error(`there is no client ${name}`);
    return client;
  };

  /** Starts a run of a workflow, waits until it has ended, and returns its id. */
  async function started(name: string, client: { name: string; groups: readonly string[] }): Promise<string> {
    const service_ = service.app.get(RunsService, { strict: false });
    const run = {
      program: 'workflow',
      name,
      version: '1.0.0',
      input: {},
      origin: 'schedule',
      idempotencyKey: null,
      isTest: false,
    } as const;
    const { id } = await service_.start({ ...run, client });
    await until(async () => (await service_.get(id)).endedAt !== null);
    return id;
  }

  const answer = async (who: 'free' | 'bound', method: string, params: Message = {}) => {
    const _meta = { 'io.modelcontextprotocol/clientCapabilities': { elicitation: {}, extensions: { [TASKS]: {} } } };
    const res = await service.postStateless(method, { ...params, _meta }, { authorization: `Bearer ${keys[who]}` });
    return answerIn<{ result?: Message; error?: { message: string } }>(res);
  };
  const result = async (who: 'free' | 'bound', method: string, params: Message = {}): Promise<Message> =>
    (await answer(who, method, params)).result ?? {};
  /** Returns the whole response as text, errors included. */
  const saying = async (who: 'free' | 'bound', method: string, params?: Message) =>
    JSON.stringify(await answer(who, method, params));
  const calling = (who: 'free' | 'bound', name: string, args: Message) =>
    saying(who, 'tools/call', { name, arguments: args });
  const executedBy = async (work: () => Promise<unknown>) => {
    executed.length = 0;
    await work();
    return executed.join();
  };

  /** Returns the notifications that a client receives about a changing resource, in the 2025 era. */
  async function updatesHeard(who: 'free' | 'bound', isBoundBefore = false): Promise<string> {
    const client = new ClientV1({ name: 'listener', version: '1' });
    const heard: string[] = [];
    client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void heard.push(params.uri));
    await service.connect(client, keys[who]);
    if (isBoundBefore) await service.admin('PUT', 'policies/no-reading', { enabled: false });
    await client.subscribeResource({ uri: 'memory://secret/word' }).catch(() => undefined);
    if (isBoundBefore) await service.admin('PUT', 'policies/no-reading', { enabled: true });
    await changeSecret();
    await listened();
    await client.close();
    return heard.join();
  }

  /** Returns the notifications on a new stream of a session that subscribed before the policies were saved. */
  async function heardAgain(who: 'free' | 'bound'): Promise<string> {
    const authorization = `Bearer ${keys[who]}`;
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } };
    const opened = await service.post({ jsonrpc: '2.0', id: 1, method: 'initialize', params }, { authorization });
    const headers = { authorization, 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
    await service.admin('PUT', 'policies/no-reading', { enabled: false });
    const uri = 'memory://secret/word';
    await service.post({ jsonrpc: '2.0', id: 2, method: 'resources/subscribe', params: { uri } }, headers);
    await service.admin('PUT', 'policies/no-reading', { enabled: true });
    const stream = await fetch(service.mcpUrl, { headers: { ...headers, accept: 'text/event-stream' } });
    const heard: string[] = [];
    const reading = (async () => {
      for await (const message of messagesOf(stream)) heard.push(JSON.stringify(message));
    })().catch(() => undefined);
    await changeSecret();
    await listened();
    await stream.body?.cancel().catch(() => undefined);
    void reading;
    return heard.join();
  }

  /** Returns the notifications that a client receives about a changing resource, in the 2026-07-28 era. */
  async function listenedFor(who: 'free' | 'bound', notifications: Message): Promise<string> {
    const _meta = { 'io.modelcontextprotocol/clientCapabilities': { elicitation: {}, extensions: { [TASKS]: {} } } };
    const res = await service.postStateless(
      'subscriptions/listen',
      { notifications, _meta },
      { authorization: `Bearer ${keys[who]}` },
    );
    const heard: string[] = [];
    const reading = (async () => {
      for await (const message of messagesOf(res)) heard.push(JSON.stringify(message));
    })().catch(() => undefined);
    await changeSecret();
    await listened();
    await res.body?.cancel().catch(() => undefined);
    void reading;
    return heard.filter((message) => !message.includes('acknowledged')).join();
  }

  let version = 0;
  const changeSecret = () =>
    service.app
      .get(MemoryService, { strict: false })
      .save({ namespace: 'secret', key: 'word', content: `a secretword ${(version += 1)}`, client: 'free' });

  /** Waits until notifications of earlier changes must have arrived: until a client with full access has received a later one. */
  async function listened(): Promise<void> {
    const client = new ClientV1({ name: 'witness', version: '1' });
    let hasHeard = false;
    client.setNotificationHandler(ResourceUpdatedNotificationSchema, () => void (hasHeard = true));
    await service.connect(client);
    await client.subscribeResource({ uri: 'config://mcp.session_idle_ms' });
    await service.admin('PUT', 'config/mcp.session_idle_ms', { value: 80_000_000 + (version += 1) });
    await until(() => hasHeard);
    await client.close();
  }

  /**
   * The output of each door, as text: the methods of the endpoint, and other ways. `sign`: text that appears only for clients
   * with permission, or when the tool was executed.
   */
  const DOORS: Record<string, { sign: string; go: (who: 'free' | 'bound') => Promise<string> }> = {
    'tools/list': { sign: '"name":"probe"', go: (who) => saying(who, 'tools/list') },
    'tools/call': { sign: 'probe', go: (who) => executedBy(() => calling(who, 'probe', {})) },
    'a long call': {
      sign: 'long_probe',
      go: (who) =>
        executedBy(async () => {
          const said = await calling(who, 'long_probe', {});
          if (!said.includes('isError":true')) await until(() => executed.length > 0);
        }),
    },
    'prompts/list': { sign: '"trace"', go: (who) => saying(who, 'prompts/list') },
    'prompts/get': { sign: 'secret prompt', go: (who) => saying(who, 'prompts/get', { name: 'trace' }) },
    'completion/complete': {
      sign: 'secret-value',
      go: (who) =>
        saying(who, 'completion/complete', {
          ref: { type: 'ref/prompt', name: 'trace' },
          argument: { name: 'a', value: '' },
        }),
    },
    'resources/subscribe': { sign: 'memory://secret/word', go: (who) => updatesHeard(who) },
    'resources/unsubscribe': {
      // Unsubscribing returns nothing. What matters is a subscription from before the policy.
      sign: 'memory://secret/word',
      go: (who) => updatesHeard(who, true),
    },
    'a stream that is opened again': { sign: 'memory://secret/word', go: (who) => heardAgain(who) },
    'subscriptions/listen': {
      sign: 'memory://secret/word',
      go: (who) => listenedFor(who, { resourceSubscriptions: ['memory://secret/word'] }),
    },
    'notifications/tasks': { sign: 'May I?', go: (who) => listenedFor(who, { taskIds: [tasks[who]] }) },
    'tasks/get': { sign: 'May I?', go: (who) => saying(who, 'tasks/get', { taskId: tasks[who] }) },
    'tasks/update': {
      sign: '"resultType":"complete"',
      go: (who) => saying(who, 'tasks/update', { taskId: tasks[who], inputResponses: {} }),
    },
    'a step of a workflow': { sign: 'probe', go: (who) => executedBy(() => calling(who, 'outer', {})) },
    'a workflow in a workflow': { sign: 'probe', go: (who) => executedBy(() => calling(who, 'parent', {})) },
    'a scheduled run': {
      sign: 'probe',
      go: (who) => executedBy(() => started('outer', who === 'bound' ? SERVICE_CLIENT : clientOf('free'))),
    },
    'a trial by an administrator': {
      // The policy forbids the tool `probe`; `long_probe` contains this sign, too.
      sign: 'probe',
      go: (who) => executedBy(() => trial(who === 'bound' ? 'probe' : 'long_probe')),
    },
    'skills/list': { sign: 'skill://secret-skill', go: (who) => saying(who, 'skills/list') },
    'skills/get': {
      sign: 'sha256:',
      go: (who) => saying(who, 'skills/get', { uri: 'skill://secret-skill/SKILL.md' }),
    },
    'resources/directory/read': {
      sign: 'inode/directory',
      go: (who) => saying(who, 'resources/directory/read', { uri: 'skill://secret-skill' }),
    },
    'a prompt of a skill': {
      sign: 'secretsteps',
      go: (who) => saying(who, 'prompts/get', { name: 'secret-skill' }),
    },
    'server/discover': { sign: 'secret-skill', go: (who) => saying(who, 'server/discover') },
    initialize: { sign: 'secret-skill', go: (who) => opened(who) },
    skill_find: { sign: 'secret-skill', go: (who) => calling(who, 'skill_find', { query: 'secretsteps' }) },
    'all skills': { sign: 'secret-skill', go: (who) => calling(who, 'skill_find', {}) },
    skill_read: { sign: 'secretsteps', go: (who) => calling(who, 'skill_read', { name: 'secret-skill' }) },
    knowledge_search: {
      sign: 'knowledge://documents/',
      go: (who) => calling(who, 'knowledge_search', { query: 'secretplan' }),
    },
    knowledge_restore: {
      sign: 'Restored',
      go: (who) => calling(who, 'knowledge_restore', { id: `gone-${who}` }),
    },
    'what knowledge_restore says of other documents': {
      sign: 'Gone other',
      go: (who) => calling(who, 'knowledge_restore', { id: 'nothing' }),
    },
    memory_search: { sign: 'memory://secret', go: (who) => calling(who, 'memory_search', { query: 'secretword' }) },
    feed_items: { sign: 'secretitem', go: (who) => calling(who, 'feed_items', { feed: 'secret-feed' }) },
    search: { sign: 'knowledge://documents/', go: (who) => calling(who, 'search', { query: 'secretplan' }) },
    fetch: { sign: 'secretword', go: (who) => calling(who, 'fetch', { id: 'memory://secret/word' }) },
    run_list: { sign: 'run://', go: (who) => calling(who, 'run_list', {}) },
    run_status: { sign: 'steps', go: (who) => calling(who, 'run_status', { id: runs.service }) },
  };

  async function opened(who: 'free' | 'bound'): Promise<string> {
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } };
    const authorization = `Bearer ${keys[who]}`;
    return (await service.post({ jsonrpc: '2.0', id: 1, method: 'initialize', params }, { authorization })).text();
  }

  async function trial(name: string): Promise<void> {
    await service.askAdmin('POST', `skills/${name}/try`, { arguments: {} }).then((res) => res.text());
    if (name === 'long_probe') await until(() => executed.length > 0);
  }

  /** Methods that reveal nothing, with the reason. */
  const HARMLESS: Record<string, string> = {
    ping: 'says nothing',
    'logging/setLevel': 'changes only what the caller itself is told',
    'tasks/cancel': 'stops what the caller itself has started',
    'notifications/initialized': 'says nothing',
    'notifications/cancelled': 'stops what the caller itself has started',
    'notifications/progress': 'says nothing',
  };
  const WITH_STORES = ['resources/list', 'resources/templates/list', 'resources/read'];

  /** Tools that reveal nothing of what others have stored, or only for a URI or id in the arguments of the call. */
  const PLAIN_TOOLS = [
    'asking',
    'feed_subscribe',
    'feed_unsubscribe',
    'knowledge_edit',
    'knowledge_remove',
    'knowledge_save',
    'long_probe',
    'memory_remove',
    'memory_save',
    'outer',
    'parent',
    'probe',
    'resource_read',
    'run_answer',
    'run_cancel',
    'system_info',
  ];

  it('is missing here', () => {
    const server = new Server(
      { name: 'x', version: '1' },
      { capabilities: { tools: {}, resources: {}, prompts: {}, completions: {}, logging: {} } },
    );
    const capabilities = service.app.get(Capabilities, { strict: false });
    capabilities.register({ server, subscriptions: { add: async () => {}, remove: async () => {} } });
    const stateless = new Server(
      { name: 'x', version: '1' },
      { capabilities: { tools: {}, resources: {}, prompts: {}, completions: {}, logging: {} } },
    );
    capabilities.register({ server: stateless, subscriptions: null });
    const methods = [server, stateless].flatMap((one) => [
      ...(Reflect.get(one, '_requestHandlers') as Map<string, unknown>).keys(),
    ]);
    const known = [...Object.keys(DOORS), ...Object.keys(HARMLESS), ...WITH_STORES];
    expect(methods.length).toBeGreaterThan(12);
    expect(methods.filter((method) => !known.includes(method))).toEqual([]);
  });

  it('leads to a store that is missing here', () => {
    const stores = Reflect.get(service.app.get(ResourceRouter, { strict: false }), 'stores') as Map<string, unknown>;
    expect([...stores.keys()].sort()).toEqual(Object.keys(STORES).sort());
  });

  it('leads to a tool that is missing here', () => {
    const names = service.app
      .get(SkillRegistry, { strict: false })
      .list()
      .map(({ name }) => name);
    const samples = service.app.get(WorkflowDefinitions, { strict: false }).listNames('', 100);
    const known = [...Object.keys(DOORS), ...PLAIN_TOOLS, ...samples];
    expect(names.filter((name) => !known.includes(name))).toEqual([]);
  });

  it.each(Object.keys(DOORS))('lets through what is forbidden, but what is permitted: %s', async (door) => {
    const { sign, go } = DOORS[door] ?? { sign: '', go: async () => '' };
    expect(await go('free')).toContain(sign);
    expect(await go('bound')).not.toContain(sign);
  });

  describe.each(Object.keys(STORES))('shows what is forbidden of the store %s, but what is permitted,', (scheme) => {
    const row = () => STORES[scheme] ?? { uri: () => '', template: null, isListed: false };

    it('in reads', async () => {
      const uri = row().uri();
      expect((await answer('free', 'resources/read', { uri })).result).toBeDefined();
      expect((await answer('bound', 'resources/read', { uri })).error?.message).toContain('policy no-reading forbids');
      expect(await calling('free', 'resource_read', { uri })).not.toContain('"isError":true');
      expect(await calling('bound', 'resource_read', { uri })).toContain('policy no-reading forbids');
    });

    it('in lists', async () => {
      const { uri, template, isListed } = row();
      const quoted = JSON.stringify(uri());
      if (isListed) expect(await saying('free', 'resources/list')).toContain(quoted);
      expect(await saying('bound', 'resources/list')).not.toContain(quoted);
      if (template === null) return;
      expect(await saying('free', 'resources/templates/list')).toContain(JSON.stringify(template));
      expect(await saying('bound', 'resources/templates/list')).not.toContain(JSON.stringify(template));
    });

    it('in completions', async () => {
      const { template } = row();
      if (template === null) return;
      const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const params = { ref: { type: 'ref/resource', uri: template }, argument: { name: names[0], value: '' } };
      const { completion } = (await result('free', 'completion/complete', params)) as {
        completion?: { values: string[] };
      };
      expect(completion?.values.length).toBeGreaterThan(0);
      const refused = await answer('bound', 'completion/complete', params);
      expect(refused.result).toBeUndefined();
    });
  });
});
