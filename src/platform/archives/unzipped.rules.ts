import { crc32 } from 'node:zlib';
import { type UnzipFileInfo, unzipSync } from 'fflate';

/** An entry as the directory of its archive declares it. */
export type ArchiveEntry = Pick<UnzipFileInfo, 'name' | 'originalSize'>;

/** The records of a ZIP archive that lead to its directory: https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT, 4.3 */
const END = 0x06054b50;
const END_64 = 0x06064b50;
const LOCATOR_64 = 0x07064b50;
const END_BYTES = 22;

/**
 * Unpacks the wanted files of a ZIP archive, by their names. A file may take only the number of bytes that the archive declares:
 * callers limit their sum. `isWanted` is called once for each entry, in order.
 * @throws Error when the archive is none, or a wanted file is damaged
 */
export function unzipped(bytes: Uint8Array, isWanted: (entry: ArchiveEntry) => boolean): Record<string, Uint8Array> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const sums = new Map<string, number>();
  let at: number | null = null; // null = before the first entry
  const filter = (entry: ArchiveEntry): boolean => {
    at ??= directoryIn(view);
    const sum = view.getUint32(at + 16, true);
    at += 46 + view.getUint16(at + 28, true) + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
    if (!isWanted(entry)) return false;
    sums.set(entry.name, sum);
    return true;
  };
  const files = unzipSync(bytes, { filter });
  for (const [name, sum] of sums) {
    const file = Object.hasOwn(files, name) ? files[name] : undefined;
    if (file && crc32(file) !== sum) throw new Error(`${name.slice(0, 100)} is damaged: its checksum is wrong`);
  }
  return files;
}

/** Returns where the directory begins. The library has found its end before, in the same way. */
function directoryIn(view: DataView): number {
  let end = view.byteLength - END_BYTES;
  while (view.getUint32(end, true) !== END) end -= 1;
  if (end >= 20 && view.getUint32(end - 20, true) === LOCATOR_64) {
    const end64 = view.getUint32(end - 12, true);
    if (view.getUint32(end64, true) === END_64) return view.getUint32(end64 + 48, true);
  }
  return view.getUint32(end + 16, true);
}
