import { gzipSync } from 'node:zlib';
import type { Random } from './random.js';
import {
  good2025,
  good2026,
  goodRequest,
  http,
  type Json,
  json,
  type MalformedRequest,
  plainHeaders,
  type Surroundings,
  utf8,
  withValueAt,
} from './request-parts.js';

export type Malform = (random: Random, around: Surroundings) => MalformedRequest;

/** Well-formed HTTP requests with an invalid body. */
export const malformedBodies: readonly Malform[] = [
  function truncatedJson(random, around) {
    const { headers, message } = goodRequest(random, around);
    const body = json(message);
    return { kind: 'truncated JSON', bytes: http({ headers, body: body.slice(0, random.integer(1, body.length)) }) };
  },

  function notJson(random, around) {
    const body = random.pick([
      '',
      ' ',
      'null',
      'true',
      '17',
      '"text"',
      '{}',
      '[]',
      '[[]]',
      'NaN',
      '{"a":1,}',
      '<xml/>',
      random.garbage(200),
    ]);
    return {
      kind: 'not a message',
      bytes: http({ headers: [...goodRequest(random, around).headers, ['Content-Length', String(body.length)]], body }),
    };
  },

  function deepNesting(random, around) {
    const { headers, message } = goodRequest(random, around);
    const depth = random.integer(100, 30_000);
    const nested = random.chance(0.5)
      ? '['.repeat(depth) + ']'.repeat(depth)
      : '{"a":'.repeat(depth) + '1' + '}'.repeat(depth);
    const inPlace = json(
      withValueAt(
        message,
        random.pick([['params'], ['params', 'arguments'], ['id'], ['params', '_meta', 'x']]),
        'HERE',
      ),
    );
    return {
      kind: 'deep nesting',
      bytes: http({ headers, body: random.chance(0.3) ? nested : inPlace.replace('"HERE"', nested) }),
    };
  },

  function wrongTypes(random, around) {
    const { headers, message } = goodRequest(random, around);
    const body = json(withValueAt(message, random.pick(MEMBERS), random.pick(JUNK)));
    return { kind: 'wrong types', bytes: http({ headers, body }) };
  },

  function wrongTypesOfInitialize(random, around) {
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'fuzz', version: '1' } };
    const message = { jsonrpc: '2.0', id: 1, method: 'initialize', params };
    const path = random.pick([
      ['params'],
      ['params', 'protocolVersion'],
      ['params', 'capabilities'],
      ['params', 'clientInfo'],
      ['id'],
    ]);
    const junk = random.pick([17, [], null, true, ['a'], { a: { b: [] } }, -0.5]);
    return {
      kind: 'wrong types of initialize',
      bytes: http({ headers: plainHeaders(around), body: json(withValueAt(message, path, junk)) }),
    };
  },

  function hugeId(random, around) {
    const { headers, message } = goodRequest(random, around);
    const id = random.pick([
      '1e400',
      '-1e400',
      '123456789012345678901234567890',
      '1.5',
      '-0',
      `"${'x'.repeat(50_000)}"`,
      '9'.repeat(5_000),
      '""',
      'null',
    ]);
    return { kind: 'huge id', bytes: http({ headers, body: json({ ...message, id: 'HERE' }).replace('"HERE"', id) }) };
  },

  function prototypePollution(random, around) {
    const { headers, message } = goodRequest(random, around);
    const poison = random.pick([
      '{"__proto__":{"isError":true,"admin":true}}',
      '{"constructor":{"prototype":{"admin":true}}}',
      '{"toString":1,"valueOf":null,"hasOwnProperty":{}}',
      '{"__proto__":null}',
      '{"__proto__":[],"length":4294967295}',
    ]);
    const place = random.pick([
      ['params'],
      ['params', 'arguments'],
      ['params', '_meta'],
      ['params', 'clientInfo'],
      ['extra'],
    ]);
    return {
      kind: 'prototype pollution',
      bytes: http({ headers, body: json(withValueAt(message, place, 'HERE')).replace('"HERE"', poison) }),
    };
  },

  function inheritedNames(random, around) {
    const name = random.pick([
      '__proto__',
      'constructor',
      'toString',
      'hasOwnProperty',
      '__defineGetter__',
      'then',
      '',
    ]);
    const { headers, message } = good2025(random, around);
    const [method, params] = random.pick([
      ['tools/call', { name, arguments: {} }],
      ['prompts/get', { name, arguments: { [name]: 'x' } }],
      ['resources/read', { uri: `${name}://${name}` }],
      [name, {}],
      ['completion/complete', { ref: { type: 'ref/prompt', name }, argument: { name, value: '' } }],
    ]);
    return { kind: 'inherited names', bytes: http({ headers, body: json({ ...message, method, params }) }) };
  },

  function strangeUris(random, around) {
    const uri = random.pick([
      'file:///etc/passwd',
      'memory://../../x',
      'config://%00',
      'knowledge://documents/%ff',
      'run://',
      '://',
      'rss://[',
      'memory:',
      'workflow://' + 'a'.repeat(10_000),
      "memory://x/' OR 1=1 --",
      'config://mcp.api_key',
      'test://\ud800',
    ]);
    const { headers, message } = good2025(random, around);
    const method = random.pick(['resources/read', 'resources/subscribe', 'resources/unsubscribe']);
    return { kind: 'strange URIs', bytes: http({ headers, body: json({ ...message, method, params: { uri } }) }) };
  },

  function oversized(random, around) {
    const { headers, message } = goodRequest(random, around);
    if (random.chance(0.02)) {
      const body = json(withValueAt(message, ['params', 'padding'], 'x'.repeat(4_300_000)));
      return { kind: 'oversized body', bytes: http({ headers, body }) };
    }
    const length = random.pick(['4194305', '99999999', '9007199254740991']);
    return {
      kind: 'oversized body announced',
      bytes: http({ headers: [...headers, ['Content-Length', length]], body: json(message) }),
      unfinished: true,
    };
  },

  function invalidUtf8(random, around) {
    const { headers, message } = goodRequest(random, around);
    const bytes = random.pick([
      '\xff\xfe',
      '\xc3\x28',
      '\xed\xa0\x80',
      '\xf8\x88\x80\x80\x80',
      '\x00',
      '\xc0\xaf',
      '\\ud800',
      '\\u0000',
    ]);
    const place = random.pick([
      ['id'],
      ['method'],
      ['params', 'name'],
      ['params', 'arguments', 'x'],
      ['params', 'uri'],
    ]);
    const body = json(withValueAt(message, place, 'HERE')).replace('HERE', `a${bytes}b`);
    return { kind: 'invalid UTF-8', bytes: http({ headers, body: random.chance(0.2) ? `\xef\xbb\xbf${body}` : body }) };
  },

  function otherEncoding(random, around) {
    const { headers, message } = goodRequest(random, around);
    const utf16 = Buffer.from(JSON.stringify(message), 'utf16le').toString('latin1');
    const type = random.pick([
      'text/plain',
      'application/json; charset=utf-16le',
      'application/json; charset=nonsense',
      'multipart/form-data',
      'application/x-www-form-urlencoded',
      '',
      ';;;',
      'application/jsonx',
    ]);
    const others = headers.filter(([name]) => name !== 'Content-Type');
    return {
      kind: 'other content type',
      bytes: http({ headers: [...others, ['Content-Type', type]], body: random.pick([utf16, json(message)]) }),
    };
  },

  function compressed(random, around) {
    const { headers, message } = goodRequest(random, around);
    const encoding = random.pick(['gzip', 'deflate', 'br', 'zstd', 'nonsense', 'gzip, gzip']);
    const body = random.pick([random.garbage(100), gzipSync(JSON.stringify(message)).toString('latin1'), BOMB]);
    return { kind: 'compressed body', bytes: http({ headers: [...headers, ['Content-Encoding', encoding]], body }) };
  },

  function batches(random, around) {
    const { headers, message } = goodRequest(random, around);
    const batch = random.pick([
      [],
      [message],
      [message, message],
      [1, null, 'x'],
      [[message]],
      Array.from({ length: 300 }, () => ({})),
      [{ ...message, id: undefined }],
    ]);
    return { kind: 'batches', bytes: http({ headers, body: json(batch) }) };
  },

  function strayMessages(random, around) {
    const { headers, message } = goodRequest(random, around);
    const stray = random.pick<Json>([
      { jsonrpc: '2.0', id: 77, result: {} },
      { jsonrpc: '2.0', id: 77, error: { code: 1, message: 'x' } },
      { jsonrpc: '2.0', id: 77, error: 'no object' },
      { jsonrpc: '2.0', method: 'notifications/unheard_of' },
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: { a: 1 } } },
      { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: [], progress: 'x' } },
      { ...message, result: {}, error: {} },
      { jsonrpc: '1.0', id: 1, method: 'ping' },
      { ...message, method: 'sampling/createMessage' },
      { ...message, method: 'rpc.discover' },
      { ...message, method: 'logging/setLevel', params: { level: 'loud' } },
    ]);
    return { kind: 'stray messages', bytes: http({ headers, body: json(stray) }) };
  },

  function forgedState(random, around) {
    const { headers, message } = good2026(random, around);
    const forged = {
      requestState: random.pick(['', 'x', random.garbage(50), 'eyJhIjoxfQ.AAAA', 17, {}]),
      inputResponses: random.pick(JUNK),
    };
    const params = { ...(message['params'] as object), ...forged };
    return { kind: 'forged state', bytes: http({ headers, body: utf8(JSON.stringify({ ...message, params })) }) };
  },
];

/** 16 MB in 16 KB. */
const BOMB = gzipSync(Buffer.alloc(16 * 1_024 * 1_024, ' ')).toString('latin1');

const MEMBERS: readonly [string[], ...string[][]] = [
  ['jsonrpc'],
  ['id'],
  ['method'],
  ['params'],
  ['params', 'name'],
  ['params', 'uri'],
  ['params', 'arguments'],
  ['params', 'cursor'],
  ['params', 'ref'],
  ['params', '_meta'],
  ['params', '_meta', 'progressToken'],
  ['params', '_meta', 'io.modelcontextprotocol/protocolVersion'],
  ['params', '_meta', 'io.modelcontextprotocol/clientInfo'],
  ['params', '_meta', 'io.modelcontextprotocol/clientCapabilities'],
  ['params', '_meta', 'io.modelcontextprotocol/logLevel'],
];

const JUNK: readonly [unknown, ...unknown[]] = [
  null,
  true,
  false,
  0,
  -1,
  1e308,
  '',
  'x',
  'x'.repeat(20_000),
  [],
  {},
  [null],
  [[[]]],
  { a: { b: { c: [] } } },
  ['a', 1],
  '\u0000',
  '2026-07-28',
  { '': '' },
];
