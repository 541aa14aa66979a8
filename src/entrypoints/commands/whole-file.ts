import { createWriteStream } from 'node:fs';
import { open, realpath, rename, rm, stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Readable only by its owner. */
const MODE = 0o600;

/**
 * Writes a file that is there when all of it is on the disk, and not before: until then, the one that it replaces stays. What is no
 * file, such as /dev/stdout, is written as it comes.
 */
export async function writeWhole(path: string, content: Readable): Promise<void> {
  const place = await realpath(path).catch(() => path);
  if (await isSomethingElse(place)) return pipeline(content, createWriteStream(place));
  const partial = `${place}.partial`;
  await rm(partial, { force: true }); // of an attempt that was cut off
  const file = await open(partial, 'wx', MODE);
  try {
    await pipeline(content, file.createWriteStream({ flush: true }));
    await rename(partial, place);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}

/** Returns whether there is something that is no file. */
const isSomethingElse = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => !found.isFile(),
    () => false,
  );
