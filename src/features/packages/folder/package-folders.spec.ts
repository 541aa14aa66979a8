import { chmod, mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Logger } from '@nestjs/common';
import { jest } from '@jest/globals';
import type { Database } from '../../../platform/database/database.js';
import { memoryDatabase } from '../../../platform/database/testing.js';
import { parseEnvironment } from '../../../platform/environment/environment.js';
import { packageOf, packagesOn, skillText } from '../testing.js';
import { PackageFolders } from './package-folders.service.js';
import { readSurveyed, surveyPackage } from './package-survey.js';
import { writeCopiedFile } from '../../../../test/support/copied-file.js';
import { temporaryFolder } from '../../../../test/support/temporary-folder.js';
import { unprivileged } from '../../../../test/support/unprivileged.js';

describe('the folders of SKILLS_DIR', () => {
  let root: string;
  let database: Database;
  beforeEach(async () => {
    jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    jest.spyOn(Logger.prototype, 'log').mockImplementation(() => undefined);
    root = join(temporaryFolder(), 'skills');
    database = await memoryDatabase();
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await database.destroy();
  });

  const put = async (path: string, content: string | Uint8Array) => {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), content);
  };
  const start = async () => {
    const { packages, sent } = await packagesOn(database);
    const folders = new PackageFolders(parseEnvironment({ SKILLS_DIR: root }), packages);
    const settle = async () => {
      for (let looks = 0; await folders.scan(); looks += 1) if (looks > 10) throw new Error('it never settles');
    };
    const names = () => packages.list().map(({ name }) => name);
    const mistakes = () =>
      folders
        .list()
        .flatMap(({ place, problems }) =>
          problems.map(({ file, line, message }) => `${place} ${file}:${line} ${message}`),
        );
    return { packages, folders, settle, names, mistakes, sent };
  };

  it('are packages, also those of a repository, as long as they are there', async () => {
    await put('release/SKILL.md', skillText('release'));
    await put('skills/review/SKILL.md', skillText('review'));
    await put('our-repo/skills/deploy/SKILL.md', skillText('deploy'));
    await put('our-repo/README.md', 'x');
    await put('release/docs/a.md', 'a');
    await put('release/.git/config', 'x');
    for (const name of ['node_modules', 'lost+found', '.cache']) await put(`${name}/a.md`, 'x');
    const { packages, settle, names, mistakes } = await start();
    await settle();
    expect(names()).toEqual(['deploy', 'release', 'review']);
    expect(mistakes()).toEqual([]);
    expect(packages.get('release')).toMatchObject({ source: 'folder', updatedBy: null });
    expect(packages.get('release').files.map(({ path }) => path)).toEqual(['SKILL.md', 'docs/a.md']);
    await rm(join(root, 'our-repo'), { recursive: true });
    await settle();
    expect(names()).toEqual(['release', 'review']);
    await rename(join(root, 'release'), join(root, 'skills/release'));
    await settle();
    expect(names()).toEqual(['release', 'review']);
  });

  it('leave no package out for folders without a SKILL.md, however many', async () => {
    for (let number = 0; number <= 500; number += 1) await mkdir(join(root, `other-${number}`), { recursive: true });
    await put('release/SKILL.md', skillText('release'));
    const { settle, names, mistakes } = await start();
    await settle();
    expect(names()).toEqual(['release']);
    const leftOut = mistakes().filter((one) => one.includes('is left out'));
    expect(leftOut).toEqual([expect.stringContaining('SKILLS_DIR has more than 500 folders without a SKILL.md')]);
  });

  it.each([
    ['is gone', () => rm(join(root, 'review'), { recursive: true })],
    ['has another name', () => put('review/SKILL.md', skillText('check'))],
  ])('take their package with them when one %s, also when the database fails once', async (_, change) => {
    await put('release/SKILL.md', skillText('release'));
    await put('review/SKILL.md', skillText('review'));
    const { packages, settle, names } = await start();
    await settle();
    await change();
    jest.spyOn(packages, 'removeFromFolder').mockRejectedValueOnce(new Error('the connection was lost'));
    await expect(settle()).rejects.toThrow('the connection was lost');
    await settle();
    expect(names()).not.toContain('review');
  });

  it('are accepted when they were the same in two scans, and not before', async () => {
    await put('release/SKILL.md', skillText('release'));
    const { folders, packages, names } = await start();
    expect(await folders.scan()).toBe(true);
    expect(names()).toEqual([]);
    await put('release/a.md', 'a');
    expect(await folders.scan()).toBe(true);
    expect(names()).toEqual([]);
    expect(await folders.scan()).toBe(false);
    expect(packages.get('release').files).toHaveLength(2);
    await put('release/a.md', 'longer');
    expect(await folders.scan()).toBe(true);
    expect(packages.get('release').version).toBe(1);
    await folders.scan();
    expect(packages.get('release').version).toBe(2);
  });

  it('are loaded again when a program replaces a file by one of its size and time', async () => {
    await put('release/SKILL.md', skillText('release'));
    const { packages, settle } = await start();
    for (const content of ['one', 'two']) {
      await writeCopiedFile(join(root, 'release/a.md'), content);
      await settle();
    }
    expect(packages.get('release').version).toBe(2);
  });

  it('are removed when they were missing in two scans, and not before', async () => {
    await put('release/SKILL.md', skillText('release'));
    const { folders, settle, names } = await start();
    await settle();
    await rename(join(root, 'release'), join(root, '.away'));
    expect(await folders.scan()).toBe(true);
    expect(names()).toEqual(['release']);
    await rename(join(root, '.away'), join(root, 'release'));
    expect(await folders.scan()).toBe(false);
    expect(names()).toEqual(['release']);
    await rm(join(root, 'release'), { recursive: true });
    await settle();
    expect(names()).toEqual([]);
  });

  it('report errors while the others are accepted; a package that breaks keeps its last version', async () => {
    await put('release/SKILL.md', skillText('release'));
    await put('worse/SKILL.md', skillText('Bad'));
    await put('none/readme.md', 'x');
    await put('lower/skill.md', 'x');
    await put('latin/SKILL.md', Buffer.from('---\nname: caf\xe9\n', 'latin1'));
    await put('yaml/SKILL.md', '---\nname: yaml\ndescription: [\n---\n');
    await put('huge/SKILL.md', `---\nname: huge\ndescription: x\nx: "${'y'.repeat(20_000)}"\n---\n`);
    await put('SKILL.md', skillText('top'));
    for (let at = 0; at < 600; at += 1) await put(`many/f${at}`, '');
    await put('many/SKILL.md', skillText('many'));
    await put('large/SKILL.md', skillText('large'));
    await put('large/big', new Uint8Array(17 * 1024 * 1024));
    await put('skills/release/SKILL.md', skillText('release'));
    const { packages, settle, names, mistakes } = await start();
    await settle();
    expect(names()).toEqual(['release']);
    expect(mistakes()).toEqual([
      'SKILL.md SKILL.md:1 must be in a folder that has the name of the skill: move it there',
      'huge SKILL.md:1 the frontmatter is longer than 8 KB, or its end "---" is missing',
      'large large:1 has more than 16 MB: leave out large files, or link to them',
      'latin SKILL.md:2 has bytes that are not UTF-8: save the file as UTF-8',
      'lower lower:1 has skill.md, which must be named SKILL.md: rename it',
      'many many:1 has more than 512 files: leave out those that assistants never read',
      'none none:1 has no SKILL.md: add one, with the fields name and description',
      'skills/release skills/release:1 has the same name as release: rename one of the two',
      'worse SKILL.md:2 name must have 1 to 64 lower-case letters a-z, digits, and single hyphens between them, such as release-notes',
      expect.stringContaining('yaml SKILL.md:4 not valid YAML'),
    ]);
    await put('release/SKILL.md', 'broken');
    await settle();
    expect(packages.get('release').version).toBe(1);
    expect(mistakes()[7]).toContain('release SKILL.md:1 the file must begin');
    await put('release/SKILL.md', skillText('release', 'Right again.'));
    await settle();
    expect(packages.get('release').version).toBe(2);
  });

  it('have the name that SKILL.md gives, whatever the folder is called', async () => {
    await put('notes/SKILL.md', skillText('our-notes'));
    await put('other/SKILL.md', skillText('our-notes', 'Twice.'));
    const { packages, folders, settle, names, mistakes } = await start();
    await settle();
    expect(names()).toEqual(['our-notes']);
    expect(mistakes()).toEqual([
      'notes SKILL.md:2 name is "our-notes", but the folder is "notes": other clients may want them to be the same',
      'other other:1 has the same name as notes: rename one of the two',
      'other SKILL.md:2 name is "our-notes", but the folder is "other": other clients may want them to be the same',
    ]);
    await expect(folders.assertNotFromFolder('our-notes')).rejects.toThrow('comes from a folder');
    await put('notes/SKILL.md', 'broken');
    await settle();
    expect(packages.get('our-notes').version).toBe(1);
    await put('notes/SKILL.md', skillText('renamed'));
    await settle();
    expect(names()).toEqual(['our-notes', 'renamed']);
    expect(await packages.instructionsOf(packages.get('our-notes'))).toContain('Twice.');
    await rm(join(root, 'other'), { recursive: true });
    await settle();
    expect(names()).toEqual(['renamed']);
    const again = await start();
    await put('notes/SKILL.md', '---\nname: renamed\ndescription: [\n---\n');
    await put('another/SKILL.md', skillText('another'));
    await again.settle();
    expect(again.names()).toEqual(['another', 'renamed']);
  });

  describe('that cannot be read', () => {
    const deny = (path: string) => chmod(join(root, path), 0);
    const allow = (path: string) => chmod(join(root, path), 0o755);
    beforeEach(async () => {
      for (const name of ['alone', 'our-repo/skills/deploy', 'our-repo/skills/review'])
        await put(`${name}/SKILL.md`, skillText(basename(name)));
      await chmod(dirname(root), 0o755); // for others than its owner
    });

    it.each([
      ['the repository', 'our-repo', 'our-repo our-repo:1'],
      ['its folder of packages', 'our-repo/skills', 'our-repo our-repo:1'],
      ['a package', 'our-repo/skills/deploy', 'our-repo/skills/deploy our-repo/skills/deploy:1'],
    ])('keep their packages, and say so: %s', async (_, path, place) => {
      const { settle, names, mistakes } = await start();
      await settle();
      await deny(path);
      await unprivileged(settle);
      expect(names()).toEqual(['alone', 'deploy', 'review']);
      expect(mistakes()).toEqual([`${place} cannot be read (EACCES): let the service read the folder and all in it`]);
      const again = await start();
      await unprivileged(again.settle);
      expect(again.names()).toEqual(['alone', 'deploy', 'review']);
      await allow(path);
      await rm(join(root, path), { recursive: true });
      await again.settle();
      expect(again.names()).not.toContain('deploy');
    });

    it('report a file, and are loaded when it can be read', async () => {
      await put('alone/a.md', 'a');
      await deny('alone/a.md');
      const { settle, names, mistakes } = await start();
      await unprivileged(settle);
      expect(names()).toEqual(['deploy', 'review']);
      expect(mistakes()).toEqual(['alone a.md:1 cannot be read (EACCES): let the service read the file']);
      await allow('alone/a.md');
      await unprivileged(settle);
      expect(names()).toEqual(['alone', 'deploy', 'review']);
      expect(mistakes()).toEqual([]);
    });
  });

  it('serve nothing that a link leads out to, nor what goes round in a circle', async () => {
    await put('release/SKILL.md', skillText('release'));
    await put('inside/SKILL.md', skillText('inside'));
    await put('inside/real/a.md', 'a');
    await put('circle/SKILL.md', skillText('circle'));
    await put('gone/SKILL.md', skillText('gone'));
    await writeFile(join(dirname(root), 'secret'), 'secret');
    await mkdir(join(dirname(root), 'elsewhere'));
    await writeFile(join(dirname(root), 'elsewhere/SKILL.md'), skillText('elsewhere'));
    await symlink('../../secret', join(root, 'release/secret'));
    await symlink('real/a.md', join(root, 'inside/b.md'));
    await symlink('..', join(root, 'circle/up'));
    await symlink('nowhere', join(root, 'gone/x'));
    await symlink('../elsewhere', join(root, 'elsewhere'));
    await symlink('.', join(root, 'inside/real/self'));
    const { settle, names, mistakes } = await start();
    await settle();
    expect(names()).toEqual([]);
    expect(mistakes()).toEqual([
      'circle up:1 is a link that leads out of the package: put a copy of the file there',
      'elsewhere elsewhere:1 is a link that leads out of SKILLS_DIR: put a copy of the folder there',
      'gone x:1 cannot be read, or is a link to nothing (ENOENT)',
      expect.stringMatching(/^inside .*nested more than 10 levels deep, or a link leads back$/),
      'release secret:1 is a link that leads out of the package: put a copy of the file there',
    ]);
    await rm(join(root, 'inside/real/self'));
    await settle();
    expect(names()).toEqual(['inside']);
  });

  it('are not read when a file changes, or becomes a link, after it was looked at', async () => {
    await put('release/SKILL.md', skillText('release'));
    await put('release/a.md', 'first');
    const folder = join(root, 'release');
    const survey = await surveyPackage(folder, 'release');
    expect(await readSurveyed(survey)).toMatchObject([{ path: 'SKILL.md' }, { path: 'a.md' }]);
    for (const content of ['shorte', 'four']) {
      await put('release/a.md', content);
      expect(await readSurveyed(survey)).toBeNull();
    }
    await put('release/a.md', 'other');
    expect((await surveyPackage(folder, 'release')).fingerprint).not.toBe(survey.fingerprint);
    await writeFile(join(dirname(root), 'secret'), 'first');
    await rm(join(folder, 'a.md'));
    expect(await readSurveyed(survey)).toBeNull();
    await symlink('../../secret', join(folder, 'a.md'));
    expect(await readSurveyed(survey)).toBeNull();
  });

  it('leave the name of an upload alone, and take it when it is free', async () => {
    const { packages, settle, mistakes } = await start();
    await packages.saveUpload(packageOf('release'), 'ann');
    await put('release/SKILL.md', skillText('release'));
    await settle();
    await settle();
    expect(mistakes()).toEqual([
      'release release:1 a skill package release was uploaded in the administration: remove it there, or rename this one',
    ]);
    expect(packages.get('release').source).toBe('upload');
    await packages.remove('release', 'ann');
    await settle();
    expect(packages.get('release').source).toBe('folder');
    await expect(packages.saveUpload(packageOf('release', { a: 'x' }), 'ann')).rejects.toThrow('SKILLS_DIR');
  });

  it('that went while the service was down are removed at the next start, unless nothing is there', async () => {
    await put('release/SKILL.md', skillText('release'));
    await put('review/SKILL.md', skillText('review'));
    await (await start()).settle();
    await rm(join(root, 'review'), { recursive: true });
    const again = await start();
    await again.packages.saveUpload(packageOf('uploaded'), 'ann');
    await again.settle();
    expect(again.names()).toEqual(['release', 'uploaded']);
    await rm(join(root, 'release'), { recursive: true });
    const empty = await start();
    await empty.settle();
    expect(empty.names()).toEqual(['release', 'uploaded']);
    await rm(root, { recursive: true });
    expect(await empty.folders.scan()).toBe(false);
  });

  it('do nothing when nothing has changed, and say so to no client', async () => {
    await put('release/SKILL.md', skillText('release'));
    const { settle } = await start();
    await settle();
    const again = await start();
    await again.settle();
    expect(again.sent).toEqual([]);
    expect(again.packages.get('release').version).toBe(1);
  });

  it('refuse what would change them in the administration', async () => {
    await put('release/SKILL.md', skillText('release'));
    const { folders, settle } = await start();
    await settle();
    await expect(folders.assertNotFromFolder('release')).rejects.toThrow('comes from a folder in SKILLS_DIR');
    await expect(folders.assertNotFromFolder('other')).resolves.toBeUndefined();
  });
});
