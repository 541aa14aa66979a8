import { chmod, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { writeWhole } from './whole-file.js';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';

describe('a file that is written as a whole', () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = temporaryFolder();
    file = join(folder, 'backup');
  });
  const textsOf = async () => [await readFile(file, 'utf8'), await readdir(folder)];

  it('takes the place of another, for its owner only, also behind a link', async () => {
    await writeFile(file, 'old');
    await chmod(file, 0o644);
    await writeFile(`${file}.partial`, 'left behind');
    await symlink(file, join(folder, 'latest'));
    await writeWhole(join(folder, 'latest'), Readable.from(['new ', 'text']));
    expect(await textsOf()).toEqual(['new text', ['backup', 'latest']]);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it('leaves the other alone when it fails half way', async () => {
    await writeFile(file, 'old');
    async function* failing() {
      yield 'new';
      throw new Error('disk full');
    }
    await expect(writeWhole(file, Readable.from(failing()))).rejects.toThrow('disk full');
    expect(await textsOf()).toEqual(['old', ['backup']]);
  });

  it('does not replace something other than a file', async () => {
    await writeWhole('/dev/null', Readable.from(['text']));
    expect((await stat('/dev/null')).isFile()).toBe(false);
  });
});
