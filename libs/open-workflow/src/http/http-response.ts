import { parseBoundedJson } from '#bounded-json';
import type { Json, JsonObject } from '../json.js';
import { standardError, type WorkflowError } from '../workflow-error.js';
import type { HttpResponse } from '../workflow-host.js';
import type { MadeRequest } from './http-request.js';
import { retryAfterOf } from './retry-after.js';

/** Maximum nesting of JSON from other servers. */
const MAX_DEPTH = 100;
/** The request headers that may be shown; others may contain credentials. */
const SHOWN_HEADERS = ['accept', 'content-type', 'user-agent', 'idempotency-key'];

/** Returns the output of `call: http` for a response. @throws WorkflowError (communication) when the body does not match its type */
export function outputOf(format: Json | undefined, made: MadeRequest, response: HttpResponse): Json {
  const { body } = response;
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

/** Returns JSON parsed, texts as texts, and everything else in base64. */
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
  return isText(type) ? decoderOf(response).decode(body) : Buffer.from(body).toString('base64');
}

/**
 * Returns the error for a failed response, with its status, and when to retry if the server says so. Null = the request
 * succeeded.
 * @param at the current time, ISO 8601
 */
export function failureOf(made: MadeRequest, response: HttpResponse, at: string): WorkflowError | null {
  const { request, shown } = made;
  const { status, body } = response;
  if (status >= 200 && status < (request.followRedirects ? 400 : 300)) return null;
  const text = isText(contentTypeOf(response)) ? textOf(body.subarray(0, 1000)).trim() : '';
  const excerpt = text === '' ? '.' : `: ${text.slice(0, 300)}`;
  const retryAfter = retryAfterOf(response, at);
  return standardError(
    'communication',
    `${request.method} ${placeOf(shown)} was answered with status ${status}${excerpt}`,
    {
      status,
      ...(retryAfter !== undefined && { retryAfter }),
    },
  );
}

/** Returns a URL for people to read, without its query, which may contain credentials. */
export function placeOf(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}

const contentTypeOf = ({ headers }: HttpResponse): string =>
  (headers['content-type'] ?? '').replace(/;.*$/s, '').trim().toLowerCase();

const CHARSET = /;\s*charset\s*=\s*"?([^\s;"]+)/i;

/** UTF-8 unless the response names another charset that exists. */
function decoderOf({ headers }: HttpResponse): TextDecoder {
  const [, charset] = CHARSET.exec(headers['content-type'] ?? '') ?? [];
  try {
    return new TextDecoder(charset);
  } catch {
    return new TextDecoder();
  }
}

const isText = (type: string): boolean =>
  /^text\/|^application\/(?:json|xml|yaml|javascript|x-www-form-urlencoded)$|\+(?:json|xml|yaml)$/.test(type);

const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
