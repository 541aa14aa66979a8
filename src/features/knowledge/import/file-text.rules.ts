/** The text of a file, or why it has none. */
export type FileText = { text: string } | { problem: string };

const MARKS: readonly [string, readonly number[]][] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16be', [0xfe, 0xff]],
  ['utf-16le', [0xff, 0xfe]],
];
/** Bytes at the beginning that are inspected to distinguish text from other data. */
const SNIFFED_BYTES = 8_192;
/** Minimum share of zero bytes, all at even or all at odd offsets, in UTF-16 without a byte order mark. */
const ZEROS_OF_UTF_16 = 0.3;
const DECLARED =
  /<meta[^<>]{1,200}charset\s*=\s*["']?([\w.:-]{1,40})|<\?xml[^<>]{1,200}encoding\s*=\s*["']([\w.:-]{1,40})/i;
// eslint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u0008\u000e-\u001a]/;
const WESTERN = 'windows-1252';

/**
 * Decodes the bytes of a text file: UTF-8, UTF-16 with or without a byte order mark, the encoding that an HTML file declares, or
 * else Windows-1252, a superset of Latin-1.
 */
export function fileText(bytes: Uint8Array): FileText {
  if (bytes.length === 0) return { problem: 'it is empty' };
  const start = bytes.subarray(0, SNIFFED_BYTES);
  const encoding = markedEncoding(start) ?? unmarkedUtf16(start);
  if (!encoding && isBinary(start)) return { problem: 'it is not a text but binary data' };
  const text = encoding ? decoded(bytes, encoding) : (decodedUtf8(bytes) ?? decoded(bytes, declared(start)));
  return text.trim() === '' ? { problem: 'it is empty' } : { text };
}

const markedEncoding = (bytes: Uint8Array): string | undefined =>
  MARKS.find(([, mark]) => mark.every((byte, index) => bytes[index] === byte))?.[0];

// In most scripts of UTF-16, one byte of each space, digit and line break is zero, and in Latin one of each letter.
function unmarkedUtf16(bytes: Uint8Array): string | undefined {
  const zeros = [0, 0];
  for (const [index, byte] of bytes.entries()) if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  const enough = (bytes.length / 2) * ZEROS_OF_UTF_16;
  const encoding = odd > enough && even === 0 ? 'utf-16le' : even > enough && odd === 0 ? 'utf-16be' : undefined;
  return encoding !== undefined && !CONTROL.test(decoded(bytes, encoding)) ? encoding : undefined;
}

// Text has no zeros, and hardly any control characters other than tabs, line ends, form feeds and escapes.
function isBinary(bytes: Uint8Array): boolean {
  let controls = 0;
  for (const byte of bytes) {
    if (byte === 0) return true;
    if (byte < 32 && byte !== 9 && byte !== 10 && byte !== 12 && byte !== 13 && byte !== 27) controls += 1;
  }
  return controls > bytes.length / 20;
}

const decoded = (bytes: Uint8Array, encoding: string): string => new TextDecoder(encoding).decode(bytes);

function decodedUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

// The file is not UTF-8, regardless of its declaration.
function declared(start: Uint8Array): string {
  const [, inMeta, inXml] = DECLARED.exec(decoded(start, WESTERN)) ?? [];
  try {
    const { encoding } = new TextDecoder(inMeta ?? inXml ?? WESTERN);
    return encoding.startsWith('utf-') ? WESTERN : encoding;
  } catch {
    return WESTERN; // not a known encoding
  }
}
