import { Injectable } from '@nestjs/common';
import { AppError } from '../../../platform/errors/app-error.js';
import { OutgoingHttp } from '../../../platform/outgoing-http/outgoing-http.service.js';
import { FeedItemStore } from '../store/feed-item.store.js';
import { ReadingStopped } from '../store/feeds.errors.js';
import { FeedReader } from '../reading/reader.service.js';
import { type FetchResult, type KnownDocument, readResponse, toFetchResult } from './response.rules.js';

const ACCEPT =
  'application/atom+xml, application/rss+xml, application/feed+json, application/rdf+xml;q=0.9, ' +
  'application/xml;q=0.8, text/xml;q=0.8, application/json;q=0.7, text/html;q=0.5, */*;q=0.1';
const TIMEOUT_MS = 30_000;
const MAX_BYTES = 10 * 1024 * 1024;

/** A document to fetch. `id` is that of its feed; null = not subscribed yet. */
export type FetchedDocument = KnownDocument & { id: string | null };

/** Fetches the documents of feeds; asks servers not to send again what has not changed. */
@Injectable()
export class FeedFetcher {
  constructor(
    private readonly http: OutgoingHttp,
    private readonly reader: FeedReader,
    private readonly items: FeedItemStore,
  ) {}

  /** Like `fetch`, but returns what is wrong with the server or the document. @throws ReadingStopped, and the reason of the signal */
  async attempt(known: FetchedDocument, now: Date, signal: AbortSignal): Promise<FetchResult> {
    try {
      return await this.fetch(known, now, signal);
    } catch (error) {
      if (!(error instanceof AppError) || error instanceof ReadingStopped) throw error;
      return { kind: 'failed', error: error.message };
    }
  }

  /** Fetches and reads one document. @throws DocumentNotRead, ReadingStopped, and the errors of OutgoingHttp */
  async fetch(known: FetchedDocument, now: Date, signal: AbortSignal): Promise<FetchResult> {
    const { url, etag, lastModified } = known;
    const response = await this.http.fetch(url, {
      accept: ACCEPT,
      headers: {
        ...(etag && { 'if-none-match': etag }),
        ...(lastModified && { 'if-modified-since': lastModified }),
      },
      signal,
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
    });
    const result = readResponse(known, response, now);
    if (result.kind !== 'other') return result;
    const revisions = known.id === null ? new Map<string, string>() : await this.items.revisions(known.id);
    const { body: bytes, headers, url: origin } = response;
    const source = { bytes, contentType: headers['content-type'], url: origin, revisions };
    return toFetchResult(result, await this.reader.read(source, signal));
  }
}
