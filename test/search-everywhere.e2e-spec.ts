import { Client as ClientV2 } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { type CallToolResult, CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { FeedItemStore } from '../src/features/feeds/store/feed-item.store.js';
import { FeedStore } from '../src/features/feeds/store/feed.store.js';
import { newFeed, newItem, toSave } from '../src/features/feeds/testing.js';
import { Random } from './fuzz/random.js';
import { describeOnEachDatabase } from './support/databases.js';
import { TestService } from './support/service.js';
import { until } from './support/until.js';

const PUBLIC_URL = 'http://127.0.0.1:9/';
const ADMIN = 'http://127.0.0.1:9/admin';
const DOCUMENT = 'knowledge://documents/zebra-crossings';
const HITS = [
  { id: DOCUMENT, title: 'Zebra crossings', url: `${ADMIN}/knowledge/zebra-crossings` },
  { id: 'memory://team/zebra', title: 'team/zebra', url: `${ADMIN}/memory/team/zebra` },
  { id: 'rss://zoo/linked', title: 'A zebra is born', url: 'https://zoo.example/zebra' },
  { id: 'rss://zoo/bare', title: 'The zebra walks', url: `${ADMIN}/feed-items/zoo/bare` },
];

describeOnEachDatabase('search and fetch, as ChatGPT asks for them', (data) => {
  let service: TestService;
  let v1: ClientV1;
  let v2: ClientV2;

  beforeAll(async () => {
    service = await TestService.start({ env: { ...data.env, PUBLIC_URL } });
    v1 = new ClientV1({ name: 'openai-mcp', version: '1' });
    await service.connect(v1);
    v2 = new ClientV2({ name: 'openai-mcp', version: '1' });
    await service.connectV2(v2);
    const content = '# Zebra crossings\n\nStop for people.\n';
    await service.admin('POST', 'knowledge', { title: 'Zebra crossings', content, tags: ['traffic'] });
    await service.admin('POST', 'memory', { namespace: 'team', key: 'zebra', content: 'Our zebra is called Ann.' });
    await service.app.get(FeedStore, { strict: false }).create(newFeed({ id: 'zoo' }));
    const linked = { id: 'linked', title: 'A zebra is born', url: 'https://zoo.example/zebra', content: 'It is well.' };
    const bare = { id: 'bare', title: 'The zebra walks', sortedAt: new Date('2025-12-31T00:00:00Z') };
    const items = [linked, bare].map((item) => toSave(newItem({ feedId: 'zoo', ...item })));
    await service.app.get(FeedItemStore, { strict: false }).save(items);
  });
  afterAll(() => service.stop());

  const names = async () => (await v1.listTools()).tools.map(({ name }) => name);
  const call = async (client: ClientV1 | ClientV2, name: string, args: Record<string, unknown>) =>
    CallToolResultSchema.parse(await client.callTool({ name, arguments: args }));
  const textOf = (block: CallToolResult['content'][number] | undefined) => (block?.type === 'text' ? block.text : '');
  const resultsOf = async (query: string) => (await call(v1, 'search', { query })).structuredContent?.['results'];

  it('are tools only while an administrator wants them', async () => {
    expect(await names()).not.toContain('search');
    await service.admin('PUT', 'config/mcp.search_and_fetch', { value: 'on' });
    await until(async () => ['search', 'fetch'].every((name) => toolNames.includes(name)) || (await look()));
    await service.admin('PUT', 'config/mcp.search_and_fetch', { value: 'off' });
    await look();
    expect(toolNames).not.toContain('fetch');
    await service.admin('PUT', 'config/mcp.search_and_fetch', { value: 'on' });
  });
  let toolNames: string[] = [];
  const look = async () => {
    toolNames = await names();
    return false;
  };

  it('get their names as soon as the module that had one is removed', async () => {
    await service.admin('PUT', 'config/mcp.search_and_fetch', { value: 'off' });
    const code = `export default { name: 'search', description: 'Mine.', input: { type: 'object' }, execute: () => 'mine' };`;
    await service.admin('POST', 'skill-modules', { file: 'mine.js', code });
    await until(async () => (await names()).includes('search'));
    await service.admin('PUT', 'config/mcp.search_and_fetch', { value: 'on' });
    await until(async () => (await names()).includes('fetch'));
    expect(textOf((await call(v1, 'search', {})).content[0])).toBe('mine');
    await service.admin('DELETE', 'skill-modules/mine');
    await until(async () => (await resultsOf('zebra')) !== undefined);
  });

  it.each(['2025', '2026'])(
    'find the best of each store, and say the same as text and structured, in %s',
    async (era) => {
      const { content, structuredContent, isError } = await call(era === '2025' ? v1 : v2, 'search', {
        query: 'zebra',
      });
      expect([content.length, isError ?? false]).toEqual([1, false]);
      expect(JSON.parse(textOf(content[0]))).toEqual(structuredContent);
      expect(structuredContent).toEqual({ results: HITS });
    },
  );

  it.each(['2025', '2026'])('return the text of each result, and what is known of it, in %s', async (era) => {
    const texts = ['Stop for people.', 'Our zebra is called Ann.', 'It is well.', 'The zebra walks'];
    for (const [index, hit] of HITS.entries()) {
      const { content, structuredContent } = await call(era === '2025' ? v1 : v2, 'fetch', { id: hit.id });
      expect(content.map((block) => JSON.parse(textOf(block)) as unknown)).toEqual([structuredContent]);
      expect(structuredContent).toEqual({
        ...hit,
        text: expect.stringContaining(texts[index] ?? '-') as unknown,
        metadata: expect.objectContaining({ updated: expect.stringMatching(/^20\d\d-/) as unknown }) as unknown,
      });
    }
    const { structuredContent } = await call(v1, 'fetch', { id: DOCUMENT });
    expect(structuredContent?.['metadata']).toMatchObject({ store: 'knowledge', version: '1', tags: 'traffic' });
  });

  it('return a part by its address, and state what is omitted from a long text', async () => {
    const part = await call(v1, 'fetch', { id: `${DOCUMENT}#passage-1` });
    expect(part.structuredContent).toMatchObject({ id: `${DOCUMENT}#passage-1`, url: HITS[0]?.url });
    await service.admin('POST', 'knowledge', { title: 'Long', content: `seven: ${'🦓 word '.repeat(60_000)}.` });
    const { structuredContent } = await call(v1, 'fetch', { id: 'knowledge://documents/long' });
    const text = String(structuredContent?.['text']);
    expect(text.slice(-90)).toContain('[Cut: these are the first 100000 of 480008 characters.');
    expect([text.length < 100_200, text.isWellFormed()]).toEqual([true, true]);
  });

  it('find nothing for a query without a word', async () => {
    expect([await resultsOf('???'), await resultsOf('gnu')]).toEqual([[], []]);
    expect((await call(v1, 'search', { query: '' })).isError).toBe(true);
  });

  it('leave out what policies forbid to read, which is not found', async () => {
    const policy = (uri: string) =>
      `forbid(principal, action == Action::"readResource", resource == Resource::"${uri}");`;
    const forbidden = [DOCUMENT, 'memory://team/zebra', 'rss://zoo/linked'];
    for (const [index, uri] of forbidden.entries()) {
      const made = await service.admin('POST', 'policies', { name: `not-${index}`, policy: policy(uri) });
      expect(made.status).toBe(201);
    }
    expect(await resultsOf('zebra')).toEqual(HITS.slice(3));
    for (const id of [...forbidden, `${DOCUMENT}#passage-1`, `${DOCUMENT}/history/1`]) {
      const { content, isError, structuredContent } = await call(v1, 'fetch', { id });
      expect([isError, structuredContent, textOf(content[0])]).toEqual([
        true,
        undefined,
        `Not found: ${id}. Give the id of a result of search as it is.`,
      ]);
    }
    for (const index of forbidden.keys()) await service.admin('DELETE', `policies/not-${index}`);
  });

  it('find nothing under ids of other stores, or of nothing at all', async () => {
    const random = new Random(7);
    const parts = [
      'knowledge://',
      'documents/',
      'memory://',
      'rss://',
      'zoo',
      '/',
      'team',
      '#passage-99',
      '%',
      '%2e',
      '..',
    ];
    const others = [
      'config://mcp.api_key',
      'config://mcp.tool_timeout_ms',
      'workflow://x',
      'rss://zoo',
      'zebra',
      '\u0000',
    ];
    const made = Array.from(
      { length: 60 },
      () => Array.from({ length: random.integer(1, 6) }, () => random.pick(parts)).join('') + random.garbage(2),
    );
    for (const id of [...others, 'system://info', `${DOCUMENT}-2`, 'memory://team/zebra/x', ...made]) {
      const { isError, content } = await call(v1, 'fetch', { id }).catch((error: unknown) => ({
        isError: true,
        content: [{ type: 'text' as const, text: String(error) }],
      }));
      expect([id, isError, textOf(content[0])]).toEqual([id, true, expect.stringMatching(/^Not found: |32602|id: /)]);
    }
  });
});
