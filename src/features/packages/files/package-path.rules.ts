import { normalForm } from '../../../platform/text/normal-form.rules.js';

/** The limit of file systems, in bytes of UTF-8. */
const LONGEST_PART = 255;
const LONGEST_PATH = 1_000;
const CONTROL = /\p{Cc}/u;
/** What Windows refuses: these characters, a dot or space at the end, and the names of devices, with any extension. */
const REFUSED_BY_WINDOWS = /[<>:"|?*]|[. ]$|^(?:con|prn|aux|nul|com[1-9]|lpt[1-9])(?: *\.|$)/i;

/** Returns what is wrong with the path of a file in a package; null when it can be served and unpacked anywhere. */
export function pathProblem(path: string): string | null {
  if (path.length > LONGEST_PATH) return `the path is longer than ${LONGEST_PATH} characters`;
  if (path.includes('\\')) return 'the path has a backslash: put / between folders';
  if (path.startsWith('/') || /^[a-z]:/i.test(path)) return 'the path is absolute: it must begin in the package';
  if (CONTROL.test(path)) return 'the path has a control character';
  if (!path.isWellFormed()) return 'the path is not valid Unicode';
  for (const part of path.split('/')) {
    if (part === '') return 'a part of the path is empty';
    if (part === '.' || part === '..') return `the path has the part "${part}": files must be inside the package`;
    if (Buffer.byteLength(part) > LONGEST_PART) return `a part of the path is longer than ${LONGEST_PART} bytes`;
    if (REFUSED_BY_WINDOWS.test(part))
      return `Windows accepts no file or folder named ${JSON.stringify(part)}: rename it`;
  }
  return null;
}

/** Returns the path with composed accents: macOS decomposes them, and a client asks for the one or the other. */
export const composed = (path: string): string => normalForm(path, 'NFC');

/** Returns a key that is equal for paths that some systems treat as the same file, because they ignore case or compose accents. */
export const pathKey = (path: string): string => normalForm(path, 'NFKC').toLowerCase();

/** Copies of Vim (`a~`) and Emacs (`#a#`), locks of Word (`~$a`), and what the Finder adds to archives. */
const LEFT_BY_PROGRAMS = /~$|^#.+#$|^~\$|^__MACOSX$/;

/** Returns whether a path has a part that is hidden, such as `.git`, or left by a program: such files are not part of a package. */
export const isHidden = (path: string): boolean =>
  path
    .split('/')
    .some((part) => (part.startsWith('.') && part !== '.' && part !== '..') || LEFT_BY_PROGRAMS.test(part));

const URI = /^skill:\/\/([a-z0-9-]{1,64})(?:\/(.*))?$/is;

/** Returns the URI of a file of a package; or of its folder, without a path. */
export const packageUri = (name: string, path?: string): string =>
  `skill://${name}${path === undefined ? '' : `/${path.split('/').map(encodeURIComponent).join('/')}`}`;

/** Parses the URI of a file or folder of a package; null when it is invalid. An empty path is the package. */
export function parsePackageUri(uri: string): { name: string; path: string } | null {
  const [, name, path = ''] = URI.exec(uri) ?? [];
  if (name === undefined || path.length > 3 * LONGEST_PATH) return null;
  try {
    const parts = path.split('/').map(decodeURIComponent);
    if (path !== '' && parts.some((part) => part.includes('/'))) return null;
    return { name: name.toLowerCase(), path: composed(parts.join('/')) };
  } catch {
    return null;
  }
}

const TYPES: Readonly<Record<string, string>> = {
  md: 'text/markdown',
  txt: 'text/plain',
  csv: 'text/csv',
  html: 'text/html',
  css: 'text/css',
  js: 'text/javascript',
  mjs: 'text/javascript',
  ts: 'text/x-typescript',
  py: 'text/x-python',
  sh: 'application/x-sh',
  json: 'application/json',
  yaml: 'application/yaml',
  yml: 'application/yaml',
  toml: 'application/toml',
  xml: 'application/xml',
  svg: 'image/svg+xml',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  pdf: 'application/pdf',
  zip: 'application/zip',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
};

/** Returns the MIME type of a file. @param isText true when its bytes are UTF-8 text */
export function mimeTypeOf(path: string, isText: boolean): string {
  const extension = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
  const known = path.includes('.') && Object.hasOwn(TYPES, extension) ? TYPES[extension] : undefined;
  return known ?? (isText ? 'text/plain' : 'application/octet-stream');
}
