import { promisify } from 'node:util';
import { constants, zstdCompress, zstdCompressSync, zstdDecompressSync } from 'node:zlib';

/** Longest text of a batch that can be read, in bytes. Written batches are at most half as long. */
export const MOST_TEXT_BYTES = 8 * 1024 * 1024;
/** Shorter texts are compressed synchronously, which is cheaper than passing them to another thread. */
const LONG_BYTES = 16 * 1024;
/** The fastest level: entries are so alike that higher ones save nothing. */
const OPTIONS = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

const compressed = promisify(zstdCompress);

/** Returns a text as it is stored: UTF-8, compressed with zstd. Long ones are compressed in another thread. */
export async function toBody(text: string): Promise<Uint8Array> {
  const bytes = Buffer.from(text);
  return bytes.length < LONG_BYTES ? zstdCompressSync(bytes, OPTIONS) : compressed(bytes, OPTIONS);
}

/** The result of Node with `info`, which its types lack. */
interface Decompressed {
  buffer: Buffer;
  /** `bytesWritten` is the length of the compressed text. */
  engine: { bytesWritten: number };
}

/** Returns a stored text; null when the body is invalid, longer than any written one, or followed by other data. */
export function textOf(body: Uint8Array): string | null {
  try {
    const read: unknown = zstdDecompressSync(body, { maxOutputLength: MOST_TEXT_BYTES, info: true });
    const { buffer, engine } = read as Decompressed;
    return engine.bytesWritten === body.byteLength ? buffer.toString() : null;
  } catch {
    return null;
  }
}
