import { strFromU8, zipSync } from 'fflate';
import { unzipped } from '../../../platform/archives/unzipped.rules.js';

/** The requested files of an archive, by their paths in it. */
export type ArchiveFiles = Readonly<Record<string, Uint8Array>>;

/** Total size of the files that are read from an archive, in bytes. */
const MAX_UNPACKED = 50_000_000;
const MAX_ENTRIES = 20_000;
const MIME_TYPE = 'mimetype';

export function pathsOf(bytes: Uint8Array): string[] {
  const paths: string[] = [];
  unzipped(bytes, ({ name }) => {
    if (paths.push(name) > MAX_ENTRIES) throw new Error(`it holds more than ${MAX_ENTRIES} files`);
    return false;
  });
  return paths;
}

/**
 * Unpacks the wanted files. Each may take only the number of bytes that the archive declares, and their sum is limited, so an
 * archive that unpacks to gigabytes, or lies about its size, costs no more than an honest one.
 */
export function unpacked(bytes: Uint8Array, isWanted: (path: string) => boolean): ArchiveFiles {
  let total = 0;
  return unzipped(bytes, ({ name, originalSize }) => {
    if (!isWanted(name)) return false;
    total += originalSize;
    if (total > MAX_UNPACKED) throw new Error(`it unpacks to more than ${MAX_UNPACKED / 1_000_000} MB`);
    return true;
  });
}

export const packed = (files: ArchiveFiles): Uint8Array => zipSync({ ...files }, { level: 0 });

/** Returns the media type that an archive declares in its first file; empty = none. */
export function declaredType(bytes: Uint8Array): string {
  const { [MIME_TYPE]: type } = unpacked(bytes, (path) => path === MIME_TYPE);
  return type ? strFromU8(type.subarray(0, 100)).trim() : '';
}
