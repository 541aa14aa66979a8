import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const made: string[] = [];

afterAll(() => made.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

/** Makes a folder, which is removed after the tests of the file. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'test-'));
  made.push(folder);
  return folder;
}
