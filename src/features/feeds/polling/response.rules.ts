import { STATUS_CODES } from 'node:http';
import type { OutgoingResponse } from '../../../platform/outgoing-http/outgoing-http.service.js';
import { retryAfterMs } from '../../../platform/outgoing-http/retry-after.rules.js';
import { MAX_URL_CHARACTERS } from '../store/feed-url.rules.js';
import type { Feed } from '../store/feed.js';
import { hashOf } from '../reading/identity.rules.js';
import type { DocumentReading, ReadDocument } from '../reading/reading.rules.js';

/** The last document that was read, as far as a conditional request needs it. */
export type KnownDocument = Pick<Feed, 'url' | 'etag' | 'lastModified' | 'documentHash'>;

/** A document that differs from the known one and is still to be read. */
type OtherDocument = { kind: 'other'; maxAgeMs: number | null } & KnownDocument;

export type FetchResult =
  | ({ kind: 'document'; document: ReadDocument; maxAgeMs: number | null } & KnownDocument)
  | ({ kind: 'unchanged'; maxAgeMs: number | null } & KnownDocument)
  /** A web page, and the feeds that it announces. */
  | { kind: 'page'; feedUrls: string[] }
  | { kind: 'gone'; error: string }
  | { kind: 'deferred'; retryAfterMs: number | null; error: string }
  | { kind: 'failed'; error: string };

/** Interprets a response as far as that is possible without reading its document; `other` = it must be read. */
export function readResponse(known: KnownDocument, response: OutgoingResponse, now: Date): FetchResult | OtherDocument {
  const { status, headers, body } = response;
  const error = `HTTP ${status} ${STATUS_CODES[status] ?? ''}`.trim();
  if (status === 410) return { kind: 'gone', error };
  if (status === 429 || status === 503) {
    return { kind: 'deferred', retryAfterMs: retryAfterMs(headers['retry-after'], now), error };
  }
  const maxAgeMs = maxAgeOf(headers['cache-control']);
  const url = movedTo(known.url, response.redirects);
  if (status === 304) return { ...known, kind: 'unchanged', url, maxAgeMs };
  if (status < 200 || status > 299) return { kind: 'failed', error };
  const documentHash = hashOf(body);
  const validators = { etag: headers.etag ?? null, lastModified: headers['last-modified'] ?? null };
  if (documentHash === known.documentHash) return { kind: 'unchanged', ...validators, documentHash, url, maxAgeMs };
  return { kind: 'other', ...validators, documentHash, url, maxAgeMs };
}

export function toFetchResult(other: OtherDocument, reading: DocumentReading): FetchResult {
  switch (reading.kind) {
    case 'document':
      return { ...other, ...reading };
    case 'page':
      return reading;
    case 'unknown':
      return { kind: 'failed', error: `it is not RSS, Atom or JSON Feed, but ${reading.description}` };
  }
}

/**
 * Returns the new URL of the feed: follows permanent redirects up to the first temporary one, to the last URL that is short
 * enough to be stored.
 */
function movedTo(url: string, redirects: OutgoingResponse['redirects']): string {
  const temporary = redirects.findIndex(({ status }) => status !== 301 && status !== 308);
  const permanent = temporary < 0 ? redirects : redirects.slice(0, temporary);
  return permanent.findLast(({ location }) => location.length <= MAX_URL_CHARACTERS)?.location ?? url;
}

function maxAgeOf(cacheControl = ''): number | null {
  const [, seconds] = /(?:^|[\s,])max-age\s*=\s*"?(\d{1,9})/i.exec(cacheControl) ?? [];
  return seconds === undefined || /no-cache|no-store/i.test(cacheControl) ? null : Number(seconds) * 1000;
}
