import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Json, JsonObject } from '#open-workflow';
import { SkillRegistry } from '../src/core/skills/skill.registry.js';
import { WorkflowDefinitions } from '../src/features/workflows/definitions/workflow-definitions.service.js';
import { SERVICE_EVENT_TYPES } from '../src/features/workflows/runs/events/event-types.js';
import type { Run } from '../src/features/workflows/runs/run.js';
import { RunsService } from '../src/features/workflows/runs/runs.service.js';
import { FeedServer, rssDocument } from './feeds/feed-server.js';
import { TestService } from './support/service.js';
import { until } from './support/until.js';

const SAMPLES = resolve('workflows/samples');
const FILES = readdirSync(SAMPLES).filter((file) => file.endsWith('.yaml'));

describe('the sample workflows', () => {
  let service: TestService;
  TestService.forSuite((started) => (service = started));

  it('are at least six, and all of them are in the overview', () => {
    const overview = readFileSync('workflows/README.md', 'utf8');
    expect(FILES.length).toBeGreaterThanOrEqual(6);
    expect(FILES.filter((file) => !overview.includes(`\`${file}\``))).toEqual([]);
  });

  it('are not read unless somebody copies them', async () => {
    expect((await service.app.get(WorkflowDefinitions).listPage({ limit: 9 })).items).toEqual([]);
  });

  it.each(FILES)('%s is valid without warnings, and named as its file', async (file) => {
    const definitions = service.app.get(WorkflowDefinitions);
    const { definition, problems } = await definitions.validate(readFileSync(join(SAMPLES, file), 'utf8'));
    expect(problems).toEqual([]);
    expect(`${definition?.document.name ?? ''}.yaml`).toBe(file);
    expect(definition?.document.summary).toMatch(/^Use this to /);
  });
});

const MANUAL = readFileSync('docs/workflows.md', 'utf8');
const HEAD = 'document: { dsl: 1.0.3, namespace: team, name: a-part, version: 1.0.0, summary: A part. }\n';
const INPUT = 'input: { schema: { document: { type: object } } }\n';

const examples = [...MANUAL.matchAll(/^```yaml\n([\s\S]*?)^```/gm)]
  .map(([, yaml = '']) => yaml)
  // Some examples contain only the tasks of a workflow.
  .map((yaml) => (yaml.startsWith('document:') ? yaml : HEAD + (/^input:/m.test(yaml) ? '' : INPUT) + yaml));

describe('the manual for workflows', () => {
  let service: TestService;
  TestService.forSuite((started) => (service = started));

  it('has examples that are valid without warnings', async () => {
    const definitions = service.app.get(WorkflowDefinitions);
    // Some examples call the samples.
    for (const file of FILES) {
      await definitions.save(readFileSync(join(SAMPLES, file), 'utf8'), { source: 'admin' });
    }
    expect(examples.length).toBeGreaterThanOrEqual(10);
    for (const example of examples) {
      const { problems } = await definitions.validate(example);
      expect({ example, problems }).toEqual({ example, problems: [] });
    }
  });

  it('describes every event that the service sends', () => {
    expect(SERVICE_EVENT_TYPES.filter((type) => !MANUAL.includes(`| \`${type}\``))).toEqual([]);
  });
});

const PATIENCE_MS = 150_000;
const DAY_MS = 86_400_000;
const daysAgo = (days: number): string => new Date(Date.now() - days * DAY_MS).toUTCString();

describe('the sample workflows on the service', () => {
  let service: TestService;
  let site: FeedServer;

  beforeAll(async () => {
    site = await FeedServer.start();
    service = await TestService.start({ env: { HTTP_ALLOWED_HOSTS: '["127.0.0.1"]', WORKFLOWS_DIR: SAMPLES } });
    const items = [
      { id: '1', title: 'Security of locks', text: 'A security hole in locks', at: daysAgo(0) },
      { id: '2', title: 'Release of doors', text: 'Doors 2.0', at: daysAgo(3) },
      { id: '3', title: 'Old security', text: 'Of long ago', at: daysAgo(40) },
    ];
    site.publish('/news.xml', rssDocument('News', items));
    expect(await service.admin('POST', 'feeds', { url: site.url('/news.xml') })).toMatchObject({ status: 201 });
  });
  afterAll(async () => {
    await service.stop();
    site.stop();
  });

  /** Starts a workflow as an administrator; returns the id of the run. */
  async function start(name: string, input: JsonObject = {}): Promise<string> {
    const { status, body } = await service.admin('POST', `workflows/${name}/start`, { input });
    expect({ status, body }).toMatchObject({ status: 201, body: { name, origin: 'admin' } });
    return String(body['id']);
  }

  /** Waits until a run has ended or has a question. */
  const follow = (id: string): Promise<Run> =>
    service.app.get(RunsService).follow(id, { timeoutMs: PATIENCE_MS, signal: new AbortController().signal });

  const run = async (name: string, input: JsonObject = {}): Promise<Run> => follow(await start(name, input));

  async function outputOf(name: string, input: JsonObject = {}): Promise<Json> {
    const { status, output, error } = await run(name, input);
    expect({ status, error }).toEqual({ status: 'completed', error: null });
    return output;
  }

  const documentOf = async (uri: Json): Promise<unknown> => {
    const id = (typeof uri === 'string' ? uri : '').replace('knowledge://documents/', '');
    return (await service.admin('GET', `knowledge/${id}`)).body;
  };

  it('show clients the effects of the tools that they call', () => {
    const hintsOf = (name: string) => service.app.get(SkillRegistry, { strict: false }).find(name)?.annotations;
    expect(hintsOf('research-topic')).toMatchObject({ readOnlyHint: true, destructiveHint: false });
    expect(hintsOf('feed-digest')).toMatchObject({ readOnlyHint: false });
    expect(hintsOf('page-watch')).toMatchObject({ readOnlyHint: false, openWorldHint: true });
  });

  describe('feed-digest', () => {
    it('saves new items as a document', async () => {
      const output = (await outputOf('feed-digest')) as JsonObject;
      expect(output).toEqual({ saved: expect.stringMatching(/^knowledge:/) as string, items: 1 });
      expect(await documentOf(output['saved'] ?? null)).toMatchObject({
        title: expect.stringMatching(/^Feed digest \d{4}-\d{2}-\d{2}$/) as string,
        tags: ['digest'],
        content: expect.stringMatching(
          /^# What is new[^]*## Security of locks[^]*site\.example\/1[^]*security hole/,
        ) as string,
      });
    });

    it('searches the given period for the given words', async () => {
      expect(await outputOf('feed-digest', { hours: 200, query: 'doors' })).toMatchObject({ items: 1 });
      expect(await outputOf('feed-digest', { hours: 200 })).toMatchObject({ items: 2 });
    });

    it('saves nothing when nothing is new', async () => {
      expect(await outputOf('feed-digest', { query: 'nowhere' })).toEqual({ saved: null, items: 0 });
    });
  });

  it('page-watch remembers a page, and reports when it has changed', async () => {
    await service.admin('POST', 'workflows', {
      definition: [
        "document: { dsl: '1.0.3', namespace: test, name: on_change, version: '1.0.0', summary: Hears of pages. }",
        'schedule: { on: { one: { with: { type: com.example.page.changed } } } }',
        'do: [{ note: { set: { page: "${ .[0].url }" } } }]',
      ].join('\n'),
    });
    const url = site.url('/page');
    site.answer('/page', 200, { 'content-type': 'text/html' }, '<p>One</p>');
    expect(await outputOf('page-watch', { url })).toEqual({ url, changed: false });
    expect(await outputOf('page-watch', { url })).toEqual({ url, changed: false });
    site.answer('/page', 200, { 'content-type': 'text/html' }, '<p>Two</p>');
    expect(await outputOf('page-watch', { url })).toEqual({ url, changed: true });
    expect(await outputOf('page-watch', { url })).toEqual({ url, changed: false });
    const heard = async () => (await service.app.get(RunsService).listPage({ name: 'on_change', limit: 9 })).items;
    await until(async () => (await heard()).some(({ status }) => status === 'completed'));
    const [only, ...others] = await heard();
    expect(others).toEqual([]);
    expect((await follow(only?.id ?? '')).output).toEqual({ page: url });
  });

  describe('publish-document', () => {
    const input = { title: 'House rules', content: '# Be kind' };
    const documents = async (q: string) => (await service.admin('GET', `knowledge?q=${q}`)).body['items'];

    async function answer(id: string, body: object): Promise<Run> {
      const asking = await follow(id);
      expect(asking).toMatchObject({ endedAt: null, questions: 1 });
      const [question] = (await service.admin('GET', `runs/${id}`)).body['openQuestions'] as {
        step: string;
        question: object;
      }[];
      expect(question?.question).toMatchObject({ message: expect.stringContaining('"House rules"') as string });
      const { status } = await service.admin('POST', `runs/${id}/answers`, { step: question?.step, ...body });
      expect(status).toBe(204);
      return follow(id);
    }

    it('publishes nothing that is declined', async () => {
      const content = { approve: false, comment: 'Too short' };
      const no = await answer(await start('publish-document', input), { action: 'accept', content });
      expect(no).toMatchObject({ status: 'completed', output: { outcome: 'declined', comment: 'Too short' } });
      const rejected = await answer(await start('publish-document', input), { action: 'decline' });
      expect(rejected).toMatchObject({ status: 'completed', output: { outcome: 'declined' } });
      expect(await documents('kind')).toEqual([]);
    });

    it('publishes what is approved', async () => {
      const content = { approve: true, comment: 'Fine' };
      const { status, output } = await answer(await start('publish-document', input), { action: 'accept', content });
      expect({ status, output }).toMatchObject({
        status: 'completed',
        output: { outcome: 'published', comment: 'Fine' },
      });
      expect(await documentOf((output as JsonObject)['uri'] ?? null)).toMatchObject({ ...input, tags: ['approved'] });
    });

    it('publishes nothing when nobody answers in time', async () => {
      const text = readFileSync(`${SAMPLES}/publish-document.yaml`, 'utf8');
      const definition = text.replace('name: publish-document', 'name: publish-soon').replace('P3D', 'PT0.2S');
      expect(await service.admin('POST', 'workflows', { definition })).toMatchObject({ status: 201 });
      const id = await start('publish-soon', input);
      await until(async () => (await service.admin('GET', `runs/${id}`)).body['endedAt'] !== null);
      expect(await follow(id)).toMatchObject({ status: 'completed', output: { outcome: 'expired' } });
    });
  });

  it('research-topic finds documents, notes and news, also as a tool', async () => {
    await service.admin('POST', 'knowledge', { title: 'About locks', content: 'How locks work.' });
    await service.admin('POST', 'memory', { key: 'locks', content: 'The locks are in the cellar.' });
    const found = {
      topic: 'locks',
      documents: expect.arrayContaining([expect.objectContaining({ title: 'About locks' })]) as Json,
      memories: [{ uri: 'memory://shared/locks' }],
      news: [{ title: 'Security of locks' }],
    };
    expect(await outputOf('research-topic', { topic: 'locks' })).toMatchObject(found);
    const result = await service.call('research-topic', { topic: 'locks' });
    expect(result.isError).not.toBe(true);
    expect(JSON.parse(result.content[0]?.text ?? '')).toMatchObject(found);
  });

  describe('read-page', () => {
    it('tries again while the server is busy, and falls back to its copy', async () => {
      const url = site.url('/status');
      let calls = 0;
      site.on('/status', (_request, response) => {
        calls += 1;
        response.writeHead(calls === 1 ? 503 : 200, { 'content-type': 'text/plain' }).end('All is well');
      });
      expect(await outputOf('read-page', { url })).toEqual({ url, text: 'All is well', isCopy: false });
      expect(calls).toBe(2);
      site.answer('/status', 404);
      expect(await outputOf('read-page', { url })).toMatchObject({ url, text: 'All is well', isCopy: true });
    });

    it('says so when there is no copy either', async () => {
      const failed = await run('read-page', { url: site.url('/never') });
      expect(failed).toMatchObject({
        status: 'failed',
        error: { type: 'https://example.com/errors/no-copy', status: 503 },
      });
    });
  });

  describe('weekly-report', () => {
    it('saves a report with a section for each topic', async () => {
      const { saved } = (await outputOf('weekly-report')) as JsonObject;
      const document = (await documentOf(saved ?? null)) as { content: string };
      expect(document).toMatchObject({ title: expect.stringMatching(/^Weekly report /) as string, tags: ['report'] });
      const sections = document.content.split('\n\n## ').slice(1);
      expect(sections).toEqual([
        'security\n\n- Security of locks (https://site.example/1)',
        'release\n\n- Release of doors (https://site.example/2)',
      ]);
    });

    it('reports on the topics that it is given, also when there is nothing new', async () => {
      const { saved } = (await outputOf('weekly-report', { topics: ['windows'] })) as JsonObject;
      expect(await documentOf(saved ?? null)).toMatchObject({
        content: expect.stringMatching(/## windows\n\nNothing new\./) as string,
      });
    });
  });
});
