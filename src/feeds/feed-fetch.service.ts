import { Injectable } from '@nestjs/common';
import { OutgoingHttp } from '../http/outgoing-http.service.js';
import { FeedReader } from './feed-reader.service.js';
import { type FetchResult, type KnownDocument, readResponse } from './feed-response.rules.js';

const ACCEPT =
  'application/atom+xml, application/rss+xml, application/feed+json, application/rdf+xml;q=0.9, ' +
  'application/xml;q=0.8, text/xml;q=0.8, application/json;q=0.7, text/html;q=0.5, */*;q=0.1';
const TIMEOUT_MS = 30_000;
const MAX_BYTES = 10 * 1024 * 1024;

/** Fetches documents of feeds; those that did not change are not sent again. */
@Injectable()
export class FeedFetcher {
  constructor(
    private readonly http: OutgoingHttp,
    private readonly reader: FeedReader,
  ) {}

  /** @throws the errors of OutgoingHttp and of FeedReader */
  async fetch(known: KnownDocument, now: Date, signal: AbortSignal): Promise<FetchResult> {
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
    const meaning = readResponse(known, response, now);
    if (meaning.kind !== 'content') return meaning;
    const { body, headers } = response;
    const read = await this.reader.read({ bytes: body, contentType: headers['content-type'], url: response.url });
    switch (read.kind) {
      case 'feed':
        return { ...meaning, kind: 'document', document: read.feed };
      case 'page':
        return read;
      case 'neither':
        return { kind: 'failed', error: read.error };
    }
  }
}
