import { Module, type OnModuleInit } from '@nestjs/common';
import { Database } from '../src/platform/database/database.js';
import { FeedItemStore } from '../src/features/feeds/store/feed-item.store.js';
import { FeedStore } from '../src/features/feeds/store/feed.store.js';
import { newFeed, newItem, toSave } from '../src/features/feeds/testing.js';
import { KnowledgeService } from '../src/features/knowledge/knowledge.service.js';
import { MemoryService } from '../src/features/memory/memory.service.js';
import { ResourceRouter } from '../src/core/resources/resource.router.js';
import { ResourcesModule } from '../src/core/resources/resources.module.js';
import { addRun } from '../src/features/workflows/definitions/testing.js';
import { WorkflowDefinitions } from '../src/features/workflows/definitions/workflow-definitions.service.js';
import { TestService } from './support/service.js';

const MANY = 120;
const numbers = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => String(index).padStart(5, '0'));

interface Asked {
  template: string;
  variable: string;
  prefix?: string;
  chosen?: Record<string, string>;
}

/** A store with more values than are looked at. */
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
    for (const n of numbers(MANY)) {
      await memory.save({ namespace: 'many', key: n, content: `many ${n}`, client: 'test' });
      await memory.save({ namespace: 'secret', key: `s${n}`, content: `secret ${n}`, client: 'test' });
      await memory.save({ namespace: `n${n}`, key: 'same', content: `other ${n}`, client: 'test' });
      await knowledge.save({ title: `Document ${n}`, content: `content ${n}`, source: 'test' });
      await feeds.create(newFeed({ id: `f${n}`, isPaused: true }));
      await addRun(database, 'any', '1.0.0');
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

  it('does not say how many there are when they are too many to look at', async () => {
    const asked = { template: 'endless://{number}', variable: 'number' };
    expect(await complete('test', asked)).toEqual({ values: numbers(100), hasMore: true });
    expect(await complete('bound', asked)).toEqual({ values: numbers(10) });
  });
});
