export const IMPORTED_TYPES = ['markdown', 'text', 'html', 'asciidoc', 'restructuredtext'] as const;
export type ImportedType = (typeof IMPORTED_TYPES)[number];

const TYPES: Record<string, ImportedType> = {
  md: 'markdown',
  markdown: 'markdown',
  mdown: 'markdown',
  txt: 'text',
  text: 'text',
  mdx: 'markdown',
  rst: 'restructuredtext',
  rest: 'restructuredtext',
  adoc: 'asciidoc',
  asciidoc: 'asciidoc',
  asc: 'asciidoc',
  html: 'html',
  htm: 'html',
};

/** Returns the type of a file by its extension; null when such files can't be imported. */
export function typeOfPath(path: string): ImportedType | null {
  const extension = /\.([a-z]+)$/i.exec(path)?.[1]?.toLowerCase() ?? '';
  return TYPES[extension] ?? null;
}

/** Returns whether reading such files needs a library. */
export const isBinaryPath = (path: string): boolean => /\.(?:pdf|docx|epub)$/i.test(path);

/** The bytes at the beginning in which a PDF says what it is. */
const SNIFFED_BYTES = 1_024;

export const isPdf = (bytes: Uint8Array): boolean =>
  new TextDecoder('latin1').decode(bytes.subarray(0, SNIFFED_BYTES)).includes('%PDF-');

/** Returns whether bytes are a ZIP archive, as DOCX and EPUB are. */
export const isArchive = (bytes: Uint8Array): boolean =>
  bytes[0] === 0x50 && bytes[1] === 0x4b && ((bytes[2] === 3 && bytes[3] === 4) || (bytes[2] === 5 && bytes[3] === 6));

/** Returns whether bytes may be of a format that only a library can read. */
export const needsLibrary = (bytes: Uint8Array): boolean => isPdf(bytes) || isArchive(bytes);
