import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { SettingsService } from '../src/platform/config/settings.service.js';
import { EventBus } from '../src/platform/events/event-bus.service.js';
import { FeedItemStore } from '../src/features/feeds/store/feed-item.store.js';
import { FeedStore } from '../src/features/feeds/store/feed.store.js';
import { FeedsService } from '../src/features/feeds/feeds.service.js';
import { newFeed, newItem, toSave } from '../src/features/feeds/testing.js';
import { KnowledgeService } from '../src/features/knowledge/knowledge.service.js';
import { MemoryService } from '../src/features/memory/memory.service.js';
import { workflowText } from '../src/features/workflows/definitions/testing.js';
import { WorkflowDefinitions } from '../src/features/workflows/definitions/workflow-definitions.service.js';
import { RunsService } from '../src/features/workflows/runs/runs.service.js';
import { KEY, TestService } from './support/service.js';
import { messagesOf } from './support/stream-messages.js';
import { until } from './support/until.js';

/** One resource, with every sort of URI that reads it or a view of it. */
interface Row {
  uris: () => readonly string[];
  /** Changes it, each time in another way. */
  change: (time: number) => Promise<unknown>;
}

describe('a client is told of a changed resource under the URI that it subscribed to', () => {
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
  /** Changes a resource, and then another that everybody here watches, so that nothing more of the first can come. */
  async function changed(row: Row, heard: readonly string[]): Promise<string[]> {
    const before = heard.length;
    await row.change((changes += 1));
    await settings().set('audit.retention_days', changes);
    await until(() => heard.slice(before).includes(SENTINEL));
    return heard.slice(before).filter((uri) => uri !== SENTINEL);
  }

  // Shows in 2025-11-25: resources.updated, resources.unsubscribe
  it.each(Object.entries(ROWS))('in a session: %s', async (_what, row) => {
    const client = new ClientV1({ name: 'listener', version: '1' });
    const heard: string[] = [];
    client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void heard.push(params.uri));
    const requestInit = { headers: { authorization: `Bearer ${KEY}` } };
    await client.connect(new StreamableHTTPClientTransport(service.mcpUrl, { requestInit }));
    await client.subscribeResource({ uri: SENTINEL });
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
    await client.close();
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
