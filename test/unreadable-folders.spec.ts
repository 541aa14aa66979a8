import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findModuleFiles } from '../src/features/modules/folder/module-files.js';
import { findPackages } from '../src/features/packages/folder/skills-folder.js';
import { FolderNotReadable } from '../src/platform/folders/folders.errors.js';
import { readWorkflowFolder } from '../src/features/workflows/definitions/workflow-folder.js';

describe.each([
  ['workflows', readWorkflowFolder],
  ['skill packages', findPackages],
  ['skill modules', findModuleFiles],
] as const)('the folder of %s', (_what, read) => {
  let folder: string;
  beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'unreadable-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  it('may be missing', async () => {
    expect(await read(join(folder, 'missing'))).toBeNull();
  });

  // Root can read every folder, so the test takes something that is none.
  it('is not taken for a missing one when it cannot be read', async () => {
    const path = join(folder, 'file');
    writeFileSync(path, '');
    const message = `${path} can't be read (ENOTDIR), so its changes are not loaded: it must be a folder that this user may read`;
    await expect(read(path)).rejects.toThrow(message);
  });
});

it('says what to do about a folder that cannot be read because too many connections are open', () => {
  expect(new FolderNotReadable('skills', 'EMFILE').message).toBe(
    "skills can't be read (EMFILE), so its changes are not loaded: too many files and connections are open, and new clients are " +
      'refused, too: raise the limit (LimitNOFILE, ulimit -n)',
  );
});
