import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { SourceStore } from '../src/features/knowledge/import/source.store.js';
import { describeOnEachDatabase } from './support/databases.js';
import { TestService } from './support/service.js';
import { zipOf } from './support/zip.js';

interface Item {
  id: string;
  title: string;
  content: string;
  path: string | null;
  version: number;
}

interface Result {
  path: string;
  outcome: string;
  id: string | null;
  problem: string | null;
  present?: Item | null;
}

type Files = Record<string, string | Buffer>;

const CONTAINER =
  '<?xml version="1.0"?><container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>' +
  '<rootfile full-path="OEBPS/the%20book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>';
const PACKAGE = `<?xml version="1.0"?>
<package xmlns="http://www.idpf.org/2007/opf" version="3.0"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:title id="t">Sailing &amp; knots</dc:title></metadata>
<manifest><item id="two" href="text/two.xhtml" media-type="application/xhtml+xml"/>
<item id="one" href="one%20first.xhtml" media-type="application/xhtml+xml"/><item id="cover" href="cover.png"/></manifest>
<spine><itemref idref="cover"/><itemref idref="one"/><itemref idref="two"/></spine></package>`;
const chapter = (text: string) => Buffer.from(`<html><head><title>x</title></head><body>${text}</body></html>`);

const bookOf = (more: Record<string, Buffer> = {}): Buffer =>
  zipOf({
    mimetype: Buffer.from('application/epub+zip'),
    'META-INF/container.xml': Buffer.from(CONTAINER.replace('%20', ' ')),
    'OEBPS/the book.opf': Buffer.from(PACKAGE),
    'OEBPS/text/two.xhtml': chapter('<h1>Knots</h1><p>A bowline.</p>'),
    'OEBPS/one first.xhtml': chapter('<h1>Sails</h1><p>The jib.</p><script>no()</script>'),
    ...more,
  });

const PNG = Buffer.concat([
  Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex'),
  deflateSync(Buffer.alloc(5)),
]);
const example = (name: string) => readFile(join(import.meta.dirname, 'knowledge/files', name));

describeOnEachDatabase('files that are uploaded,', (data) => {
  let service: TestService;

  beforeAll(async () => void (service = await TestService.start({ env: data.env })));
  afterAll(() => service.stop());
  beforeEach(removeAll);

  async function removeAll() {
    for (const { id } of await documents()) await service.admin('DELETE', `knowledge/${id}`);
  }

  /** Restored documents have other version numbers than the removed ones. */
  const withoutVersions = (items: readonly Item[]) => items.map((item) => ({ ...item, version: 0 }));

  async function documents(): Promise<Item[]> {
    return (await exported()).items;
  }

  async function exported(): Promise<{ items: Item[] }> {
    return (await (await service.askAdmin('GET', 'knowledge/export')).json()) as { items: Item[] };
  }

  const send = async (path: string, files: Files, versions: Record<string, number> = {}): Promise<Result[]> => {
    const body = Object.entries(files).map(([name, bytes]) => ({
      path: name,
      base64: Buffer.from(bytes).toString('base64'),
      ...(name in versions && { version: versions[name] }),
    }));
    const answer = await service.admin('POST', path, { files: body });
    expect(answer.status).toBe(200);
    return answer.body['files'] as Result[];
  };
  const upload = (files: Files, versions?: Record<string, number>) => send('knowledge/import', files, versions);
  const preview = (files: Files) => send('knowledge/import/preview', files);
  const outcomes = (results: Result[]) => Object.fromEntries(results.map(({ path, outcome }) => [path, outcome]));

  it('are known by their paths, so that files of one name in two folders are two documents', async () => {
    const files = {
      'a/README.md': '# One\n\nfirst',
      'b/README.md': '# Two\n\nsecond',
      'README.md': '# Three\n\nthird',
    };
    expect((await upload(files)).map(({ outcome }) => outcome)).toEqual(['created', 'created', 'created']);
    expect((await documents()).map(({ path, title }) => `${path}: ${title}`).sort()).toEqual([
      'README.md: Three',
      'a/README.md: One',
      'b/README.md: Two',
    ]);
    expect((await upload(files)).map(({ outcome }) => outcome)).toEqual(['unchanged', 'unchanged', 'unchanged']);
  });

  it('are compared with what there is before anything is saved', async () => {
    await upload({ 'docs/a.md': '# A\n\nold', 'docs/b.md': '# B\n\nsame' });
    const before = await documents();
    const results = await preview({
      'docs/a.md': '# A2\n\nnew',
      'docs/b.md': '# B\n\nsame',
      'docs/c.md': '# C',
      'docs/d.png': PNG,
    });
    expect(results).toMatchObject([
      { path: 'docs/a.md', outcome: 'updated', title: 'A2', present: { title: 'A', version: 1, source: 'admin' } },
      { path: 'docs/b.md', outcome: 'unchanged', present: { title: 'B' } },
      { path: 'docs/c.md', outcome: 'created', title: 'C', present: null },
      { path: 'docs/d.png', outcome: 'failed', problem: expect.stringContaining('PNG') as string, present: null },
    ]);
    expect(await documents()).toEqual(before);
  });

  it('replace only the version of a document that was looked at', async () => {
    const [{ id = '' } = {}] = (await upload({ 'docs/a.md': '# Looked at\n\nold' })) as { id?: string }[];
    await service.admin('PUT', `knowledge/${id}`, { content: 'by hand' });
    const [refused] = await upload({ 'docs/a.md': '# Looked at\n\nnew' }, { 'docs/a.md': 1 });
    expect(refused).toMatchObject({ outcome: 'failed', problem: expect.stringContaining('version 2 now') as string });
    const [taken] = await upload({ 'docs/a.md': '# Looked at\n\nnew' }, { 'docs/a.md': 0 });
    expect(taken).toMatchObject({ outcome: 'failed', problem: expect.stringContaining('exists already') as string });
    expect(outcomes(await upload({ 'docs/a.md': '# Looked at\n\nnew' }, { 'docs/a.md': 2 }))).toEqual({
      'docs/a.md': 'updated',
    });
    expect((await service.admin('GET', `knowledge/${id}/history`)).body['items']).toHaveLength(2);
  });

  it('do not change what is imported from a folder of the server under the same name', async () => {
    await service.app.get(SourceStore, { strict: false }).begin('handbook', '/srv/handbook', true);
    for (const results of [await preview({ 'handbook/a.md': '# A' }), await upload({ 'handbook/a.md': '# A' })]) {
      expect(results).toMatchObject([
        { outcome: 'failed', problem: expect.stringContaining('imported from /srv/handbook') as string },
      ]);
    }
    await upload({ 'mine/a.md': '# A' });
    await expect(service.app.get(SourceStore, { strict: false }).begin('mine', '/srv/mine', false)).rejects.toThrow(
      'uploads in the administration',
    );
  });

  it('are recognised by their content, whatever their names', async () => {
    const files: Files = {
      'handbook.bin.txt': await example('handbook.pdf'),
      'travel.docx': await example('travel.docx'),
      'sailing.epub': bookOf(),
      'page.txt':
        '<!DOCTYPE html>\n<html><head><title>The office</title></head><body><h1>O</h1><p>Is open.</p></body></html>',
      'latin.md': Buffer.from('# Gr\xfc\xdfe\n\nCaf\xe9', 'latin1'),
      'wide.txt': Buffer.from('\ufeffwide', 'utf16le'),
      'bmw.txt': 'BMW, MZ and ID3 are no file types here.',
      README: '# Read me\n\nPlease.',
    };
    expect(new Set((await upload(files)).map(({ outcome, problem }) => problem ?? outcome))).toEqual(
      new Set(['created']),
    );
    const byPath = new Map((await documents()).map((document) => [document.path, document]));
    expect(Object.fromEntries((await documents()).map(({ path, title }) => [path, title]))).toEqual({
      'handbook.bin.txt': 'The handbook',
      'travel.docx': 'Travel rules',
      'sailing.epub': 'Sailing & knots',
      'page.txt': 'The office',
      'latin.md': 'Grüße',
      'wide.txt': 'wide',
      'bmw.txt': 'bmw',
      README: 'Read me',
    });
    expect(byPath.get('latin.md')?.content).toContain('Café');
    expect(byPath.get('sailing.epub')?.content).toBe('# Sails\n\nThe jib.\n\n# Knots\n\nA bowline.');
  });

  it.each<[string, () => Promise<string | Buffer> | string | Buffer, RegExp]>([
    ['picture.md', () => PNG, /of the type PNG \(image\/png\)/],
    ['empty.md', () => '', /it is empty/],
    ['blank.md', () => ' \n', /it is empty/],
    ['noise.txt', () => Buffer.from([0, 1, 2, 3]), /binary data/],
    ['old.doc', () => Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600)]), /old Office program/],
    ['letter.rtf', () => '{\\rtf1\\ansi Hello}', /RTF file/],
    ['sheet.xlsx', () => zipOf({ 'xl/workbook.xml': Buffer.from('<x/>') }), /Excel workbook/],
    ['slides.pptx', () => zipOf({ 'ppt/presentation.xml': Buffer.from('<x/>') }), /PowerPoint/],
    ['files.zip', () => zipOf({ 'a.md': Buffer.from('# A') }), /ZIP archive: unpack it/],
    ['fake.pdf', () => 'no PDF', /not a PDF file/],
    ['cut.pdf', async () => (await example('handbook.pdf')).subarray(0, 300), /damaged or protected|no text/],
    ['pictures.pdf', () => example('pictures.pdf'), /no text/],
    ['cut.docx', async () => (await example('travel.docx')).subarray(0, 900), /damaged or protected/],
    ['code.js', () => 'export {};', /files of the type \.js are not read/],
    ['data.json', () => '{"items":[{"title":"A"}]}', /no export of a knowledge base/],
    ['locked.epub', () => bookOf({ 'OEBPS/one first.xhtml': Buffer.alloc(5_000, 0) }), /cannot be read: .*binary/],
    ['huge.epub', () => bookOf({ 'OEBPS/text/two.xhtml': Buffer.alloc(60_000_000, 'a') }), /more than 50 MB/],
    [
      'huge.docx',
      () => zipOf({ 'word/document.xml': Buffer.alloc(60_000_000, 'a'), 'word/media/a.png': Buffer.alloc(90_000_000) }),
      /more than 50 MB/,
    ],
  ])('are refused by name, and with the reason: %s', async (path, make, reason) => {
    const [result] = await upload({ [path]: await make() });
    expect(result).toMatchObject({ path, outcome: 'failed', problem: expect.stringMatching(reason) as string });
    expect(result?.problem).toContain(path);
    expect(await documents()).toEqual([]);
  });

  it('are limited by their real size, although an archive understates it', async () => {
    const lying = zipOf({ 'word/document.xml': Buffer.alloc(40_000_000, 'a') });
    const size = Buffer.alloc(4);
    size.writeUInt32LE(40_000_000);
    for (let at = lying.indexOf(size); at >= 0; at = lying.indexOf(size)) lying.writeUInt32LE(100, at);
    const [result] = await upload({ 'lying.docx': lying });
    expect(result).toMatchObject({
      outcome: 'failed',
      problem: expect.stringMatching(/damaged or protected/) as string,
    });
  });

  it('bring back all documents of an export, here and elsewhere', async () => {
    await upload({ 'docs/a.md': '---\ntags: [one, two]\n---\n# Ä\n\ntext', 'b.txt': 'loose' });
    await service.admin('POST', 'knowledge', {
      title: 'Written <here>',
      content: 'line 1\r\nline 2\n\n    code\t',
      tags: ['x'],
    });
    const original = await exported();
    const file = { 'knowledge.json': JSON.stringify(original) };
    expect(outcomes(await upload(file))).toEqual({
      'docs/a.md': 'unchanged',
      'b.txt': 'unchanged',
      'knowledge.json: Written <here>': 'unchanged',
    });

    await removeAll();
    expect(new Set((await preview(file)).map(({ outcome }) => outcome))).toEqual(new Set(['created']));
    expect(await documents()).toEqual([]);
    expect((await upload(file)).map(({ outcome }) => outcome)).toEqual(['created', 'created', 'created']);
    expect(withoutVersions((await exported()).items)).toEqual(withoutVersions(original.items));

    const { id = '' } = original.items.find(({ path }) => path === null) ?? {};
    await service.admin('PUT', `knowledge/${id}`, { content: 'changed' });
    expect((await preview(file)).filter(({ outcome }) => outcome === 'updated')).toMatchObject([{ present: { id } }]);
    await upload(file);
    expect((await exported()).items.map(({ content }) => content)).toEqual(
      original.items.map(({ content }) => content),
    );
  });

  it('restore an export whose ids and paths are as long as they can be', async () => {
    const title = 'The minutes of the weekly meeting of the board of the association of sailors';
    for (let number = 0; number < 52; number += 1)
      await service.admin('POST', 'knowledge', { title, content: `Minutes ${number}` });
    const path = `${'p'.repeat(97)}/${'q'.repeat(399)}.md`;
    const chapters = ['One', 'Two'].map((name) => `# ${name}\n\n${'words of a chapter. '.repeat(30_000)}`);
    await upload({ [path]: chapters.join('\n\n') });
    const original = await exported();
    expect(original.items.some(({ path: of }) => of === `${path}#2`)).toBe(true);
    await removeAll();
    const results = await upload({ 'knowledge.json': JSON.stringify(original) });
    expect(new Set(results.map(({ outcome, problem }) => problem ?? outcome))).toEqual(new Set(['created']));
    expect(withoutVersions((await exported()).items)).toEqual(withoutVersions(original.items));
  });

  it('take an export that comes as text, and no id that is the place of something else', async () => {
    const item = (title: string, id: string) => ({ title, content: title, tags: [], id });
    const content = JSON.stringify({ items: [item('Beta', 'b-1'), item('Export', 'export'), item('New', 'new')] });
    await service.admin('POST', 'knowledge/import', { files: [{ path: 'knowledge.json', content }] });
    expect((await documents()).map(({ id }) => id).sort()).toEqual(['b-1', 'export-2', 'new-2']);
  });

  it('take an empty path in an export for none, and keep no NUL of one', async () => {
    const item = (title: string, path: string) => ({
      ...{ title, content: title, tags: [], id: title.toLowerCase(), path, source: 'a\0b' },
    });
    const items = [item('One', ''), item('Two', ''), item('Three', 'a\0b.md')];
    const results = await upload({ 'knowledge.json': JSON.stringify({ items }) });
    expect(results.map(({ outcome }) => outcome)).toEqual(['created', 'created', 'created']);
    expect((await documents()).map(({ path }) => path).sort()).toEqual(['ab.md', null, null]);
  });
});
