import { stat, utimes, writeFile } from 'node:fs/promises';

/** Writes a file as programs do that copy files with their times. Its `ctime` differs from before, however fast the disk is. */
export async function writeCopiedFile(path: string, content: string): Promise<void> {
  const before = await stat(path).catch(() => null);
  do {
    await writeFile(path, content);
    await utimes(path, 0, 0);
  } while ((await stat(path)).ctimeMs === before?.ctimeMs);
}
