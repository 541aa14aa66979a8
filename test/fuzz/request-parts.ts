import type { Random } from './random.js';

/** State of the server under test, so that malformed requests also get past its first checks. */
export interface Surroundings {
  port: number;
  key: string;
  /** Existing sessions of the 2025 era. */
  sessionIds: readonly [string, ...string[]];
  /** A session of the protocol version that has batches. */
  batchSessionId: string;
}

/** Bytes to write to a socket; the text is latin1, so that any byte can be represented. */
export interface MalformedRequest {
  kind: string;
  bytes: string;
  /** Number of expected responses; more than one for pipelined requests. */
  answers?: number;
  /** The request is incomplete: no response is expected, and the connection is dropped after a moment. */
  unfinished?: boolean;
  /** Closes the sending side after writing. */
  endsInput?: boolean;
  /** The response has headers only. */
  isHead?: boolean;
  /** The request may open a stream that stays open; otherwise it must get a complete response. */
  staysOpen?: boolean;
}

export type Headers = readonly (readonly [string, string])[];

export type Json = Record<string, unknown>;

export interface HttpParts {
  method?: string;
  path?: string;
  headers?: Headers;
  body?: string;
}

/** Serializes an HTTP request. Adds Content-Length unless a header states the length of the body. */
export function http({ method = 'POST', path = '/mcp', headers = [], body = '' }: HttpParts): string {
  const saysLength = headers.some(([name]) => /^(content-length|transfer-encoding)$/i.test(name));
  const all = saysLength || !body ? headers : [...headers, ['Content-Length', String(body.length)] as const];
  return `${method} ${path} HTTP/1.1\r\n${all.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`;
}

/** The headers of a valid request, without those of a protocol era. */
export function plainHeaders({ port, key }: Surroundings): Headers {
  return [
    ['Host', `127.0.0.1:${port}`],
    ['Authorization', `Bearer ${key}`],
    ['Accept', 'application/json, text/event-stream'],
    ['Content-Type', 'application/json'],
  ];
}

/** Headers and message of a valid request of either era, to be broken later. */
export function goodRequest(random: Random, around: Surroundings): { headers: Headers; message: Json } {
  return random.chance(0.5) ? good2025(random, around) : good2026(random, around);
}

export function good2025(random: Random, around: Surroundings): { headers: Headers; message: Json } {
  const [method, params] = random.pick(CALLS);
  const headers: Headers = [
    ...plainHeaders(around),
    ['MCP-Protocol-Version', '2025-11-25'],
    ['Mcp-Session-Id', random.pick(around.sessionIds)],
  ];
  return { headers, message: { jsonrpc: '2.0', id: random.integer(1, 1e9), method, params } };
}

export function good2026(random: Random, around: Surroundings): { headers: Headers; message: Json } {
  const [method, params] = random.pick(CALLS);
  const { name, uri } = params as { name?: string; uri?: string };
  const target = name ?? uri;
  const headers: Headers = [
    ...plainHeaders(around),
    ['MCP-Protocol-Version', '2026-07-28'],
    ['Mcp-Method', method],
    ...(target === undefined ? [] : [['Mcp-Name', target] as const]),
  ];
  return {
    headers,
    message: { jsonrpc: '2.0', id: random.integer(1, 1e9), method, params: { ...params, _meta: ENVELOPE } },
  };
}

export const ENVELOPE: Json = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'fuzz', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': { elicitation: {}, sampling: {}, roots: {} },
};

const CALLS: readonly [readonly [string, Json], ...(readonly [string, Json])[]] = [
  ['tools/list', {}],
  ['tools/call', { name: 'system_info', arguments: {} }],
  ['tools/call', { name: 'no_such_tool', arguments: { a: 1 } }],
  ['resources/list', {}],
  ['resources/templates/list', {}],
  ['resources/read', { uri: 'config://mcp.tool_timeout_ms' }],
  ['prompts/list', {}],
  ['prompts/get', { name: 'no_such_prompt', arguments: {} }],
  ['completion/complete', { ref: { type: 'ref/prompt', name: 'none' }, argument: { name: 'a', value: 'b' } }],
];

/** Returns a copy with the value at a path replaced; missing objects on the path are created. */
export function withValueAt(message: Json, [first = '', ...rest]: readonly string[], value: unknown): Json {
  const inner = message[first];
  const container = typeof inner === 'object' && inner !== null ? (inner as Json) : {};
  return { ...message, [first]: rest.length === 0 ? value : withValueAt(container, rest, value) };
}

/** The UTF-8 bytes of a text, one character per byte. */
export const utf8 = (value: string): string => Buffer.from(value, 'utf8').toString('latin1');

export const json = (value: unknown): string => utf8(JSON.stringify(value));
