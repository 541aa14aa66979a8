import { chmod, mkdir, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { NotASkillModule } from '../modules.errors.js';
import { findModuleFiles, moduleFileAt, readModuleFiles } from './module-files.js';
import { writeCopiedFile } from '../../../../test/support/copied-file.js';
import { temporaryFolder } from '../../../../test/support/temporary-folder.js';
import { unprivileged } from '../../../../test/support/unprivileged.js';

describe('the modules in SKILLS_DIR', () => {
  let root: string;
  beforeEach(async () => {
    root = join(temporaryFolder(), 'skills');
    await mkdir(root);
  });

  const put = async (path: string, text = 'export default 1;') => {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  };
  const find = async () => (await findModuleFiles(root)) ?? [];
  const only = async () => {
    const [found, ...others] = await find();
    expect(others).toEqual([]);
    if (!found) throw new Error('there is no module');
    return found;
  };

  it('are files, and folders with an index: not packages, folders of packages, tests and what is hidden', async () => {
    for (const path of ['one.ts', 'two/index.mjs', 'two/lib/deep/a.ts', 'two/index.test.ts', 'two/README.md'])
      await put(path);
    for (const path of ['two/.git/a.ts', 'two/node_modules/b/index.js', 'two/lib/_off.ts', 'one.test.ts'])
      await put(path);
    for (const path of ['pack/SKILL.md', 'pack/index.ts', 'repo/index.js', 'repo/skills/a/SKILL.md', 'docs/a.ts'])
      await put(path);
    await put('skills/index.ts');
    const found = await find();
    expect(found.map(({ file, places, problem }) => [file, [...places.keys()], problem])).toEqual([
      ['one.ts', ['one.ts'], null],
      ['two/index.mjs', ['two/index.mjs', 'two/lib/deep/a.ts'], null],
    ]);
    expect(found[1]?.folders).toEqual(['two', 'two/lib', 'two/lib/deep'].map((path) => join(root, path)));
    expect(await readModuleFiles(found[1] ?? (await only()))).toEqual({
      'two/index.mjs': 'export default 1;',
      'two/lib/deep/a.ts': 'export default 1;',
    });
    for (const path of ['two', 'two/index.mjs'])
      expect((await moduleFileAt(join(root, path))).file).toBe('two/index.mjs');
    await expect(moduleFileAt(join(root, 'docs'))).rejects.toThrow('is no skill module');
    await expect(moduleFileAt(join(root, 'none.ts'))).rejects.toThrow(/^There is no file .*none\.ts: name a \.ts, /);
    await expect(moduleFileAt(join(root, 'none', 'none.ts'))).rejects.toThrow(NotASkillModule);
  });

  it.each([
    ['a file changes', () => put('m/lib/a.ts', 'export default 2;')],
    ['a file is written again, as long as before', () => utimes(join(root, 'm/lib/a.ts'), 1, 1)],
    [
      'a program replaces a file by one of its size and time',
      () => writeCopiedFile(join(root, 'm/lib/a.ts'), 'export default 2;'),
    ],
    ['a file goes', () => rm(join(root, 'm/lib/a.ts'))],
    ['a file comes', () => put('m/lib/b.ts')],
    ['the index goes', () => rm(join(root, 'm/index.ts'))],
  ])('are never read in the middle of a change: %s', async (_what, change) => {
    for (const path of ['m/index.ts', 'm/lib/a.ts']) await put(path);
    await writeCopiedFile(join(root, 'm/lib/a.ts'), 'export default 1;');
    const before = await only();
    await change();
    expect(await readModuleFiles(before)).toBeNull();
    const [after] = await find();
    if (after) expect(after.fingerprint).not.toBe(before.fingerprint);
  });

  it.each<[string, () => Promise<unknown>, RegExp]>([
    ['a link to a file outside', () => symlink('/etc/hostname', join(root, 'm/a.ts')), /leads out.*m\/a\.ts/],
    ['a link to a folder outside', () => symlink('/etc', join(root, 'm/lib')), /leads out.*m\/lib/],
    ['a link to a file beside SKILLS_DIR', () => symlink('../../one.ts', join(root, 'm/a.ts')), /leads out/],
    ['a link to nothing', () => symlink('none.ts', join(root, 'm/a.ts')), /link to nothing: m\/a\.ts/],
    ['a link to itself', () => symlink('.', join(root, 'm/lib')), /leads out|more than 5 levels/],
    ['folders in many levels', () => put('m/a/b/c/d/e/f.ts'), /more than 5 levels/],
    [
      'many files',
      () => Promise.all(Array.from({ length: 100 }, (_, index) => put(`m/a${index}.ts`))),
      /more than 100 files/,
    ],
    ['much code', () => put('m/a.ts', 'x'.repeat(1_000_000)), /more than 1000000 bytes/],
  ])('are refused with %s', async (_what, change, problem) => {
    await put('m/index.ts');
    await writeFile(join(dirname(root), 'one.ts'), '');
    await change();
    expect((await only()).problem).toMatch(problem);
  });

  it('are refused where the folder itself is a link that leads out', async () => {
    await mkdir(join(dirname(root), 'elsewhere'));
    await writeFile(join(dirname(root), 'elsewhere/index.ts'), '');
    await symlink('../elsewhere', join(root, 'm'));
    expect((await only()).problem).toMatch(/leads out/);
  });

  it('are refused with a file that cannot be read, until it can', async () => {
    for (const path of ['m/index.ts', 'm/a.ts']) await put(path);
    await chmod(join(root, 'm/a.ts'), 0);
    await chmod(dirname(root), 0o755);
    const before = await only();
    await expect(unprivileged(() => readModuleFiles(before))).rejects.toThrow('may not read m/a.ts (EACCES)');
    await chmod(join(root, 'm/a.ts'), 0o644);
    const after = await only();
    expect(after.fingerprint).not.toBe(before.fingerprint);
    expect(Object.keys((await unprivileged(() => readModuleFiles(after))) ?? {})).toEqual(['m/a.ts', 'm/index.ts']);
  });

  it('are not gone when their folder cannot be entered', async () => {
    await put('one.ts');
    await chmod(dirname(root), 0o755);
    await chmod(root, 0o644);
    await expect(unprivileged(find)).rejects.toThrow(`${root} can't be read (EACCES)`);
    await chmod(root, 0o755);
    expect(await unprivileged(find)).toHaveLength(1);
  });

  it('may have links inside their folders', async () => {
    await put('m/index.ts');
    await symlink('index.ts', join(root, 'm/a.ts'));
    const found = await only();
    expect([found.problem, [...found.places.keys()]]).toEqual([null, ['m/a.ts', 'm/index.ts']]);
  });
});
