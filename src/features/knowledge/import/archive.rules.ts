import { strFromU8, unzipSync, zipSync } from 'fflate';

/** The files of an archive that were asked for, by their paths in it. */
export type ArchiveFiles = Readonly<Record<string, Uint8Array>>;

/** What the files that are read from an archive may have together, in bytes. */
const MAX_UNPACKED = 50_000_000;
const MAX_ENTRIES = 20_000;
const MIME_TYPE = 'mimetype';

/** Whether bytes are a ZIP archive, as DOCX and EPUB are. */
export const isArchive = (bytes: Uint8Array): boolean =>
  bytes[0] === 0x50 && bytes[1] === 0x4b && ((bytes[2] === 3 && bytes[3] === 4) || (bytes[2] === 5 && bytes[3] === 6));

/** Lists the paths in an archive without unpacking it. */
export function pathsOf(bytes: Uint8Array): string[] {
  const paths: string[] = [];
  unzipSync(bytes, {
    filter: ({ name }) => {
      if (paths.push(name) > MAX_ENTRIES) throw new Error(`it holds more than ${MAX_ENTRIES} files`);
      return false;
    },
  });
  return paths;
}

/**
 * Unpacks the files that are wanted. Each is written into as many bytes as the archive says that it has, and no more, and
 * their sum is limited: so an archive that unpacks to gigabytes, or lies about it, costs no more than an honest one.
 */
export function unpacked(bytes: Uint8Array, isWanted: (path: string) => boolean): ArchiveFiles {
  let total = 0;
  return unzipSync(bytes, {
    filter: ({ name, originalSize }) => {
      if (!isWanted(name)) return false;
      total += originalSize;
      if (total > MAX_UNPACKED) throw new Error(`it unpacks to more than ${MAX_UNPACKED / 1_000_000} MB`);
      return true;
    },
  });
}

/** Packs files as an archive, without compression. */
export const packed = (files: ArchiveFiles): Uint8Array => zipSync({ ...files }, { level: 0 });

/** Returns what an archive says it is, in its first file; empty when it says nothing. */
export function declaredType(bytes: Uint8Array): string {
  const { [MIME_TYPE]: type } = unpacked(bytes, (path) => path === MIME_TYPE);
  return type ? strFromU8(type.subarray(0, 100)).trim() : '';
}
