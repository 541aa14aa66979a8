import { UnsupportedUrl } from './outgoing-http.errors.js';

/** One request on the way to the final response. */
export interface Hop {
  url: URL;
  method: string;
  headers: Record<string, string>;
  body: string | Uint8Array | null;
}

const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308];
const OF_THE_BODY = /^content-/i;
// Any other header of a workflow may contain a secret, whatever its name.
const HARMLESS =
  /^(accept|accept-(encoding|language)|content-(type|language)|user-agent|if-(none-match|modified-since)|idempotency-key)$/i;

export function isRedirect(status: number, location: string | undefined): location is string {
  return location !== undefined && REDIRECTS.includes(status);
}

/** Returns the request that follows a redirect. Only headers without credentials go to another origin. @throws UnsupportedUrl */
export function followRedirect(hop: Hop, status: number, location: string): Hop {
  const url = parseHttpUrl(decodedLocation(location), hop.url);
  const becomesGet = status === 303 ? hop.method !== 'HEAD' : status < 303 && hop.method === 'POST';
  const headers = Object.entries(hop.headers).filter(([name]) => {
    if (becomesGet && OF_THE_BODY.test(name)) return false;
    return url.origin === hop.url.origin || HARMLESS.test(name);
  });
  return {
    url,
    method: becomesGet ? 'GET' : hop.method,
    headers: Object.fromEntries(headers),
    body: becomesGet ? null : hop.body,
  };
}

/** @throws UnsupportedUrl */
export function parseHttpUrl(text: string, base?: URL): URL {
  const url = URL.parse(text, base);
  if (!url) throw new UnsupportedUrl(text, 'it is not a URL');
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new UnsupportedUrl(text, 'only http: and https: are requested');
  }
  // The message omits it, because it may be a password.
  if (url.username || url.password) throw new UnsupportedUrl(url.host, 'leave out the user name and password');
  url.hash = ''; // is not sent, so it distinguishes nothing
  return url;
}

// Headers are read as Latin-1, but servers that do not escape their URLs send UTF-8.
function decodedLocation(location: string): string {
  const bytes = Buffer.from(location, 'latin1');
  const text = bytes.toString('utf8');
  return text.includes('\uFFFD') ? location : text;
}
