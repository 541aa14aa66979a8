import { gzipSync } from 'node:zlib';
import { mutate } from '../fuzz/mutate-json.js';
import type { Random } from '../fuzz/random.js';
import type { Operation, RequestParts } from './operations.js';

/** A request as sent over the wire. */
export interface WrittenRequest {
  operation: Operation;
  method: string;
  /** Including the query. */
  url: string;
  headers: Record<string, string>;
  body: Buffer | null;
}

type Malform = (random: Random, request: WrittenRequest) => WrittenRequest;

/** Strings to insert into the path or the query, already encoded. */
const STRANGE = [
  '%00',
  '%ff',
  '%',
  '%zz',
  '%ed%a0%80',
  '%C0%AF',
  '%2e%2e%2f',
  '%F0%9F%91%A9',
  '%E2%80%AE',
  '..',
  '.',
  '*',
  '__proto__',
  'constructor',
  '9007199254740993',
  '1e400',
  '-1',
  'null',
  '%0d%0aX:%20y',
  'x'.repeat(300),
  'x'.repeat(9_000),
  '%CC%81'.repeat(500),
] as const;

const QUERIES = [
  'limit=1&limit=2',
  'limit[]=1',
  'limit[a]=1',
  'q[a]=1',
  'q=a&q=b',
  'q[__proto__][x]=1',
  '__proto__=1',
  'constructor=1',
  'cursor=WyJhIl0',
  'cursor=WzFd',
  'cursor=bnVsbA',
  'cursor=WyJcdTAwMDAiXQ',
  'cursor=WyJcdWQ4MDAiLCJcdWQ4MDAiXQ',
  'cursor=%%%',
  'limit=1e400',
  'limit=0x10',
  'limit=9007199254740993',
  'limit=',
  'limit',
  '&&&=',
  'q=%22%22%22%22',
  'tag=%00',
  'namespace=..%2f',
  `q=${'word+'.repeat(2_000)}`,
  `q=${'%F0%9F%91%A9%E2%80%8D'.repeat(15)}`,
] as const;

const TYPES = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/json; charset=utf-16',
  'application/json;charset="utf-8"',
  'application/jsonx',
  'APPLICATION/JSON',
  'application/json, application/json',
  ';',
  '',
] as const;

const withQuery = (url: string, query: string): string => `${url}${url.includes('?') ? '&' : '?'}${query}`;
const withHeader = (request: WrittenRequest, name: string, value: string): WrittenRequest => ({
  ...request,
  headers: { ...request.headers, [name]: value },
});

const MALFORMS: readonly [Malform, ...Malform[]] = [
  function strangeInThePath(random, request) {
    const [path = '', query] = request.url.split('?');
    const parts = path.split('/');
    const at = random.integer(3, parts.length);
    parts[at] = random.chance(0.5) ? random.pick(STRANGE) : `${parts[at] ?? ''}${random.pick(STRANGE)}`;
    return { ...request, url: parts.join('/') + (query === undefined ? '' : `?${query}`) };
  },
  function strangeQuery(random, request) {
    return { ...request, url: withQuery(request.url, random.pick(QUERIES)) };
  },
  function strangeInTheQuery(random, request) {
    const names = request.operation.parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
    const name = random.pick(['limit', 'cursor', 'q', ...names]);
    return { ...request, url: withQuery(request.url, `${name}=${random.pick(STRANGE).replaceAll(' ', '+')}`) };
  },
  function cursorOfAnything(random, request) {
    const key = mutate(
      random,
      [
        ['a', 'b'],
        ['2026-01-01T00:00:00.000Z', 'x'],
        [1, null],
      ][random.integer(0, 3)],
    );
    return {
      ...request,
      url: withQuery(request.url, `cursor=${Buffer.from(key).toString('base64url').slice(0, 1_900)}`),
    };
  },
  function otherMethod(random, request) {
    const method = random.pick(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND']);
    return { ...request, method };
  },
  function otherType(random, request) {
    return withHeader(request, 'content-type', random.pick(TYPES));
  },
  function encoded(random, request) {
    const encoding = random.pick(['gzip', 'br', 'deflate', 'identity', 'gzip, gzip', 'zstd', 'x']);
    const body = request.body && random.chance(0.5) ? gzipSync(request.body) : request.body;
    return withHeader({ ...request, body }, 'content-encoding', encoding);
  },
  function chunked(_random, request) {
    return withHeader(request, 'transfer-encoding', 'chunked');
  },
  function brokenBody(random, request) {
    const bytes = Buffer.from(request.body ?? '{}');
    const at = random.integer(0, bytes.length || 1);
    const middle = Buffer.from(random.garbage(random.integer(0, 20)), 'latin1');
    return {
      ...request,
      body: Buffer.concat([bytes.subarray(0, at), middle, bytes.subarray(at + random.integer(0, 9))]),
    };
  },
  function hugeBody(random, request) {
    const piece = random.pick(['[', '{"a":', '{},', '"\\u0000",', '1,', ' ', '\\']);
    return { ...request, body: Buffer.from(`{"files":[${piece.repeat(random.integer(1, 20_000))}`) };
  },
  function strangeHeader(random, request) {
    const value = random.pick(['x'.repeat(5_000), '', 'bytes=0-0', 'null', '"a", "b"', ';;;', '-1']);
    const name = random.pick(['cookie', 'origin', 'sec-fetch-site', 'x-forwarded-for', 'accept', 'range', 'if-match']);
    return withHeader(request, name, value);
  },
  function noCredentials(random, request) {
    const authorization = random.pick(['', 'Basic', 'Basic YWRtaW46', 'Basic ?', 'Bearer x', 'Basic YWRtaW4=']);
    return withHeader(request, 'authorization', authorization);
  },
];

export function written(
  { operation, method, path, query, body }: RequestParts,
  json = JSON.stringify(body),
): WrittenRequest {
  const filled = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ''));
  const search = new URLSearchParams(query).toString();
  return {
    operation,
    method,
    url: search === '' ? filled : `${filled}?${search}`,
    headers: body === undefined ? {} : { 'content-type': 'application/json' },
    body: body === undefined ? null : Buffer.from(json),
  };
}

/** Serializes a valid request, unchanged or with an error: half of the time in its body, if it has one. */
export function writtenRequest(random: Random, parts: RequestParts, isValid: boolean): WrittenRequest {
  if (isValid) return written(parts);
  if (parts.body !== undefined && random.chance(0.6)) return written(parts, mutate(random, parts.body));
  return random.pick(MALFORMS)(random, written(parts));
}
