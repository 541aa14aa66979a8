import { unzipSync } from 'fflate';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { digestOf } from '../src/features/packages/files/package-check.rules.js';
import { skillText } from '../src/features/packages/testing.js';
import { answerIn } from './harness/stateless-message.js';
import type { TestService } from './support/service.js';
import { skillsServiceForSuite } from './support/skills-service.js';
import { until } from './support/until.js';

const file = (path: string, content: string, kind = 'text') => ({ path, kind, content });
const kept = (path: string, text: string) => file(path, digestOf(Buffer.from(text)), 'digest');
const skill = (name: string, body?: string) => file('SKILL.md', skillText(name, body));

interface Previewed {
  text: string;
  tokens: number;
  arguments?: unknown;
}

describe('skill packages that are written in the administration', () => {
  let service: TestService;
  let folder: string;
  skillsServiceForSuite((...opened) => ([service, folder] = opened));

  const send = async (method: string, path: string, body?: object, headers: Record<string, string> = {}) => {
    const response = await service.askAdmin(method, `skill-packages${path}`, body, { headers });
    const bytes = new Uint8Array(await response.arrayBuffer());
    return { response, status: response.status, bytes };
  };
  const json = ({ bytes }: { bytes: Uint8Array }) =>
    JSON.parse(Buffer.from(bytes).toString()) as Record<string, unknown>;
  const save = async (name: string, files: object[], basedOn: number) => {
    const condition = basedOn === 0 ? { 'if-none-match': '*' } : { 'if-match': `"${basedOn}"` };
    const answer = await send('PUT', `/${name}`, { files }, condition);
    return { status: answer.status, etag: answer.response.headers.get('etag'), body: json(answer) };
  };
  const check = async (body: object) => json(await send('POST', '/check', body));
  const textOf = async (name: string, version: number, path: string) =>
    json(await send('GET', `/${name}/versions/${version}/file?path=${encodeURIComponent(path)}`))['text'];

  it('are made, and get new versions of texts, uploads, kept and renamed files', async () => {
    const made = await save(
      'release-notes',
      [skill('release-notes', '[Guide](GUIDE.md)'), file('GUIDE.md', 'Short.'), file('p.bin', 'AP8=', 'base64')],
      0,
    );
    expect(made).toMatchObject({
      status: 200,
      etag: '"1"',
      body: {
        ...{ version: 1, source: 'upload', updatedBy: 'admin', problems: [] },
        files: [{ path: 'GUIDE.md', size: 6 }, { path: 'SKILL.md' }, { path: 'p.bin', size: 2 }],
      },
    });
    const changed = await save(
      'release-notes',
      [
        skill('release-notes'),
        kept('docs/GUIDE.md', 'Short.'),
        kept('p.bin', Buffer.from([0, 255]).toString('latin1')),
      ],
      1,
    );
    // No stored file has these bytes, so the digest is unknown.
    expect(changed).toMatchObject({ status: 400, body: { code: 'packages.invalid', errors: [{ path: 'p.bin' }] } });
    const renamed = await save('release-notes', [skill('release-notes'), kept('docs/GUIDE.md', 'Short.')], 1);
    expect(renamed).toMatchObject({
      status: 200,
      etag: '"2"',
      body: { version: 2, files: [{}, { path: 'docs/GUIDE.md' }] },
    });
    expect(await textOf('release-notes', 2, 'docs/GUIDE.md')).toBe('Short.');
    // A file of an earlier version can be restored, under any path.
    const back = [skill('release-notes'), { ...kept('old.bin', ''), content: digestOf(Buffer.from([0, 255])) }];
    expect(await save('release-notes', back, 2)).toMatchObject({
      status: 200,
      body: { version: 3, files: [{}, { path: 'old.bin', size: 2 }] },
    });
    expect(await save('release-notes', back, 3)).toMatchObject({ status: 200, body: { version: 3 } });
  });

  it('are rejected when somebody else saved first, with the current content in the response', async () => {
    await save('shared', [skill('shared', 'One.')], 0);
    expect(await save('shared', [skill('shared', 'Two.')], 0)).toMatchObject({
      status: 412,
      body: { code: 'packages.moved_on', present: { version: 1, instructions: 'One.\n' } },
    });
    expect((await save('shared', [skill('shared', 'Two.')], 1)).status).toBe(200);
    expect(await save('shared', [skill('shared', 'Three.')], 1)).toMatchObject({
      status: 412,
      body: {
        present: { version: 2, instructions: 'Two.\n' },
        detail: expect.stringContaining('Nothing was saved') as unknown,
      },
    });
    expect((await send('PUT', '/shared', { files: [skill('shared', 'Four.')] })).status).toBe(200);
    expect((await send('PUT', '/shared', { files: [skill('shared')] }, { 'if-match': 'nonsense' })).status).toBe(400);
    await send('DELETE', '/shared');
    expect((await save('shared', [skill('shared', 'Five.')], 3)).status).toBe(404);
    expect(await save('shared', [skill('shared', 'Five.')], 0)).toMatchObject({ status: 200, body: { version: 4 } });
  });

  it.each<[string, object[], RegExp]>([
    ['a name of another package', [skill('other')], /a package keeps its name/],
    ['mistakes', [file('SKILL.md', '---\nname: written\n---\nDo it.\n')], /SKILL\.md:1 description is missing/],
    ['a file that nobody has', [skill('written'), kept('a.md', 'never')], /no longer kept/],
    ['another digest', [skill('written'), file('a.md', 'sha256:x', 'digest')], /no longer kept/],
    [
      'bytes that are no UTF-8',
      [file('SKILL.md', Buffer.from('---\nname: \xe9\n').toString('base64'), 'base64')],
      /SKILL/,
    ],
  ])('are refused with %s, and nothing is saved', async (_title, files, message) => {
    const { status, body } = await save('written', files, 0);
    expect([status, body['code']]).toEqual([400, 'packages.invalid']);
    expect(body['detail']).toMatch(message);
    expect((await send('GET', '/written')).status).toBe(404);
  });

  it('hold no more of what is kept than a package may have', async () => {
    const large = 'x'.repeat(2_000_000);
    expect((await save('large', [skill('large'), file('a', large)], 0)).status).toBe(200);
    const copies = Array.from({ length: 500 }, (_, at) => kept(`${at}`, large));
    expect(await save('large', [skill('large'), ...copies], 1)).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining('more than 16 MB') as unknown },
    });
    const many = Array.from({ length: 600 }, (_, at) => file(`${at}`, ''));
    expect((await save('large', many, 1)).status).toBe(400);
    const body = { name: null, skillFile: 'x'.repeat(600_000), files: [] };
    expect((await send('POST', '/check', body)).status).toBe(400);
    expect((await send('POST', '/check', { ...body, skillFile: 'x'.repeat(5_000_000) })).status).toBe(413);
  });

  it('are checked while they are written, as a save would be, and nothing is stored', async () => {
    const draft = { name: null, skillFile: '', files: [{ path: 'GUIDE.md', size: 5 }] };
    expect(await check(draft)).toMatchObject({
      name: null,
      preview: null,
      problems: [{ severity: 'error', file: 'SKILL.md', line: 1 }],
    });
    const skillFile = '---\nname: triage\ndescription: How to sort bugs.\n---\n\n[a](GUIDE.md) [b](none.md)\n';
    expect(await check({ ...draft, skillFile })).toMatchObject({
      name: 'triage',
      problems: [
        { severity: 'warning', file: 'SKILL.md', line: 6, message: expect.stringContaining('none.md') as unknown },
      ],
      preview: {},
    });
    expect(await check({ ...draft, skillFile, files: [{ path: '../x', size: 1 }] })).toMatchObject({
      preview: null,
      problems: [{ file: '../x' }, { line: 6 }, { line: 6 }],
    });
    expect(await check({ ...draft, skillFile, files: [{ path: 'a', size: 17_000_000 }] })).toMatchObject({
      preview: null,
    });
    expect(await check({ ...draft, name: 'other', skillFile })).toMatchObject({
      preview: null,
      problems: [{ line: 2, message: expect.stringContaining('keeps its name') as unknown }, {}],
    });
    await save('triage', [file('SKILL.md', skillFile)], 0);
    expect(await check({ ...draft, skillFile })).toMatchObject({
      problems: [{ line: 2, message: expect.stringContaining('there already') as unknown }, {}],
    });
    expect(await check({ ...draft, name: 'triage', skillFile })).toMatchObject({ problems: [{ line: 6 }] });
    expect((json(await send('GET', '/triage'))['versions'] as unknown[]).length).toBe(1);
  });

  it('show what programs then get, word for word', async () => {
    const name = 'preview';
    const skillFile = skillText(name, 'Look at GUIDE.md.', 'metadata:\n  arguments: "version, audience?"\n');
    const draft = { name: null, skillFile, files: [{ path: 'GUIDE.md', size: 6 }] };
    const { preview } = (await check(draft)) as {
      preview: { line: string; fits: boolean; prompt: Previewed; read: Previewed };
    };
    await save(name, [file('SKILL.md', skillFile), file('GUIDE.md', 'Short.')], 0);
    const call = async (method: string, params: Record<string, unknown>) =>
      (await answerIn<{ result: Record<string, unknown> }>(await service.postStateless(method, params))).result;
    const read = (await call('tools/call', { name: 'skill_read', arguments: { name } }))['content'] as {
      text: string;
    }[];
    expect(preview.read.text).toBe(read.map(({ text }) => text).join('\n\n'));
    expect(preview.read.tokens).toBe(Math.ceil(Buffer.byteLength(preview.read.text) / 4));
    const given = { version: '<version>', audience: '<audience>' };
    const prompt = (await call('prompts/get', { name, arguments: given }))['messages'] as {
      content: { text: string };
    }[];
    expect(preview.prompt.text).toBe(prompt[0]?.content.text);
    expect(preview.prompt.arguments).toEqual([
      { name: 'version', required: true },
      { name: 'audience', required: false },
    ]);
    const { instructions } = await call('server/discover', {});
    expect(preview.fits).toBe(true);
    expect(String(instructions)).toContain(preview.line);
  });

  it('say when there is no room in the instructions', async () => {
    const long = (name: string) => `---\nname: ${name}\ndescription: ${'How we do it. '.repeat(20)}\n---\nDo it.\n`;
    for (let at = 0; at < 20; at += 1) await save(`a-${at}`, [file('SKILL.md', long(`a-${at}`))], 0);
    const { preview } = await check({ name: null, skillFile: long('zzz'), files: [] });
    expect(preview).toMatchObject({ fits: false });
  });

  it('are downloaded as an archive that can be uploaded again', async () => {
    const { response, bytes } = await send('GET', '/release-notes/versions/1/archive');
    expect(response.headers.get('content-type')).toBe('application/zip');
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="release-notes.zip"');
    expect(Object.keys(unzipSync(bytes)).sort()).toEqual(
      ['GUIDE.md', 'SKILL.md', 'p.bin'].map((path) => `release-notes/${path}`),
    );
    const base64 = Buffer.from(bytes).toString('base64');
    const before = json(await send('GET', '/release-notes'));
    const uploaded = json(await send('POST', '', { file: 'release-notes.zip', base64 }));
    const first = (before['versions'] as { version: number; digest: string }[]).find(({ version }) => version === 1);
    expect(uploaded['digest']).toBe(first?.digest);
    for (const path of ['none/versions/1', 'release-notes/versions/99', 'release-notes/versions/99999999999'])
      expect((await send('GET', `/${path}/archive`)).status).toBe(404);
  });

  it('are not those that come from a folder', async () => {
    await mkdir(join(folder, 'deploy'));
    await writeFile(join(folder, 'deploy/SKILL.md'), skillText('deploy'));
    await until(async () => (await send('GET', '/deploy')).status === 200);
    expect(await save('deploy', [skill('deploy', 'Other.')], 1)).toMatchObject({
      status: 409,
      body: { code: 'packages.from_folder' },
    });
    expect(await check({ name: null, skillFile: skillText('deploy'), files: [] })).toMatchObject({
      problems: [{ message: expect.stringContaining('SKILLS_DIR') as unknown }],
    });
  });
});
