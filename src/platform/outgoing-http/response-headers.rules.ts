import type { IncomingHttpHeaders } from 'node:http';

/** Headers with a single value; for duplicates, the first counts, as in node:http. */
const SINGLE = new Set(
  (
    'age authorization content-length content-type etag expires from host if-modified-since if-unmodified-since ' +
    'last-modified location max-forwards proxy-authorization referer retry-after server user-agent'
  ).split(' '),
);

/** Returns headers with one text per name, except for Set-Cookie. */
export function toIncomingHeaders(headers: Record<string, string | string[] | undefined>): IncomingHttpHeaders {
  const entries = Object.entries(headers).map(([name, value = '']) => [name, valueOf(name, [value].flat())]);
  return Object.fromEntries(entries) as IncomingHttpHeaders;
}

function valueOf(name: string, values: string[]): string | string[] | undefined {
  if (name === 'set-cookie') return values;
  return SINGLE.has(name) ? values[0] : values.join(', ');
}
