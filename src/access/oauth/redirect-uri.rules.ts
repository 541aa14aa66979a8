const LOOPBACKS: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);
/** Schemes that a browser executes or displays instead of passing them to a program. */
const NEVER: ReadonlySet<string> = new Set(
  ['javascript', 'vbscript', 'data', 'blob', 'file', 'about', 'ftp', 'ws', 'wss', 'mailto', 'view-source'].map(
    (scheme) => `${scheme}:`,
  ),
);
const LONGEST = 2_000;

/** The host of a URL, as `URL` writes it. */
const isLoopback = (hostname: string): boolean => LOOPBACKS.has(hostname);

/** Returns why a URI cannot be a redirect URI; null when it can (RFC 8252, RFC 9700). */
export function redirectUriProblem(uri: string): string | null {
  if (uri.length > LONGEST) return `has more than ${LONGEST} characters`;
  // Browsers drop or change such characters, so the URI would lead to another place than it seems to.
  if (!/^[!-~]+$/.test(uri) || /[\\<>"^`{|}]/.test(uri)) return 'has characters that no URI has';
  const url = URL.parse(uri);
  if (!url) return 'is no absolute URI';
  if (uri.includes('#')) return 'has a fragment';
  if (url.username !== '' || url.password !== '') return 'has a user name or a password';
  if (uri.includes('*')) return 'has a wildcard';
  if (NEVER.has(url.protocol)) return `has the scheme ${url.protocol.slice(0, -1)}, which no program handles`;
  if (url.protocol === 'https:') return null;
  if (url.protocol !== 'http:') return null;
  return isLoopback(url.hostname)
    ? null
    : 'has the scheme http: only https, or this machine (localhost, 127.0.0.1, [::1]), is safe';
}

/** Returns whether all URIs belong to programs on the person's machine: private schemes or loopback addresses. */
export const isNative = (uris: readonly string[]): boolean =>
  uris.length > 0 && uris.every((uri) => isOfThisMachine(URL.parse(uri)));

/** Returns whether a redirect URI is registered; on loopback, the port may differ (RFC 8252, section 7.3). */
export function isRegistered(uri: string, registered: readonly string[]): boolean {
  if (registered.includes(uri)) return true;
  if (redirectUriProblem(uri) !== null) return false;
  const wanted = withoutPort(uri);
  return wanted !== null && registered.some((one) => withoutPort(one) === wanted);
}

/** Returns the part of a redirect URI that shows a person where it leads: its host, or its scheme if it has none. */
export function placeOf(uri: string): string {
  const url = URL.parse(uri);
  if (!url) return uri;
  if (url.protocol === 'https:') return url.host;
  return url.protocol === 'http:' ? url.hostname : url.protocol.slice(0, -1);
}

/** Returns whether a `client_id` is the address of a metadata document. */
export const isDocumentUrl = (id: string): boolean => /^https:\/\//i.test(id);

function isOfThisMachine(url: URL | null): boolean {
  if (!url) return false;
  return url.protocol === 'http:' ? isLoopback(url.hostname) : url.protocol !== 'https:';
}

/** Returns a loopback URI without its port; null for others. */
function withoutPort(uri: string): string | null {
  const url = URL.parse(uri);
  if (url?.protocol !== 'http:' || !isLoopback(url.hostname)) return null;
  url.port = '';
  return url.href;
}
