import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import { readOpenFilesLimit } from './open-files.js';

describe('the limit of open files', () => {
  it.each([
    [
      'Max processes  7  7  processes\nMax open files            1024                 524288               files\n',
      1024,
    ],
    ['Max open files            unlimited            unlimited            files\n', Infinity],
  ])('is the one in force: %#', (limits, expected) => {
    const file = join(temporaryFolder(), 'limits');
    writeFileSync(file, limits);
    expect(readOpenFilesLimit(file)).toBe(expected);
  });

  it('is unknown where the system does not say it', () => {
    expect(readOpenFilesLimit(join(temporaryFolder(), 'limits'))).toBe(Infinity);
  });
});
