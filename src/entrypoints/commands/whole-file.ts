import { createWriteStream } from 'node:fs';
import { open, realpath, rename, rm, stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Readable only by the owner. */
const MODE = 0o600;

/**
 * Writes a file atomically: it appears, or replaces the previous one, once all of it is on the disk. Anything that is not a
 * regular file, such as /dev/stdout, is written directly.
 */
export async function writeWhole(path: string, content: Readable): Promise<void> {
  const place = await realpath(path).catch(() => path);
  if (await isSomethingElse(place)) return pipeline(content, createWriteStream(place));
  const partial = `${place}.partial`;
  await rm(partial, { force: true }); // left by an interrupted attempt
  const file = await open(partial, 'wx', MODE);
  try {
    await pipeline(content, file.createWriteStream({ flush: true }));
    await rename(partial, place);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}

/** Returns whether something exists that is not a regular file. */
const isSomethingElse = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => !found.isFile(),
    () => false,
  );
