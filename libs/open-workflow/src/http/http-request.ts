import { isObject, type Json, type JsonObject, objectOf, textOf } from '../json.js';
import type { SecretEffect } from '../secret-effect.js';
import type { TaskRun } from '../task-run.js';
import { textsOf } from '../templates.js';
import type { HttpRequest } from '../workflow-host.js';
import { standardError } from '../workflow-error.js';
import { REDACTED } from '../used-secrets.js';
import { authorizationOf } from './authentication.js';
import { expandUri } from './uri-template.js';

/** Maximum characters of a URL. Servers take less, and Node parses a query in quadratic time. */
const LONGEST_URL = 65_536;

/** A request, and its URL in a form that may be shown. */
export interface MadeRequest {
  request: HttpRequest;
  /** Without path and query if these may contain a secret: in a URL, a secret can have more forms than can be removed. */
  shown: string;
}

/** Builds the request from the arguments of `call: http`. */
export async function requestOf(args: JsonObject, run: TaskRun, effect: SecretEffect): Promise<MadeRequest> {
  const { endpoint = null, ...others } = args;
  const { uri, authentication } = typeof endpoint === 'string' ? { uri: endpoint } : objectOf(endpoint);
  // First, because errors of expressions are hidden once the step has used a secret.
  const address = await uriOf(uri, run, effect);
  const {
    method,
    headers,
    query,
    body = null,
    redirect,
  } = objectOf(await effect.sent.evaluation.template(others, run.input));
  const isShown = !mentionsSecrets([uri ?? null, args.query ?? null]);
  const url = urlOf(address, namedValuesOf('query', query), isShown);
  const sent = headersOf(namedValuesOf('headers', headers));
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

/** Only a literal in the definition is a template; the result of an expression is data. */
async function uriOf(uri: Json | undefined, run: TaskRun, { sent }: SecretEffect): Promise<string> {
  if (typeof uri !== 'string') throw standardError('configuration', 'The endpoint needs a `uri`.');
  const value = await sent.evaluation.template(uri, run.input);
  if (value === uri) return expandUri(uri, run.input);
  if (typeof value === 'string') return value;
  throw standardError('expression', 'The `uri` of the endpoint must be a text.');
}

/** Anything but an object would be left out of the request. @throws WorkflowError (validation) */
function namedValuesOf(part: 'query' | 'headers', values: Json = null): JsonObject {
  if (values === null) return {};
  if (isObject(values)) return values;
  const found = Array.isArray(values) ? 'a list' : typeof values;
  throw standardError('validation', `The \`${part}\` of the request must be an object, not ${found}.`);
}

function urlOf(uri: string, query: JsonObject, isShown: boolean): string {
  const url = URL.parse(uri);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    // A shortened text may contain a part of a secret.
    const what = isShown ? uri.slice(0, 500) : 'The `uri` of the endpoint';
    throw standardError('configuration', `${what} is no absolute http or https URL.`);
  }
  const parameters = Object.entries(query).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).flatMap((one) =>
      one === null || one === undefined ? [] : [[name, textOf(one)] as const],
    ),
  );
  // Before they are added: each takes two characters at least.
  if (uri.length + 2 * parameters.length > LONGEST_URL) throw tooLong();
  for (const [name, value] of parameters) url.searchParams.append(name, value);
  if (url.href.length > LONGEST_URL) throw tooLong();
  return url.href;
}

const tooLong = () =>
  standardError(
    'validation',
    `The URL of the request has more than ${LONGEST_URL} characters: send long data in the body.`,
  );

/** Converts header names to lower case. */
function headersOf(headers: JsonObject): Record<string, string> {
  const entries = Object.entries(headers).flatMap(([name, value]) =>
    value === null || value === undefined ? [] : [[name.toLowerCase(), textOf(value)] as const],
  );
  return Object.fromEntries(entries);
}

/** The characters of method and header names (RFC 9110, 5.6.2). */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const NOT_IN_VALUE = /[^\t\x20-\x7e\x80-\xff]/;

/** @throws WorkflowError (validation), which retry policies for communication errors do not retry */
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

/** Sends a text unchanged, unless JSON is required, and everything else as JSON. Adds a content type if there is none. */
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
