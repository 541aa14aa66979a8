import { readdir, stat } from 'node:fs/promises';
import { FolderNotReadable } from './folders.errors.js';

/** Returns the names in a folder; null when it is missing. @throws FolderNotReadable */
export async function readFolder(folder: string): Promise<string[] | null> {
  try {
    const names = await readdir(folder);
    // Without this right, the names can be read, but everything in the folder seems to be missing.
    await stat(`${folder}/.`);
    return names;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    throw new FolderNotReadable(folder, code ?? String(error));
  }
}
