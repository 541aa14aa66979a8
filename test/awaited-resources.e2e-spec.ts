import { Client as ClientV2, StreamableHTTPClientTransport as TransportV2 } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { FeedImport } from '../src/features/feeds/subscribing/feed-import.service.js';
import { KnowledgeService } from '../src/features/knowledge/knowledge.service.js';
import { MemoryService } from '../src/features/memory/memory.service.js';
import { workflowText } from '../src/features/workflows/definitions/testing.js';
import { WorkflowDefinitions } from '../src/features/workflows/definitions/workflow-definitions.service.js';
import { McpTransport } from '../src/entrypoints/mcp/mcp-transport.provider.js';
import { describeOnEachDatabase } from './support/databases.js';
import { TestService } from './support/service.js';
import { until } from './support/until.js';

const SENTINEL = 'config://audit.retention_days';
const FORBID_SECRETS = `forbid(principal in Group::"bound", action == Action::"readResource", resource)
  when { resource.uri like "memory://secret/*" };`;
const OPML =
  '<opml version="2.0"><body><outline type="rss" text="Weekly" xmlUrl="http://feeds.example/weekly"/></body></opml>';

/** A client that subscribes to resources. */
interface Watcher {
  /** The URIs that it was notified of. */
  heard: string[];
  /** Why a subscription to a URI was rejected; null if accepted. */
  refusals: Map<string, string | null>;
  close(): Promise<void>;
}

type Watch = (url: URL, key: string, uris: readonly string[]) => Promise<Watcher>;

async function watchInSession(url: URL, key: string, uris: readonly string[]): Promise<Watcher> {
  const client = new ClientV1({ name: 'ide', version: '1' });
  const heard: string[] = [];
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void heard.push(params.uri));
  await client.connect(new TransportV1(url, { requestInit: { headers: { authorization: `Bearer ${key}` } } }));
  const refusals = new Map<string, string | null>();
  for (const uri of uris) {
    const refusal = await client.subscribeResource({ uri }).then(
      () => null,
      (error: unknown) => String(error),
    );
    refusals.set(uri, refusal);
  }
  return { heard, refusals, close: () => client.close() };
}

async function watchByListening(url: URL, key: string, uris: readonly string[]): Promise<Watcher> {
  const client = new ClientV2({ name: 'ide', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
  const heard: string[] = [];
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => void heard.push(params.uri));
  await client.connect(new TransportV2(url, { requestInit: { headers: { authorization: `Bearer ${key}` } } }));
  const { honoredFilter } = await client.listen({ resourceSubscriptions: [...uris] });
  const watched = honoredFilter.resourceSubscriptions ?? [];
  const refusals = new Map(uris.map((uri) => [uri, watched.includes(uri) ? null : 'not acknowledged']));
  return { heard, refusals, close: () => client.close() };
}

const ERAS: [string, Watch][] = [
  ['in a session', watchInSession],
  ['by subscriptions/listen', watchByListening],
];

describeOnEachDatabase('a resource that is watched before it exists', (data) => {
  let service: TestService;
  const keys: Record<'free' | 'bound', string> = { free: '', bound: '' };
  let watcher: Watcher;
  let times = 0;

  beforeAll(async () => {
    service = await TestService.start({ env: data.env });
    for (const name of ['free', 'bound'] as const) {
      const { body } = await service.admin('POST', 'clients', { name, groups: [name] });
      keys[name] = String(body['key']);
    }
    expect((await service.admin('POST', 'policies', { name: 'secrets', policy: FORBID_SECRETS })).status).toBe(201);
  });
  afterEach(async () => {
    await watcher.close();
    await until(() => streams() === 0);
  });
  afterAll(() => service.stop({ keepData: true }));

  const get = <T>(type: abstract new (...args: never[]) => T): T => service.app.get(type, { strict: false });
  const streams = () => service.app.get(McpTransport).endpoint.counts().streams;

  async function begin(watch: Watch, key: string, uris: readonly string[]): Promise<void> {
    watcher = await watch(service.mcpUrl, key, [SENTINEL, ...uris]);
    await until(() => streams() === 1);
  }

  /** Returns the notifications that `happens` causes: a later change marks their end. */
  async function toldOf(happens: () => Promise<unknown>): Promise<string[]> {
    const { heard } = watcher;
    heard.splice(0);
    await happens();
    await service.admin('PUT', 'config/audit.retention_days', { value: 100 + (times += 1) });
    await until(() => heard.includes(SENTINEL));
    return heard.filter((uri) => uri !== SENTINEL).sort();
  }

  const saveNote = (namespace: string, key: string) =>
    get(MemoryService).save({ namespace, key, content: `note ${(times += 1)}`, client: 'free' });

  /** Resources that are created, with all the URIs under which clients await them. `era` keeps those of the two eras apart. */
  const KINDS: Record<string, (era: string) => { uris: string[]; create: () => Promise<unknown> }> = {
    'a memory entry, and its history': (era) => ({
      uris: [`memory://plans/${era}`, `memory://plans/${era}/history`],
      create: () => saveNote('plans', era),
    }),
    'a document, and a part of it': (era) => ({
      uris: [`knowledge://documents/how-${era}-deploys`, `knowledge://documents/how-${era}-deploys?part=1`],
      create: () => get(KnowledgeService).save({ title: `How ${era} deploys`, content: 'By hand.', source: 'free' }),
    }),
    'a workflow, and its diagram': (era) => ({
      uris: [`workflow://${era}`, `workflow://${era}/diagram`],
      create: () => get(WorkflowDefinitions).save(workflowText(era, '1.0.0'), { source: 'admin' }),
    }),
    'a feed': (era) => ({
      uris: [`rss://${era}`],
      create: () => get(FeedImport).importOpml(OPML.replace(/weekly/gi, era)),
    }),
  };

  describe.each(ERAS)('%s', (title, watch) => {
    const era = watch === watchInSession ? 'sessions' : 'listeners';

    it.each(Object.entries(KINDS))('is announced once when it is created: %s', async (_kind, of) => {
      const { uris, create } = of(era);
      await begin(watch, keys.free, uris);
      expect([...watcher.refusals.values()]).toEqual([SENTINEL, ...uris].map(() => null));
      expect(await toldOf(create)).toEqual([...uris].sort());
    });

    it('is announced again when it is created a second time', async () => {
      const uri = `memory://plans/${era}-again`;
      await begin(watch, keys.free, [uri]);
      expect(await toldOf(() => saveNote('plans', `${era}-again`))).toEqual([uri]);
      expect(await toldOf(() => get(MemoryService).remove('plans', `${era}-again`))).toEqual([uri]);
      expect(await toldOf(() => saveNote('plans', `${era}-again`))).toEqual([uri]);
    });

    it('is not announced to clients that policy forbids it to, and is refused alike whether it exists', async () => {
      await saveNote('secret', 'present');
      const [present, absent] = ['memory://secret/present', `memory://secret/${era}`];
      await begin(watch, keys.bound, [present, absent]);
      const refusal = watcher.refusals.get(present);
      expect([title, refusal]).not.toEqual([title, null]);
      expect(watcher.refusals.get(absent)).toBe(refusal?.replace(present, absent));
      expect(await toldOf(() => saveNote('secret', era))).toEqual([]);
      expect(await toldOf(() => saveNote('secret', 'present'))).toEqual([]);
    });
  });
});
