import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { Module, type OnModuleInit } from '@nestjs/common';
import { ClientsService } from '../src/access/clients/clients.service.js';
import { ResourceRouter } from '../src/core/resources/resource.router.js';
import { ResourcesModule } from '../src/core/resources/resources.module.js';
import { FeedsService } from '../src/features/feeds/feeds.service.js';
import { FeedItemStore } from '../src/features/feeds/store/feed-item.store.js';
import { FeedStore } from '../src/features/feeds/store/feed.store.js';
import { newFeed, newItem, toSave } from '../src/features/feeds/testing.js';
import { KnowledgeService } from '../src/features/knowledge/knowledge.service.js';
import { MemoryService } from '../src/features/memory/memory.service.js';
import { addRun, workflowText } from '../src/features/workflows/definitions/testing.js';
import { WorkflowDefinitions } from '../src/features/workflows/definitions/workflow-definitions.service.js';
import { RunsService } from '../src/features/workflows/runs/runs.service.js';
import { SettingsService } from '../src/platform/config/settings.service.js';
import { Database } from '../src/platform/database/database.js';
import { EventBus } from '../src/platform/events/event-bus.service.js';
import { TestService } from './support/service.js';
import { messagesOf } from './support/stream-messages.js';
import { until } from './support/until.js';

/** A resource, with all kinds of URIs that read it or a view of it. */
interface Row {
  uris: () => readonly string[];
  /** Changes it in a different way each time. */
  change: (time: number) => Promise<unknown>;
}

describe('a client is notified of a changed resource under the URI that it subscribed to', () => {
  let service: TestService;
  const ids = { document: '', run: '' };
  const get = <T>(type: abstract new (...args: never[]) => T): T => service.app.get(type, { strict: false });
  const settings = () => service.app.get(SettingsService, { strict: false });

  const ROWS: Record<string, Row> = {
    'a memory entry, and its history': {
      uris: () => ['memory://team/note', 'memory://team/note/history'],
      change: (time) =>
        get(MemoryService).save({ namespace: 'team', key: 'note', content: `note ${time}`, client: 'default' }),
    },
    'a document, and a part of it': {
      uris: () => [`knowledge://documents/${ids.document}`, `knowledge://documents/${ids.document}?part=1`],
      change: (time) =>
        get(KnowledgeService).save({ id: ids.document, title: 'Plan', content: `plan ${time}`, source: 'default' }),
    },
    'a setting': {
      uris: () => [
        'config://mcp.tool_timeout_ms',
        'config://mcp%2Etool_timeout_ms',
        'CONFIG://mcp.tool_timeout_ms',
        'Config://%6dcp.tool%5Ftimeout_ms',
      ],
      change: (time) => settings().set('mcp.tool_timeout_ms', 30_000 + time),
    },
    'a feed': {
      uris: () => ['rss://daily', 'rss://daily/', 'rss://DAILY', 'RSS://Daily/'],
      change: (time) => get(FeedsService).update('daily', { title: `Daily ${time}` }),
    },
    'an item of a feed': {
      uris: () => ['rss://daily/i1', 'rss://DAILY/i1/'],
      change: async (time) => {
        await get(FeedItemStore).save([toSave(newItem({ feedId: 'daily', id: 'i1', title: `Item ${time}` }))]);
        get(EventBus).emit('feed.updated', { feed: 'daily', newItems: 0, changedItems: ['i1'] });
      },
    },
    'a workflow, and its diagram': {
      uris: () => ['workflow://flow', 'workflow://flow/diagram'],
      change: (time) => get(WorkflowDefinitions).save(workflowText('flow', `1.0.${time}`), { source: 'admin' }),
    },
    'a run': {
      uris: () => [`run://${ids.run}`, `run://${ids.run.toUpperCase()}`, `RUN://${ids.run}/`],
      change: async () => get(EventBus).emit('run.changed', { id: ids.run, status: 'waiting' }),
    },
    'a run of which a step has ended': {
      uris: () => [`run://${ids.run}`],
      change: async () => {
        const step = { name: '/do/0/wait', task: '/do/0/wait' };
        get(EventBus).emit('run.step', { id: ids.run, step });
      },
    },
  };

  beforeAll(async () => {
    service = await TestService.start();
    await get(MemoryService).save({ namespace: 'team', key: 'note', content: 'note', client: 'default' });
    const plan = await get(KnowledgeService).save({ title: 'Plan', content: 'plan', source: 'default' });
    ids.document = plan.document.id;
    await get(FeedStore).create(newFeed({ id: 'daily', isPaused: true }));
    await get(FeedItemStore).save([toSave(newItem({ feedId: 'daily', id: 'i1' }))]);
    await get(WorkflowDefinitions).save(workflowText('flow', '1.0.0', 'wait: PT1H'), { source: 'admin' });
    const run = { program: 'workflow', name: 'flow', version: '1.0.0', input: {}, origin: 'call' } as const;
    const client = { name: 'default', groups: [] };
    ids.run = (await get(RunsService).start({ ...run, client, idempotencyKey: null, isTest: false })).id;
  });
  afterAll(() => service.stop());

  const SENTINEL = 'config://audit.retention_days';
  let changes = 0;
  /** Nothing more arrives of what was changed before a client subscribed. */
  const settled = (heard: readonly string[]) => changed({ change: async () => {} }, heard);

  /**
   * Changes the resource, and then another one that all clients here watch, as a mark that nothing more of the first can
   * arrive.
   */
  async function changed(row: Pick<Row, 'change'>, heard: readonly string[]): Promise<string[]> {
    const before = heard.length;
    changes += 1;
    await row.change(changes);
    await settings().set('audit.retention_days', changes);
    await until(() => heard.slice(before).includes(SENTINEL));
    return heard.slice(before).filter((uri) => uri !== SENTINEL);
  }

  // Shows in 2025-11-25: resources.updated, resources.unsubscribe
  it.each(Object.entries(ROWS))('in a session: %s', async (_what, row) => {
    const client = new ClientV1({ name: 'listener', version: '1' });
    const heard: string[] = [];
    client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void heard.push(params.uri));
    await service.connect(client);
    await client.subscribeResource({ uri: SENTINEL });
    await settled(heard);
    for (const uri of row.uris()) {
      expect((await client.readResource({ uri })).contents).toMatchObject([{ uri }]);
      await client.subscribeResource({ uri });
    }
    expect((await changed(row, heard)).sort()).toEqual([...row.uris()].sort());
    const [first = '', ...others] = row.uris();
    for (const uri of others) await client.unsubscribeResource({ uri });
    expect(await changed(row, heard)).toEqual([first]);
    await client.unsubscribeResource({ uri: first });
    expect(await changed(row, heard)).toEqual([]);
  });

  // Shows in 2026-07-28: resources.updated
  it.each(Object.entries(ROWS))('on a listen stream: %s', async (_what, row) => {
    const [first = '', ...others] = row.uris();
    for (const uris of [[first, ...others], others, []]) {
      const resourceSubscriptions = [SENTINEL, ...uris];
      const res = await service.postStateless('subscriptions/listen', { notifications: { resourceSubscriptions } });
      const heard: string[] = [];
      const acknowledged = Promise.withResolvers<unknown>();
      const reading = (async () => {
        for await (const { method, params } of messagesOf(res)) {
          if (method === 'notifications/resources/updated') heard.push((params as { uri: string }).uri);
          else acknowledged.resolve(params);
        }
      })().catch(() => undefined);
      expect(await acknowledged.promise).toMatchObject({ notifications: { resourceSubscriptions } });
      expect((await changed(row, heard)).sort()).toEqual([...uris].sort());
      await res.body?.cancel().catch(() => undefined);
      void reading;
    }
  });
});

const MANY = 120;
const numbers = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => String(index).padStart(5, '0'));

interface Asked {
  template: string;
  variable: string;
  prefix?: string;
  chosen?: Record<string, string>;
}

/** A store with more values than completion examines. */
@Module({ imports: [ResourcesModule] })
class EndlessModule implements OnModuleInit {
  constructor(private readonly router: ResourceRouter) {}

  onModuleInit(): void {
    this.router.register({
      scheme: 'endless',
      position: 9,
      listPage: async () => ({ items: [], nextCursor: null }),
      templates: () => [{ uriTemplate: 'endless://{number}', name: 'Number' }],
      canonical: (uri) => uri,
      read: async () => null,
      complete: async ({ limit }) => numbers(limit),
      watch: () => () => {},
    });
  }
}

const POLICIES = {
  secret: `forbid(principal in Group::"bound", action == Action::"readResource", resource)
    when { resource.uri like "memory://secret/*" };`,
  part: `forbid(principal in Group::"bound", action == Action::"readResource", resource)
    when { resource.uri like "memory://many/000*" };`,
  few: `forbid(principal in Group::"bound", action == Action::"readResource", resource)
    when { resource.uri like "endless://*" && !(resource.uri like "endless://0000*") };`,
};

describe('what completion/complete offers', () => {
  let service: TestService;
  const keys: Record<'test' | 'bound', string> = { test: '', bound: '' };

  beforeAll(async () => {
    service = await TestService.start({ imports: [EndlessModule] });
    const get = <T>(type: abstract new (...args: never[]) => T): T => service.app.get(type, { strict: false });
    for (const name of ['test', 'bound'] as const) {
      const { body } = await service.admin('POST', 'clients', { name, groups: [name] });
      keys[name] = String(body['key']);
    }
    for (const [name, policy] of Object.entries(POLICIES)) {
      expect((await service.admin('POST', 'policies', { name, policy })).status).toBe(201);
    }
    const [memory, knowledge, database] = [get(MemoryService), get(KnowledgeService), get(Database)];
    const [feeds, items, workflows] = [get(FeedStore), get(FeedItemStore), get(WorkflowDefinitions)];
    const client = get(ClientsService).find('test');
    for (const n of numbers(MANY)) {
      await memory.save({ namespace: 'many', key: n, content: `many ${n}`, client: 'test' });
      await memory.save({ namespace: 'secret', key: `s${n}`, content: `secret ${n}`, client: 'test' });
      await memory.save({ namespace: `n${n}`, key: 'same', content: `other ${n}`, client: 'test' });
      await knowledge.save({ title: `Document ${n}`, content: `content ${n}`, source: 'test' });
      await feeds.create(newFeed({ id: `f${n}`, isPaused: true }));
      await addRun(database, 'any', '1.0.0', client?.owner);
    }
    const both = ['f00000', 'f00001'].flatMap((feedId) => numbers(MANY).map((id) => newItem({ feedId, id })));
    await items.save(both.map(toSave));
    expect(workflows.listNames('', 9)).toEqual([]);
  });
  afterAll(() => service.stop());

  async function complete(
    who: 'test' | 'bound',
    { template, variable, prefix = '', chosen = {} }: Asked,
  ): Promise<{ values: string[]; total?: number; hasMore?: boolean }> {
    const params = {
      ref: { type: 'ref/resource', uri: template },
      argument: { name: variable, value: prefix },
      context: { arguments: chosen },
    };
    const res = await service.postStateless('completion/complete', params, { authorization: `Bearer ${keys[who]}` });
    const { result } = (await res.json()) as { result: { completion: { values: string[] } } };
    return result.completion;
  }

  const MEMORY = 'memory://{namespace}/{key}';
  // Shows in 2026-07-28: completion.values
  it.each<[string, Asked, number]>([
    ['keys', { template: MEMORY, variable: 'key', chosen: { namespace: 'many' } }, MANY],
    ['keys of all namespaces, each once', { template: MEMORY, variable: 'key' }, 2 * MANY + 1],
    ['namespaces', { template: MEMORY, variable: 'namespace', prefix: 'n' }, MANY],
    ['documents', { template: 'knowledge://documents/{id}', variable: 'id' }, MANY],
    ['feeds', { template: 'rss://{feed}', variable: 'feed' }, MANY],
    ['items', { template: 'rss://{feed}/{item}', variable: 'item', chosen: { feed: 'f00000' } }, MANY],
    ['items of all feeds, each once', { template: 'rss://{feed}/{item}', variable: 'item' }, MANY],
    ['runs', { template: 'run://{id}', variable: 'id' }, MANY],
  ])('of many %s are the first 100, how many there are, and that there are more', async (_what, asked, total) => {
    const { values, ...rest } = await complete('test', asked);
    expect([values.length, new Set(values).size]).toEqual([100, 100]);
    expect(rest).toEqual({ total, hasMore: true });
  });

  it.each<[string, Asked, string[]]>([
    [
      'keys',
      { template: MEMORY, variable: 'key', prefix: '0011', chosen: { namespace: 'many' } },
      numbers(MANY).slice(110),
    ],
    ['feeds', { template: 'rss://{feed}', variable: 'feed', prefix: 'f00119' }, ['f00119']],
    ['settings', { template: 'config://{key}', variable: 'key', prefix: 'mcp.tool_' }, ['mcp.tool_timeout_ms']],
    ['workflows', { template: 'workflow://{name}', variable: 'name' }, []],
  ])('of few %s are all', async (_what, asked, values) => {
    const { values: offered, ...rest } = await complete('test', asked);
    expect(offered.sort()).toEqual(values);
    expect(rest).toEqual({ total: values.length, hasMore: false });
  });

  it('counts nothing that policies forbid', async () => {
    const keysOf = (namespace: string) =>
      complete('bound', { template: MEMORY, variable: 'key', chosen: { namespace } });
    expect(await keysOf('secret')).toEqual({ values: [], total: 0, hasMore: false });
    expect(await keysOf('many')).toEqual({ values: numbers(MANY).slice(100), total: 20, hasMore: false });
    const namespaces = await complete('bound', { template: MEMORY, variable: 'namespace' });
    expect(namespaces).toMatchObject({ total: MANY + 1, hasMore: true });
    expect(namespaces.values).not.toContain('secret');
  });

  it('does not return a total when there are too many to count', async () => {
    const asked = { template: 'endless://{number}', variable: 'number' };
    expect(await complete('test', asked)).toEqual({ values: numbers(100), hasMore: true });
    expect(await complete('bound', asked)).toEqual({ values: numbers(10) });
  });
});
