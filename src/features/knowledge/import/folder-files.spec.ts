import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { filesOfFolder } from './folder-files.js';
import { temporaryFolder } from '../../../../test/support/temporary-folder.js';

describe('filesOfFolder', () => {
  let home: string;
  const inHome = (path: string) => join(home, path);
  beforeEach(() => void (home = temporaryFolder()));

  async function write(...paths: string[]): Promise<void> {
    for (const path of paths) {
      await mkdir(dirname(inHome(path)), { recursive: true });
      await writeFile(inHome(path), path);
    }
  }
  const link = (path: string, target: string) => symlink(target, inHome(path));
  const list = async (followsOut = false) => {
    const { files, skipped } = await filesOfFolder(inHome('docs'), { followsOut });
    return { files: files.map(({ path }) => path), skipped: skipped.map(({ path, reason }) => [path, reason]) };
  };

  it('lists files in order, without hidden ones and node_modules', async () => {
    await write('docs/b.md', 'docs/a/z.md', 'docs/.git/x.md', 'docs/.hidden.md', 'docs/a/node_modules/y.md', 'out.md');
    expect(await list()).toEqual({ files: ['a/z.md', 'b.md'], skipped: [] });
  });

  it('says which folder cannot be read, and why', async () => {
    await expect(list()).rejects.toThrow(`The folder ${inHome('docs')} cannot be read: it does not exist.`);
    await write('docs');
    await expect(list()).rejects.toThrow(`The folder ${inHome('docs')} cannot be read: it is not a folder.`);
  });

  it('follows links to what is in the folder and is not listed without them', async () => {
    await write('docs/a.md', 'docs/.parts/p.md', 'docs/.parts/deep/q.md');
    await link('docs/parts', '.parts');
    await link('docs/q.md', '.parts/deep/q.md');
    await link('docs/again.md', 'a.md');
    await link('docs/all', '.');
    expect(await list()).toEqual({
      files: ['a.md', 'parts/deep/q.md', 'parts/p.md'],
      skipped: [
        ['again.md', 'it is a symbolic link to what is imported itself'],
        ['all', 'it is a symbolic link to what is imported itself'],
        ['q.md', 'it is a symbolic link to what is imported itself'],
      ],
    });
  });

  it('follows links out of the folder only when asked to', async () => {
    await write('docs/a.md', 'docs2/b.md', 'secret/key.md');
    await link('docs/two', '../docs2');
    await link('docs/key.md', inHome('secret/key.md'));
    await link('docs2/secret', '../secret');
    await link('docs/gone.md', 'nowhere.md');
    const { files, skipped } = await list();
    expect(files).toEqual(['a.md']);
    expect(skipped.map(([path]) => path)).toEqual(['gone.md', 'key.md', 'two']);
    expect(skipped[1]?.[1]).toContain('--follow-links');
    expect(await list(true)).toEqual({
      files: ['a.md', 'key.md', 'two/b.md'],
      skipped: [
        ['gone.md', 'it is a symbolic link to nothing'],
        ['two/secret/key.md', 'it is imported under another path'],
      ],
    });
  });

  it('ends when links go round in circles', async () => {
    await write('docs/a/a.md', 'other/b.md');
    await link('docs/a/up', '..');
    await link('docs/self', 'self');
    await link('docs/home', '..');
    await link('other/back', '../docs');
    expect((await list(true)).files).toEqual(['a/a.md', 'home/other/b.md']);
  });

  it('takes a folder that is a link itself', async () => {
    await write('real/a.md');
    await link('docs', 'real');
    expect(await list()).toEqual({ files: ['a.md'], skipped: [] });
  });
});
