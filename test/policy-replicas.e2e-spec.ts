import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { MemoryService } from '../src/features/memory/memory.service.js';
import { choicesOf } from './fuzz/random.js';
import { describeOnNewPostgres } from './support/postgres.js';
import { TestService } from './support/service.js';
import { messagesOf } from './support/stream-messages.js';
import { until } from './support/until.js';

const TOOLS = ['memory_save', 'memory_search', 'knowledge_save', 'run_list'] as const;
const GROUPS = ['docs', 'ops'] as const;
const SECRET = 'memory://secret/word';

interface Rule {
  effect: 'permit' | 'forbid';
  group: string | null;
  tool: string | null;
  enabled: boolean;
}

const cedarOf = ({ effect, group, tool }: Rule): string =>
  `${effect}(principal${group === null ? '' : ` in Group::"${group}"`}, action == Action::"callTool", resource${
    tool === null ? '' : ` == Tool::"${tool}"`
  });`;

describeOnNewPostgres('policies on two replicas', (database) => {
  let replicas: TestService[] = [];
  const keys: Record<string, string> = {};

  beforeAll(async () => {
    const env = { DATABASE_URL: database.url };
    replicas = [await TestService.start({ env }), await TestService.start({ env })];
    for (const group of GROUPS) {
      const { body } = await at(0).admin('POST', 'clients', { name: `${group}-client`, groups: [group] });
      keys[group] = String(body['key']);
    }
    await until(async () => (await toolsOf(1, 'ops')).length > 0);
  });
  afterAll(async () => {
    for (const service of replicas) await service.stop();
  });

  const at = (index: number): TestService => {
    const service = replicas[index];
    if (!service) throw new Error('it did not start');
    return service;
  };
  const bearer = (group: string) => ({ authorization: `Bearer ${keys[group] ?? ''}` });
  const toolsOf = async (index: number, group: string): Promise<string[]> => {
    const res = await at(index).postStateless('tools/list', {}, bearer(group));
    const { result } = (await res.json()) as { result?: { tools: { name: string }[] } };
    return (result?.tools ?? []).map(({ name }) => name).filter((name) => TOOLS.some((tool) => tool === name));
  };
  const read = async (index: number, group: string): Promise<string> => {
    const res = await at(index).postStateless('resources/read', { uri: SECRET }, bearer(group));
    return res.text();
  };
  const connected = async (group: string, heard: string[]) => {
    const client = new Client({ name: 'ide', version: '1' });
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => void heard.push('tools'));
    client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void heard.push(params.uri));
    await client.connect(new StreamableHTTPClientTransport(at(1).mcpUrl, { requestInit: { headers: bearer(group) } }));
    return client;
  };

  it('notify those whose tools change, and nobody else', async () => {
    const heard: Record<string, string[]> = { docs: [], ops: [] };
    const clients = [await connected('docs', heard['docs'] ?? []), await connected('ops', heard['ops'] ?? [])];
    const listening = await at(1).postStateless(
      'subscriptions/listen',
      { notifications: { toolsListChanged: true } },
      bearer('ops'),
    );
    const told: string[] = [];
    void (async () => {
      for await (const { method } of messagesOf(listening)) told.push(String(method));
    })().catch(() => undefined);
    await until(() => told.length === 1);
    const policy = 'forbid(principal in Group::"docs", action, resource == Tool::"run_list");';
    await at(0).admin('POST', 'policies', { name: 'docs-only', policy });
    await until(() => heard['docs']?.includes('tools') === true);
    await at(0).admin('PUT', 'policies/docs-only', { policy: policy.replace('docs', 'ops') });
    await until(() => heard['ops']?.includes('tools') === true);
    await until(() => heard['docs']?.length === 2);
    expect(heard).toEqual({ docs: ['tools', 'tools'], ops: ['tools'] });
    await until(() => told.length === 2);
    expect(told).toEqual(['notifications/subscriptions/acknowledged', 'notifications/tools/list_changed']);
    await listening.body?.cancel().catch(() => undefined);
    await at(0).admin('DELETE', 'policies/docs-only');
    for (const client of clients) await client.close();
  });

  it('hold for the groups that a client is in now, also on streams that are open', async () => {
    const heard: string[] = [];
    const client = await connected('docs', heard);
    await at(0).admin('PUT', 'clients/docs-client', { groups: ['docs', 'ops'] });
    await until(() => heard.includes('tools'));
    const policy = 'forbid(principal in Group::"ops", action == Action::"readResource", resource);';
    await at(0).admin('POST', 'policies', { name: 'ops-read-nothing', policy });
    await until(async () => (await read(1, 'docs')).includes('ops-read-nothing'));
    await at(0).admin('PUT', 'clients/docs-client', { groups: ['docs'] });
    await until(async () => !(await read(1, 'docs')).includes('ops-read-nothing'));
    const listening = await at(1).postStateless(
      'subscriptions/listen',
      { notifications: { resourceSubscriptions: [SECRET] } },
      bearer('docs'),
    );
    await at(0).admin('PUT', 'clients/docs-client', { groups: ['docs', 'ops'] });
    let last: Record<string, unknown> = {};
    for await (const message of messagesOf(listening)) last = message;
    expect(last['result']).toMatchObject({ resultType: 'complete' });
    await at(0).admin('DELETE', 'policies/ops-read-nothing');
    await at(0).admin('PUT', 'clients/docs-client', { groups: ['docs'] });
    await client.close();
  });

  it.each([1, 2, 3])('decide like a plain model, whatever is changed where (seed %d)', async (seed) => {
    const pick = choicesOf(seed);
    const rules = new Map<string, Rule>([['permit-all', { effect: 'permit', group: null, tool: null, enabled: true }]]);
    const isAllowed = (group: string, tool: string) => {
      const fitting = [...rules.values()].filter(
        (rule) => rule.enabled && (rule.group ?? group) === group && (rule.tool ?? tool) === tool,
      );
      return fitting.some(({ effect }) => effect === 'permit') && !fitting.some(({ effect }) => effect === 'forbid');
    };
    for (let count = 0; count < 25; count += 1) {
      const service = at(pick([0, 1]));
      const name = pick(['a', 'b', 'c', 'd']);
      const known = rules.get(name);
      const rule: Rule = {
        effect: pick(['permit', 'forbid', 'forbid']),
        group: pick([null, ...GROUPS]),
        tool: pick([null, ...TOOLS]),
        enabled: true,
      };
      switch (pick(['save', 'save', 'switch', 'delete', 'default'])) {
        case 'save':
          if (known) await service.admin('PUT', `policies/${name}`, { policy: cedarOf(rule), enabled: true });
          else await service.admin('POST', 'policies', { name, policy: cedarOf(rule) });
          rules.set(name, rule);
          break;
        case 'switch':
          if (!known) continue;
          await service.admin('PUT', `policies/${name}`, { enabled: !known.enabled });
          rules.set(name, { ...known, enabled: !known.enabled });
          break;
        case 'delete':
          await service.admin('DELETE', `policies/${name}`);
          rules.delete(name);
          break;
        case 'default': {
          const all = rules.get('permit-all');
          if (!all) continue;
          await service.admin('PUT', 'policies/permit-all', { enabled: !all.enabled });
          rules.set('permit-all', { ...all, enabled: !all.enabled });
        }
      }
      for (const group of GROUPS) {
        const expected = TOOLS.filter((tool) => isAllowed(group, tool)).sort();
        for (const index of [0, 1]) await until(async () => (await toolsOf(index, group)).join() === expected.join());
      }
    }
    for (const name of rules.keys()) if (name !== 'permit-all') await at(0).admin('DELETE', `policies/${name}`);
    await at(0).admin('PUT', 'policies/permit-all', { enabled: true });
    await until(async () => (await toolsOf(1, 'ops')).length === TOOLS.length);
  });

  it('end subscriptions on one replica, when they are forbidden on the other', async () => {
    const heard: string[] = [];
    const client = await connected('docs', heard);
    await client.subscribeResource({ uri: SECRET }).catch(() => undefined);
    const listening = await at(1).postStateless(
      'subscriptions/listen',
      { notifications: { resourceSubscriptions: [SECRET] } },
      bearer('docs'),
    );
    const messages = messagesOf(listening);
    await messages.next();
    const save = (content: string) =>
      at(0)
        .app.get(MemoryService, { strict: false })
        .save({ namespace: 'secret', key: 'word', content, client: 'admin' });
    await save('first');
    await until(() => heard.includes(SECRET));
    const policy = 'forbid(principal in Group::"docs", action == Action::"readResource", resource);';
    await at(0).admin('POST', 'policies', { name: 'no-reading', policy });
    // The server ends the stream, with a final result.
    let last: Record<string, unknown> = {};
    for await (const message of messages) last = message;
    expect(last['result']).toMatchObject({ resultType: 'complete' });
    heard.length = 0;
    await save('second');
    await at(0).admin('DELETE', 'policies/no-reading');
    await save('third');
    const policies = await at(0).admin('POST', 'policies', {
      name: 'witness',
      policy: 'forbid(principal in Group::"docs", action, resource == Tool::"run_list");',
    });
    expect(policies.status).toBe(201);
    await until(() => heard.includes('tools'));
    // An ended subscription does not resume by itself.
    expect(heard.filter((what) => what === SECRET)).toEqual([]);
    await at(0).admin('DELETE', 'policies/witness');
    await client.close();
  });
});
