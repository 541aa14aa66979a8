import { parseBoundedJson } from '#bounded-json';
import type { Json, JsonObject } from '../json.js';
import { standardError } from '../workflow-error.js';
import type { HttpResponse } from '../workflow-host.js';
import type { MadeRequest } from './http-request.js';

/** How deep the JSON of other servers may be nested. */
const MAX_DEPTH = 100;
/** A day, in seconds. */
const LONGEST_RETRY_AFTER = 86_400;
/** These are shown of a request; others may hold credentials. */
const SHOWN_HEADERS = ['accept', 'content-type', 'user-agent', 'idempotency-key'];

/**
 * Returns what `call: http` gives for a response.
 * @throws WorkflowError (communication) with the status of the response, if that says that the request failed
 */
export function outputOf(format: Json | undefined, made: MadeRequest, response: HttpResponse): Json {
  const { status, body } = response;
  if (status < 200 || status >= (made.request.followRedirects ? 400 : 300)) throw refused(made, response);
  switch (format ?? 'content') {
    case 'raw':
      return Buffer.from(body).toString('base64');
    case 'response':
      return describe(made, response);
    default:
      return contentOf(response);
  }
}

function describe({ request: { method, headers }, shown }: MadeRequest, response: HttpResponse): JsonObject {
  const some = Object.entries(headers).filter(([name]) => SHOWN_HEADERS.includes(name));
  return {
    request: { method, uri: shown, headers: Object.fromEntries(some) },
    statusCode: response.status,
    headers: response.headers,
    content: contentOf(response),
  };
}

/** Returns JSON as what it says, texts as texts, and everything else in base64. */
function contentOf(response: HttpResponse): Json {
  const { body } = response;
  if (body.length === 0) return null;
  const type = contentTypeOf(response);
  if (/^application\/json$|\+json$/.test(type)) {
    const parsed = parseBoundedJson(body, MAX_DEPTH);
    if ('value' in parsed) return parsed.value as Json;
    const reason = parsed.problem === 'not_json' ? 'is not JSON' : `is nested deeper than ${MAX_DEPTH} levels`;
    throw standardError('communication', `The content of the response ${reason}, though its type is ${type}.`);
  }
  return isText(type) ? textOf(body) : Buffer.from(body).toString('base64');
}

function refused({ request: { method }, shown }: MadeRequest, response: HttpResponse) {
  const { status, body } = response;
  const text = isText(contentTypeOf(response)) ? textOf(body.subarray(0, 1000)).trim() : '';
  const said = text === '' ? '.' : `: ${text.slice(0, 300)}`;
  const retryAfter = status === 429 || status === 503 ? retryAfterOf(response) : null;
  return standardError('communication', `${method} ${placeOf(shown)} was answered with status ${status}${said}`, {
    status,
    ...(retryAfter !== null && { retryAfter }),
  });
}

/** Returns after how many seconds to try again, as the other side asks (RFC 9110, 10.2.3); null when it does not say. */
function retryAfterOf({ headers }: HttpResponse): number | null {
  const written = headers['retry-after']?.trim() ?? '';
  const seconds = /^\d{1,9}$/.test(written) ? Number(written) : (Date.parse(written) - Date.now()) / 1_000;
  return Number.isNaN(seconds) ? null : Math.min(LONGEST_RETRY_AFTER, Math.max(0, Math.ceil(seconds)));
}

/** Returns a URL for people to read, without its query, which may hold credentials. */
export function placeOf(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}

const contentTypeOf = ({ headers }: HttpResponse): string =>
  (headers['content-type'] ?? '').replace(/;.*$/s, '').trim().toLowerCase();

const isText = (type: string): boolean =>
  /^text\/|^application\/(?:json|xml|yaml|javascript|x-www-form-urlencoded)$|\+(?:json|xml|yaml)$/.test(type);

const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
