import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { FeedSubscriptions } from '../src/feeds/subscribing/subscriptions.service.js';
import { KnowledgeService } from '../src/knowledge/knowledge.service.js';
import { WorkflowDefinitions } from '../src/workflows/definitions/workflow-definitions.service.js';
import { ADMIN_CLIENT, hasEnded, type Run } from '../src/workflows/runs/run.js';
import { RunsService } from '../src/workflows/runs/runs.service.js';
import { TestService } from './support/service.js';
import { until } from './support/until.js';

const FOLDER = 'workflows/samples';
const FILES = readdirSync(FOLDER).filter((file) => file.endsWith('.yaml'));
const FEED = `<rss version="2.0"><channel><title>News</title><link>https://news.example/</link><item>
  <title>A llama has escaped</title><link>https://news.example/1</link><description>It is in the park.</description>
  <pubDate>${new Date().toUTCString()}</pubDate></item></channel></rss>`;
const textOf = (file: string) => readFileSync(join(FOLDER, file), 'utf8');

describe('the sample workflows', () => {
  let service: TestService;
  let server: Server;
  let site: string;
  /** What the page says; `then` replaces it after the next request. */
  let page: { status: number; text: string; then?: typeof page };

  beforeAll(async () => {
    server = createServer(({ url }, response) => {
      if (url === '/feed') return response.writeHead(200, { 'content-type': 'application/rss+xml' }).end(FEED);
      response.writeHead(page.status, { 'content-type': 'text/plain' }).end(page.text);
      page = page.then ?? page;
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    site = `http://127.0.0.1:${(server.address() as AddressInfo).port}/page`;
    service = await TestService.start({ env: { HTTP_ALLOWED_HOSTS: '127.0.0.1' } });
  });
  beforeEach(() => {
    page = { status: 200, text: 'Monday' };
  });
  afterAll(async () => {
    await service.stop();
    server.close();
  });

  const definitions = () => service.app.get(WorkflowDefinitions);
  const runs = () => service.app.get(RunsService);

  async function start(name: string, input: Run['input']): Promise<Run> {
    await definitions().save(textOf(`${name}.yaml`), { source: 'admin' });
    const client = ADMIN_CLIENT;
    const more = { origin: 'admin', client, idempotencyKey: null, isTest: false, version: '1.0.0' } as const;
    return runs().start({ program: 'workflow', name, input, ...more });
  }

  async function ended({ id }: Run): Promise<Run> {
    await until(async () => hasEnded((await runs().get(id)).status));
    return runs().get(id);
  }

  const result = async (name: string, input: Run['input'] = {}) => {
    const { output, error } = await ended(await start(name, input));
    return error ?? output;
  };

  it('are at least six, and all of them are in the overview', () => {
    const overview = readFileSync('workflows/README.md', 'utf8');
    expect(FILES.length).toBeGreaterThanOrEqual(6);
    expect(FILES.filter((file) => !overview.includes(`\`${file}\``))).toEqual([]);
  });

  it('are not read unless somebody copies them', async () => {
    expect((await definitions().listPage({ limit: 9 })).items).toEqual([]);
  });

  it.each(FILES)('%s is valid without warnings, and named as its file', async (file) => {
    const { definition, problems } = await definitions().validate(textOf(file));
    expect(problems).toEqual([]);
    expect(`${definition?.document.name ?? ''}.yaml`).toBe(file);
    expect(definition?.document.summary).toMatch(/^Use this to /);
  });

  it('research-topic finds things in all three stores at once', async () => {
    await service.app
      .get(KnowledgeService)
      .save({ title: 'Deploying', content: 'Deploy on Thursday.', tags: [], source: 'test' });
    expect(await result('research-topic', { topic: 'deploy' })).toMatchObject({
      topic: 'deploy',
      documents: [{ title: 'Deploying' }],
      memories: [],
      news: [],
    });
  });

  it('feed-digest says when there is nothing new', async () => {
    expect(await result('feed-digest', { hours: 48 })).toEqual({ saved: null, items: 0 });
  });

  it('feed-digest saves what is new', async () => {
    await service.app.get(FeedSubscriptions).subscribe(new URL('/feed', site).href, new AbortController().signal);
    const output = (await result('feed-digest', { query: 'llama' })) as { saved: string; items: number };
    expect(output.items).toBe(1);
    const { content } = await service.app.get(KnowledgeService).get(output.saved.split('/').at(-1) ?? '');
    expect(content).toContain('## A llama has escaped\n\nhttps://news.example/1\n\nIt is in the park.');
  });

  it('weekly-report saves a section for each topic', async () => {
    const output = (await result('weekly-report', { topics: ['llamas', 'bees'] })) as { saved: string };
    const [document] = await service.app.get(KnowledgeService).search({ query: 'llamas', tags: ['report'], limit: 1 });
    expect(output.saved).toBe(`knowledge://documents/${document?.document.id ?? ''}`);
    const { content } = await service.app.get(KnowledgeService).get(document?.document.id ?? '');
    expect(content).toMatch(/^# Week until \d{4}-\d\d-\d\d\n\n## llamas\n\nNothing new.\n\n## bees\n\nNothing new.$/);
  });

  it.each([
    ['accept', { approve: true, comment: 'fine' }, { outcome: 'published', comment: 'fine' }],
    ['accept', { approve: false }, { outcome: 'declined' }],
    ['decline', null, { outcome: 'declined' }],
  ] as const)('publish-document does as the person says: %s %j', async (action, content, output) => {
    const run = await start('publish-document', { title: 'Plan', content: 'Do it.' });
    await until(async () => (await runs().questions(run.id)).length === 1);
    const [question] = await runs().questions(run.id);
    expect(question?.question.message).toBe('Publish "Plan" in the knowledge base?');
    await runs().answer(run.id, question?.step ?? '', { action, content, by: 'test' });
    expect((await ended(run)).output).toMatchObject(output);
  });

  it('page-watch tells whether the page has changed', async () => {
    expect(await result('page-watch', { url: site })).toEqual({ url: site, changed: true });
    expect(await result('page-watch', { url: site })).toEqual({ url: site, changed: false });
    page.text = 'Tuesday';
    expect(await result('page-watch', { url: site })).toEqual({ url: site, changed: true });
  });

  it('read-page falls back to a copy when the server stays away, and fails without one', async () => {
    const url = `${site}/read`;
    page.status = 404;
    expect(await result('read-page', { url })).toMatchObject({
      type: 'https://example.com/errors/no-copy',
      status: 503,
    });
    page.status = 200;
    expect(await result('read-page', { url })).toEqual({ url, text: 'Monday', isCopy: false });
    page.status = 404;
    expect(await result('read-page', { url })).toMatchObject({ url, text: 'Monday', isCopy: true });
  });

  it('read-page tries again when the server is busy', async () => {
    page = { status: 503, text: 'busy', then: { status: 200, text: 'Monday' } };
    expect(await result('read-page', { url: site })).toEqual({ url: site, text: 'Monday', isCopy: false });
  });
});
