import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import { createDeflate, deflateSync } from 'node:zlib';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { memoryDatabase } from '../../src/platform/database/testing.js';
import { OPML_READER, OpmlReader } from '../../src/features/feeds/subscribing/feed-import.service.js';
import type { OpmlJobs } from '../../src/features/feeds/subscribing/opml.worker.js';
import { FILE_READER, ImportedFileReader } from '../../src/features/knowledge/import/imported-file-reader.service.js';
import { KnowledgeImport } from '../../src/features/knowledge/import/knowledge-import.service.js';
import type { ImportJobs } from '../../src/features/knowledge/import/import.worker.js';
import { PASSAGE_MAKER, PassageMaker } from '../../src/features/knowledge/passages/passage-maker.service.js';
import type { PassageJobs } from '../../src/features/knowledge/passages/passages.worker.js';
import { knowledgeOn } from '../../src/features/knowledge/testing.js';
import {
  DEFINITION_READER,
  DefinitionReader,
} from '../../src/features/workflows/definitions/definition-reader.service.js';
import type { DefinitionJobs } from '../../src/features/workflows/definitions/definitions.worker.js';
import { workflowText } from '../../src/features/workflows/definitions/testing.js';
import { until } from '../support/until.js';
import { zipOf } from '../support/zip.js';
import { WatchedThread } from './watched-thread.js';

class WatchedFiles extends ImportedFileReader {
  override readonly thread = new WatchedThread<ImportJobs>(FILE_READER);
}
class WatchedOpml extends OpmlReader {
  override readonly thread = new WatchedThread<OpmlJobs>(OPML_READER);
}
class WatchedPassages extends PassageMaker {
  override readonly thread = new WatchedThread<PassageJobs>(PASSAGE_MAKER);
}
class WatchedDefinitions extends DefinitionReader {
  override readonly thread = new WatchedThread<DefinitionJobs>(DEFINITION_READER);
}

const TOO_SLOW = expect.stringContaining('it takes longer than 20 s to read') as string;
/** Nested elements that are never closed: half a minute of work. */
const NESTED = { path: 'nested.html', content: '<b>'.repeat(2_000_000) };
/** Commas where YAML allows none: each causes an error. */
const HEAVY = `a: [${','.repeat(50_000)}]\n`;
const PLAIN = { path: 'plain.html', content: '<h1>Plain</h1>' };

/** A PDF file whose page is compressed twice. @param megabytes its uncompressed size */
async function bombOf(megabytes: number): Promise<Buffer> {
  const packing = createDeflate({ level: 9 });
  const packed = buffer(packing);
  const zeros = Buffer.alloc(1_000_000);
  for (let written = 0; written < megabytes; written += 1) if (!packing.write(zeros)) await once(packing, 'drain');
  packing.end();
  const page = deflateSync(await packed, { level: 9 });
  const head = `%PDF-1.7
1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj
2 0 obj\n<< /Type /Pages /Kids [3 0 R] /Count 1 >>\nendobj
3 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R /Resources << >> >>\nendobj
4 0 obj\n<< /Filter [/FlateDecode /FlateDecode] /Length ${page.length} >>\nstream\n`;
  return Buffer.concat([
    Buffer.from(head),
    page,
    Buffer.from('\nendstream\nendobj\ntrailer\n<< /Size 5 /Root 1 0 R >>\n%%EOF\n'),
  ]);
}

/** Returns the outcome, and how many event loop turns passed until then; triggers the time limit after this many turns. */
async function withTurns<Result>(
  thread: WatchedThread<never>,
  work: Promise<Result>,
  mostTurns = Infinity,
): Promise<{ outcome: Result | Error; turns: number }> {
  let outcome: Result | Error | undefined;
  void work.then(
    (result) => (outcome = result),
    (error: Error) => (outcome = error),
  );
  let turns = 0;
  for (; outcome === undefined; turns += 1) {
    await nextTurn();
    if (turns === mostTurns) thread.endTime();
  }
  return { outcome, turns };
}

describe('an imported file', () => {
  let reader: WatchedFiles;
  beforeEach(() => void (reader = new WatchedFiles()));
  afterEach(() => reader.beforeApplicationShutdown());

  it('that takes too long is aborted with a clear error, while everything else continues', async () => {
    const { outcome, turns } = await withTurns(reader.thread, reader.read(NESTED), 500);
    expect(outcome).toMatchObject({ code: 'knowledge.file_not_read', message: TOO_SLOW });
    expect(turns).toBeGreaterThanOrEqual(500);
    expect(await reader.read(PLAIN)).toMatchObject({ title: 'Plain' });
  });

  it('that takes too much memory is aborted with a clear error', async () => {
    reader.thread.heapMegabytes = 32;
    await expect(reader.read(NESTED)).rejects.toMatchObject({
      code: 'knowledge.file_not_read',
      message: expect.stringContaining('it takes more than 32 MB of memory to read') as string,
    });
  });

  it('that unpacks to more than the memory holds is aborted with a clear error', async () => {
    const office = 'http://schemas.openxmlformats.org';
    const types =
      `<Types xmlns="${office}/package/2006/content-types">` +
      '<Default Extension="xml" ContentType="application/xml"/></Types>';
    const main = `Type="${office}/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"`;
    const relations = `<Relationships xmlns="${office}/package/2006/relationships"><Relationship Id="a" ${main}/></Relationships>`;
    const paragraphs = '<w:p><w:r><w:t>a</w:t></w:r></w:p>'.repeat(1_000_000);
    const text = `<w:document xmlns:w="${office}/wordprocessingml/2006/main"><w:body>${paragraphs}</w:body></w:document>`;
    const bytes = new Uint8Array(
      zipOf({
        '[Content_Types].xml': Buffer.from(types),
        '_rels/.rels': Buffer.from(relations),
        'word/document.xml': Buffer.from(text),
      }),
    );
    expect(bytes.length).toBeLessThan(200_000);
    reader.thread.heapMegabytes = 64;
    await expect(reader.read({ path: 'bomb.docx', bytes })).rejects.toMatchObject({
      code: 'knowledge.file_not_read',
      message: expect.stringContaining('it takes more than 64 MB of memory to read') as string,
    });
    expect(await reader.read(PLAIN)).toMatchObject({ title: 'Plain' });
  });

  it('whose buffers are too large is aborted, too: these are no part of the heap', async () => {
    const bytes = new Uint8Array(await bombOf(1_500));
    expect(bytes.length).toBeLessThan(20_000);
    reader.thread.heapMegabytes = 64;
    await expect(reader.read({ path: 'bomb.pdf', bytes })).rejects.toMatchObject({
      code: 'knowledge.file_not_read',
      message: expect.stringContaining('it takes more than 64 MB of memory to read') as string,
    });
    expect(await reader.read(PLAIN)).toMatchObject({ title: 'Plain' });
  });

  it.each([
    ['HTML', { path: 'a.html', content: '<h1>A</h1>' }, 1],
    ['front matter', { path: 'a.md', content: '---\ntitle: A\n---\n' }, 1],
    ['a long text', { path: 'A.txt', content: 'x'.repeat(40_000) }, 1],
    ['a short text', { path: 'A.txt', content: 'x' }, 0],
    ['short Markdown', { path: 'a.md', content: '# A' }, 0],
  ])('of %s needs the thread, or not', async (_what, file, jobs) => {
    expect(await reader.read(file)).toMatchObject({ title: 'A' });
    expect(reader.thread.jobs).toBe(jobs);
  });

  it('that leaves much memory behind ends its thread, and another one leaves it running', async () => {
    const page = (paragraphs: number) => ({ path: 'page.html', content: '<p>Words of a page.</p>'.repeat(paragraphs) });
    reader.thread.mostKeptMegabytes = 48;
    await reader.read(PLAIN);
    await reader.read(PLAIN);
    expect(reader.thread.threads).toHaveLength(1);
    await reader.read(page(30_000));
    await reader.thread.ends[0];
    expect(await reader.read(PLAIN)).toMatchObject({ title: 'Plain' });
    expect(reader.thread.threads).toHaveLength(2);
  });

  it('that is aborted does not abort the others', async () => {
    const database = await memoryDatabase();
    const importer = new KnowledgeImport(knowledgeOn(database).knowledge, reader);
    const importing = importer.importAll([NESTED, PLAIN], 'test');
    await until(() => reader.thread.jobs === 1);
    reader.thread.endTime();
    expect(await importing).toMatchObject([
      { path: 'nested.html', outcome: 'failed', problem: TOO_SLOW },
      { path: 'plain.html', outcome: 'created' },
    ]);
    await database.destroy();
  });

  it('waits no longer when the service stops', async () => {
    const reading = reader.read(NESTED).catch((error: Error) => error);
    await until(() => reader.thread.jobs === 1);
    await reader.beforeApplicationShutdown();
    expect(await reading).toMatchObject({ code: 'threads.stopped', kind: 'unavailable' });
  });
});

describe('a list of feeds', () => {
  let reader: WatchedOpml;
  beforeEach(() => void (reader = new WatchedOpml()));
  afterEach(() => reader.beforeApplicationShutdown());

  it('is read while everything else continues, and aborted when it takes too long', async () => {
    const large = `<opml><body>${'<outline text="a" xmlUrl="https://a.example/"/>'.repeat(200_000)}</body></opml>`;
    const { outcome, turns } = await withTurns(reader.thread, reader.read(large), 50);
    expect(outcome).toMatchObject({ code: 'feeds.invalid_opml', message: TOO_SLOW });
    expect(turns).toBeGreaterThanOrEqual(50);
  });

  it('that is invalid is rejected', async () => {
    await expect(reader.read('hello')).rejects.toMatchObject({
      code: 'feeds.invalid_opml',
      message: expect.stringContaining('<opml> is missing') as string,
    });
  });
});

describe('a document', () => {
  let maker: WatchedPassages;
  beforeEach(() => void (maker = new WatchedPassages()));
  afterEach(() => maker.beforeApplicationShutdown());

  const document = (content: string) => ({ title: 'Title', tags: ['tag'], content });

  it('that is long is parsed while everything else continues', async () => {
    const { outcome } = await withTurns(maker.thread, maker.make(document('# Part\n\nWords.\n\n'.repeat(3_000))));
    expect(outcome).toMatchObject({ passages: { length: 3_000 } });
    expect(maker.thread.jobs).toBe(1);
  });

  it('that is short needs no thread, and is parsed alike', async () => {
    const content = `# Part\n\n${'Words. '.repeat(500)}`;
    const { passages: short } = await maker.make(document(content));
    expect(maker.thread.jobs).toBe(0);
    expect(short[0]).toEqual({
      headings: ['Part'],
      start: 8,
      lead: '',
      content: expect.stringMatching(/^Words\. /) as string,
      words: {
        title: 'titl',
        context: 'part tag',
        body: expect.stringMatching(/^word word/) as string,
        language: 'en',
        counts: expect.any(Uint8Array) as Uint8Array,
        labels: [expect.any(String) as string],
      },
    });
    const { passages: long } = await maker.make(document(`${content}\n\n${'More. '.repeat(3_000)}`));
    expect(maker.thread.jobs).toBe(1);
    expect(long.slice(0, short.length - 1)).toEqual(short.slice(0, -1));
  });

  it('that takes too long is parsed as plain text', async () => {
    const { outcome } = await withTurns(maker.thread, maker.make(document('# a\n'.repeat(200_000))), 1);
    const { passages } = outcome as Awaited<ReturnType<PassageMaker['make']>>;
    expect(new Set(passages.map(({ headings }) => headings.length))).toEqual(new Set([0]));
    expect(passages.reduce((sum, { content }) => sum + content.length, 0)).toBeGreaterThan(790_000);
    expect(maker.thread.jobs).toBe(2);
  });
});

describe('a workflow', () => {
  let reader: WatchedDefinitions;
  beforeEach(() => void (reader = new WatchedDefinitions()));
  afterEach(() => reader.beforeApplicationShutdown());

  const long = `${workflowText('long')}${Array.from({ length: 900 }, (_, index) => `  - t${index}: { wait: PT1S }\n`).join('')}`;

  it('that is long is read while everything else continues, and alike', async () => {
    const { outcome } = await withTurns(reader.thread, reader.read(long));
    expect(outcome).toMatchObject({ name: 'long', problems: [], definition: { document: { name: 'long' } } });
    expect(reader.thread.jobs).toBe(1);
  });

  it('that is short needs no thread', async () => {
    expect(await reader.read(workflowText('short'))).toMatchObject({ name: 'short', problems: [] });
    expect(reader.thread.jobs).toBe(0);
  });

  it('that takes too long has a problem that says so, and the next one is read', async () => {
    const reading = reader.read(`${HEAVY}${'['.repeat(200_000)}`);
    await until(() => reader.thread.jobs === 1);
    reader.thread.endTime();
    const { definition, problems } = await reading;
    expect([definition, problems.map(({ message }) => message)]).toEqual([null, [TOO_SLOW]]);
    expect(await reader.read(long)).toMatchObject({ name: 'long' });
  });
});
