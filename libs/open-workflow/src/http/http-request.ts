import { type Json, type JsonObject, objectOf, textOf } from '../json.js';
import type { SecretEffect } from '../secret-effect.js';
import type { TaskRun } from '../task-run.js';
import { textsOf } from '../templates.js';
import type { HttpRequest } from '../workflow-host.js';
import { standardError } from '../workflow-error.js';
import { REDACTED } from '../used-secrets.js';
import { authorizationOf } from './authentication.js';
import { expandUri } from './uri-template.js';

/** A request, and its URL as people may see it. */
export interface MadeRequest {
  request: HttpRequest;
  /** Without path and query where these may hold a secret, which an address can hold in more forms than can be removed. */
  shown: string;
}

/** Makes the request that the arguments of `call: http` describe. */
export async function requestOf(args: JsonObject, run: TaskRun, effect: SecretEffect): Promise<MadeRequest> {
  const { endpoint = null, ...others } = args;
  const { uri, authentication } = typeof endpoint === 'string' ? { uri: endpoint } : objectOf(endpoint);
  // First, because what is said about an expression is hidden once the step has used a secret.
  const address = await uriOf(uri, run, effect);
  const {
    method,
    headers,
    query,
    body = null,
    redirect,
  } = objectOf(await effect.sent.evaluation.template(others, run.input));
  const isShown = !mentionsSecrets([uri ?? null, args.query ?? null]);
  const url = urlOf(address, objectOf(query), isShown);
  const sent = headersOf(objectOf(headers));
  if (authentication !== undefined) sent.authorization = await authorizationOf(authentication, run, effect);
  assertSendable(sent);
  const request = {
    method: methodOf(method ?? 'get'),
    url,
    headers: sent,
    body: bodyOf(body, sent),
    followRedirects: redirect === true,
  };
  return { request, shown: isShown ? url : `${new URL(url).origin}/${REDACTED}` };
}

const mentionsSecrets = (written: Json): boolean => textsOf(written).some((text) => text.includes('secrets'));

/** Only what the definition itself says is a template; what comes of an expression is data. */
async function uriOf(uri: Json | undefined, run: TaskRun, { sent }: SecretEffect): Promise<string> {
  if (typeof uri !== 'string') throw standardError('configuration', 'The endpoint needs a `uri`.');
  const value = await sent.evaluation.template(uri, run.input);
  if (value === uri) return expandUri(uri, run.input);
  if (typeof value === 'string') return value;
  throw standardError('expression', 'The `uri` of the endpoint must be a text.');
}

function urlOf(uri: string, query: JsonObject, isShown: boolean): string {
  const url = URL.parse(uri);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    // A text that is shortened may hold a part of a secret.
    const what = isShown ? uri.slice(0, 500) : 'The `uri` of the endpoint';
    throw standardError('configuration', `${what} is no absolute http or https URL.`);
  }
  for (const [name, value] of Object.entries(query))
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== null && one !== undefined) url.searchParams.append(name, textOf(one));
  return url.href;
}

/** Names in lower case. */
function headersOf(headers: JsonObject): Record<string, string> {
  const entries = Object.entries(headers).flatMap(([name, value]) =>
    value === null || value === undefined ? [] : [[name.toLowerCase(), textOf(value)] as const],
  );
  return Object.fromEntries(entries);
}

/** What a name in the head of a request consists of (RFC 9110, 5.6.2). */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const NOT_IN_VALUE = /[^\t\x20-\x7e\x80-\xff]/;

/** @throws WorkflowError (validation), which no policy for what happens on the way to a server tries again */
function methodOf(method: Json): string {
  const sent = textOf(method).toUpperCase();
  if (TOKEN.test(sent) && sent !== 'CONNECT') return sent;
  throw standardError('validation', 'The `method` of the request must be one of HTTP, such as get or post.');
}

/** @throws WorkflowError (validation) without the value, which may be a secret */
function assertSendable(headers: Record<string, string>): void {
  for (const [name, value] of Object.entries(headers)) {
    if (!TOKEN.test(name))
      throw standardError(
        'validation',
        `${JSON.stringify(name.slice(0, 100))} is not a name that an HTTP header can have.`,
      );
    if (!NOT_IN_VALUE.test(value)) continue;
    const detail = `The header ${name} has a character that HTTP headers can't have, such as a line break: remove or encode it.`;
    throw standardError('validation', detail);
  }
}

/** A text is sent as it is, unless it is to be JSON; all else is sent as JSON. Adds the content type if there is none. */
function bodyOf(body: Json, headers: Record<string, string>): string | null {
  if (body === null) return null;
  const type = headers['content-type'];
  if (typeof body === 'string' && !type?.includes('json')) {
    headers['content-type'] ??= 'text/plain; charset=utf-8';
    return body;
  }
  headers['content-type'] ??= 'application/json';
  return JSON.stringify(body);
}
