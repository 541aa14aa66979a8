import type { IncomingHttpHeaders } from 'node:http';

/** The site of a request's origin as the browser reports it; `unknown` without a browser, or with a very old one. */
export type RequestSite = 'same' | 'cross' | 'unknown';

export function siteOf(headers: IncomingHttpHeaders): RequestSite {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' || site === 'none' ? 'same' : 'cross';
  if (headers.origin === undefined) return 'unknown';
  return URL.canParse(headers.origin) && new URL(headers.origin).host === headers.host ? 'same' : 'cross';
}

export const isSafeMethod = (method: string): boolean => ['GET', 'HEAD', 'OPTIONS'].includes(method);
