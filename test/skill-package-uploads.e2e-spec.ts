import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { skillText } from '../src/features/packages/testing.js';
import type { TestService } from './support/service.js';
import { skillsServiceForSuite } from './support/skills-service.js';
import { until } from './support/until.js';
import { zipOf } from './support/zip.js';

const text = (content: string) => Buffer.from(content);
const NOTES = {
  'SKILL.md': text(skillText('release-notes', 'Read docs/a.md.')),
  'docs/a.md': text('first'),
  'p.bin': Buffer.from([0, 255]),
};
const within = (folder: string, files: Record<string, Buffer>) =>
  Object.fromEntries(Object.entries(files).map(([path, content]) => [`${folder}/${path}`, content]));

describe('skill packages in the administration', () => {
  let service: TestService;
  let folder: string;
  skillsServiceForSuite((...opened) => ([service, folder] = opened));

  const upload = (file: string, bytes: Buffer) =>
    service.admin('POST', 'skill-packages', { file, base64: bytes.toString('base64') });
  const get = async (path = '') => (await service.admin('GET', `skill-packages${path}`)).body;
  const prompts = async () => {
    const answer = (await (await service.postStateless('prompts/list')).json()) as {
      result: { prompts: { name: string }[] };
    };
    return answer.result.prompts.map(({ name }) => name);
  };

  it('are uploaded, compared, set back, disabled, removed and restored', async () => {
    const created = await upload('release-notes.skill', zipOf(within('release-notes-main', NOTES)));
    expect(created).toMatchObject({
      status: 201,
      body: {
        name: 'release-notes',
        description: 'How to do release-notes.',
        version: 1,
        source: 'upload',
        updatedBy: 'admin',
        instructions: 'Read docs/a.md.\n',
        files: [
          { path: 'SKILL.md' },
          { path: 'docs/a.md', size: 5 },
          { path: 'p.bin', mimeType: 'application/octet-stream' },
        ],
        versions: [{ version: 1, files: 3, savedBy: 'admin' }],
        problems: [],
      },
    });
    expect(await prompts()).toEqual(['release-notes']);
    const { 'p.bin': _gone, ...kept } = NOTES;
    await upload('x.zip', zipOf({ ...kept, 'docs/a.md': text('second'), 'b.md': text('b'), '.git/x': text('x') }));
    expect(await get('/release-notes/versions/2/since/1')).toEqual({
      files: [
        { path: 'b.md', change: 'added', before: null, after: 'b' },
        { path: 'docs/a.md', change: 'changed', before: 'first', after: 'second' },
        { path: 'p.bin', change: 'removed', before: null, after: null },
      ],
    });
    expect(await get('/release-notes/versions/1/file?path=docs/a.md')).toEqual({ path: 'docs/a.md', text: 'first' });
    expect(await service.admin('PUT', 'skill-packages/release-notes/current', { version: 1 })).toMatchObject({
      body: { version: 1, versions: [{ version: 2 }, { version: 1 }] },
    });
    await service.admin('PUT', 'skill-packages/release-notes/enabled', { enabled: false });
    expect(await prompts()).toEqual([]);
    await service.admin('PUT', 'skill-packages/release-notes/enabled', { enabled: true });
    expect((await service.admin('DELETE', 'skill-packages/release-notes')).status).toBe(204);
    expect(await get()).toMatchObject({ items: [], removed: [{ name: 'release-notes', removedBy: 'admin' }] });
    expect(await prompts()).toEqual([]);
    expect(await service.admin('POST', 'skill-packages/release-notes/restore')).toMatchObject({
      status: 200,
      body: { version: 1 },
    });
    expect(await prompts()).toEqual(['release-notes']);
    const one = await upload('SKILL.md', text(skillText('single', '')));
    expect(one.body).toMatchObject({ name: 'single', problems: [{ severity: 'warning', file: 'SKILL.md', line: 5 }] });
    const { items } = (await service.admin('GET', 'audit?kind=change&limit=50')).body as {
      items: { action: string; admin: string }[];
    };
    expect(items.map(({ action }) => action)).toEqual(
      expect.arrayContaining([
        'uploadSkillPackage',
        'deleteSkillPackage',
        'restoreSkillPackage',
        'setCurrentSkillPackageVersion',
      ]),
    );
  });

  const lying = () => {
    const zip = zipOf({ 'SKILL.md': text(skillText('liar')), big: Buffer.alloc(1_000_000) });
    // Both headers claim that the file has 10 bytes.
    for (let at = zip.indexOf('big'); at >= 0; at = zip.indexOf('big', at + 1)) {
      const field = zip.readUInt32LE(at - 30) === 0x04034b50 ? at - 8 : at - 22;
      zip.writeUInt32LE(10, field);
    }
    return zip;
  };
  it.each<[string, string, () => Buffer, RegExp]>([
    ['an escaping path', 'a.zip', () => zipOf({ ...NOTES, '../../etc/passwd': text('x') }), /files must be inside/],
    ['an escaping path of Windows', 'a.zip', () => zipOf({ ...NOTES, '..\\x': text('x') }), /files must be inside/],
    ['a bomb', 'a.zip', () => zipOf({ ...NOTES, bomb: Buffer.alloc(200_000_000) }), /more than 16 MB/],
    [
      '10,000 files',
      'a.zip',
      () => zipOf(Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`f${at}`, text('')]))),
      /4000 entries/,
    ],
    ['two folders', 'a.zip', () => zipOf({ ...within('a', NOTES), ...within('b', NOTES) }), /one folder/],
    ['a broken archive', 'a.zip', () => zipOf(NOTES).subarray(0, 60), /cannot be unpacked/],
    ['something else', 'a.pdf', () => text('%PDF'), /neither a ZIP archive/],
    ['nothing', 'SKILL.md', () => text(''), /must begin with a line/],
  ])('refuse an upload with %s, and say where', async (_title, file, bytes, message) => {
    const { status, body } = await upload(file, bytes());
    expect([status, body['code']]).toEqual([400, 'packages.invalid']);
    expect(body['detail']).toMatch(message);
    expect(body['errors']).not.toHaveLength(0);
  });

  it('have files with accents, also from an archive of the Finder, and clients find these in either spelling', async () => {
    // Names in UTF-8, without the flag of the format for it, and with accents decomposed.
    const zip = zipOf({
      'SKILL.md': text(skillText('accents', '[Read](résumé.md).')),
      're\u0301sume\u0301.md': text('found'),
    });
    const { status, body } = await upload('accents.zip', zip);
    expect([status, body['problems']]).toEqual([201, []]);
    for (const file of ['r\u00e9sum\u00e9.md', 're\u0301sume\u0301.md']) {
      const answer = await service.postStateless('tools/call', {
        name: 'skill_read',
        arguments: { name: 'accents', file },
      });
      expect(await answer.text()).toContain('"text":"found"');
    }
    await service.admin('DELETE', 'skill-packages/accents');
  });

  it.each([
    ['Windows PowerShell', (path: string) => path.replaceAll('/', '\\')],
    ['tar', (path: string) => `./${path}`],
  ])('are read from an archive of %s', async (_, entryOf) => {
    const entries = Object.entries({ ...within('release', NOTES), 'release/empty/': text('') });
    const files = Object.fromEntries(entries.map(([path, content]) => [entryOf(path), content]));
    const { body } = await upload('a.zip', zipOf({ './': text(''), ...files }));
    expect((body['files'] as { path: string }[]).map(({ path }) => path)).toEqual(['SKILL.md', 'docs/a.md', 'p.bin']);
  });

  it('believe no archive about the size of a file', async () => {
    const { status, body } = await upload('a.zip', lying());
    expect(status).toBe(400);
    expect(JSON.stringify(body)).toContain('big is damaged: its checksum is wrong');
  });

  it('show the mistakes of folders, and leave what comes from one to its files', async () => {
    await mkdir(join(folder, 'good'));
    await writeFile(join(folder, 'good/SKILL.md'), skillText('good'));
    await mkdir(join(folder, 'bad'));
    await writeFile(join(folder, 'bad/SKILL.md'), '---\nname: bad\n---\nDo it.\n');
    await until(async () => ((await get())['brokenFolders'] as unknown[]).length === 1);
    await until(async () => (await get('/good'))['source'] === 'folder');
    expect(await get()).toMatchObject({
      brokenFolders: [
        {
          place: 'bad',
          problems: [
            {
              file: 'SKILL.md',
              line: 1,
              message: 'description is missing: say what the skill does and when to use it',
            },
          ],
        },
      ],
    });
    expect(await get('/good')).toMatchObject({ source: 'folder', updatedBy: null });
    expect((await service.admin('DELETE', 'skill-packages/good')).body).toMatchObject({ code: 'packages.from_folder' });
    expect((await service.admin('PUT', 'skill-packages/good/current', { version: 1 })).status).toBe(409);
    expect((await upload('SKILL.md', text(skillText('good', 'Other.')))).status).toBe(409);
    expect((await service.admin('PUT', 'skill-packages/good/enabled', { enabled: false })).body).toMatchObject({
      enabled: false,
    });
  });

  it('answer clearly to what does not exist', async () => {
    for (const path of [
      'none',
      'single/versions/9/file?path=SKILL.md',
      'single/versions/1/file?path=none',
      'single/versions/9/since/1',
      'single/versions/99999999999999/since/1',
      'single/versions/-1/file?path=SKILL.md',
    ])
      expect([path, (await service.admin('GET', `skill-packages/${path}`)).status]).toEqual([path, 404]);
    expect((await service.admin('GET', 'skill-packages/single/versions/1/file')).status).toBe(400);
    expect((await service.admin('POST', 'skill-packages/none/restore')).status).toBe(404);
    expect((await service.admin('PUT', 'skill-packages/single/current', { version: 99 })).status).toBe(404);
  });
});
