import { Injectable } from '@nestjs/common';
import { OutgoingHttp } from '../../platform/outgoing-http/outgoing-http.service.js';
import { normalMetadata } from './program-metadata.rules.js';

const MOST_BYTES = 10_240;
const TIMEOUT_MS = 5_000;

/** Reads the metadata documents of programs (draft-ietf-oauth-client-id-metadata-document-00), through the guarded client. */
@Injectable()
export class ProgramDocuments {
  constructor(private readonly http: OutgoingHttp) {}

  /** Returns the response of a server, as `fetch` does, with normalised metadata. Follows no redirects. */
  readonly fetch: typeof fetch = async (url, options) => {
    const address = url instanceof Request ? url.url : url.toString();
    const { status, headers, body } = await this.http.fetch(address, {
      signal: options?.signal ?? new AbortController().signal,
      timeoutMs: TIMEOUT_MS,
      maxBytes: MOST_BYTES,
      followsRedirects: false,
      accept: 'application/json',
    });
    const kept = ['cache-control', 'expires'].flatMap((name) => {
      const value = headers[name];
      return typeof value === 'string' ? [[name, value] as [string, string]] : [];
    });
    return new Response(status === 200 ? normalDocument(body.toString()) : null, { status, headers: kept });
  };
}

/** Normalises a document for the authorization server; invalid parts stay, so that the server refuses them. */
function normalDocument(text: string): string {
  const document: unknown = JSON.parse(text);
  if (typeof document !== 'object' || document === null || Array.isArray(document)) return text;
  const { client_id, client_secret } = document as Record<string, unknown>;
  return JSON.stringify({ ...normalMetadata(document as Record<string, unknown>), client_id, client_secret });
}
