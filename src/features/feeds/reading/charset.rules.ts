/** How much of a document's beginning is searched for a declaration of its encoding. */
const DECLARATION_BYTES = 1024;
const DECLARED_IN_XML = /^\s*<\?xml[^>]*\sencoding\s*=\s*["']([\w.:-]+)["']/i;
const DECLARED_IN_HTML = /<meta[^>]+charset\s*=\s*["']?([\w.:-]+)/i;
const DECLARED_IN_HEADER = /charset\s*=\s*["']?([\w.:-]+)/i;
const BYTE_ORDER_MARKS: readonly [string, readonly number[]][] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16be', [0xfe, 0xff]],
  ['utf-16le', [0xff, 0xfe]],
];

/**
 * Decodes a document. Servers and documents often declare the wrong encoding, so valid UTF-8 is decoded as UTF-8 regardless of
 * the declaration.
 */
export function decodeDocument(bytes: Uint8Array, contentType: string | undefined): string {
  const marked = BYTE_ORDER_MARKS.find(([, mark]) => mark.every((byte, index) => bytes[index] === byte));
  if (marked) return new TextDecoder(marked[0]).decode(bytes);
  if (bytes[0] === 0 && bytes[1] !== 0) return new TextDecoder('utf-16be').decode(bytes);
  if (bytes[0] !== 0 && bytes[1] === 0) return new TextDecoder('utf-16le').decode(bytes);
  const decoders = declaredEncodings(bytes, contentType).flatMap(decoderOf);
  const stateful = decoders.find(({ encoding }) => encoding.startsWith('iso-2022')); // its bytes are all ASCII, so they would pass as UTF-8
  return stateful?.decode(bytes) ?? decodedUtf8(bytes) ?? (decoders.find(isNotUtf8) ?? WESTERN).decode(bytes);
}

const WESTERN = new TextDecoder('windows-1252');
const isNotUtf8 = ({ encoding }: TextDecoder): boolean => !encoding.startsWith('utf-');

function decodedUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function declaredEncodings(bytes: Uint8Array, contentType = ''): string[] {
  const start = WESTERN.decode(bytes.subarray(0, DECLARATION_BYTES));
  const declarations = [
    DECLARED_IN_HEADER.exec(contentType),
    DECLARED_IN_XML.exec(start),
    DECLARED_IN_HTML.exec(start),
  ];
  return declarations.flatMap((declared) => declared?.[1] ?? []);
}

function decoderOf(label: string): TextDecoder[] {
  try {
    return [new TextDecoder(label)];
  } catch {
    return []; // not a known encoding
  }
}
