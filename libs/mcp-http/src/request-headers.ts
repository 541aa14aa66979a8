import type { IncomingMessage, ServerResponse } from 'node:http';
import { BlockList, isIPv4, isIPv6 } from 'node:net';
import type { JSONRPCRequest } from '@modelcontextprotocol/server';
import { isObject } from '#bounded-json';
import { ErrorCode, shortened, type WireError } from './json-rpc.js';

/** Returns the value of a header; the first one when there are several. */
export function headerOf(req: IncomingMessage, name: string): string | undefined {
  const value = req.headers[name];
  return Array.isArray(value) ? value[0] : value;
}

/** The response formats that a caller accepts. */
export interface Accepts {
  json: boolean;
  sse: boolean;
}

const EVERYTHING: Accepts = { json: true, sse: true };

/** Reads an `Accept` header. A caller that names neither format counts as accepting both. */
export function acceptsOf(header: string | undefined): Accepts {
  if (header === undefined || header.includes('*/*')) return EVERYTHING;
  const json = header.includes('application/json') || header.includes('application/*');
  const sse = header.includes('text/event-stream') || header.includes('text/*');
  return json || sse ? { json, sse } : EVERYTHING;
}

/**
 * The member of the params that `Mcp-Name` repeats, for each method that has one. A 2026-07-28 request repeats parts of its body
 * in headers, so that intermediaries need not read the body; the server refuses a request whose headers and body disagree
 * (specification 2026-07-28, streamable-http, "Request Metadata").
 */
const NAME_SOURCE: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
  ['tasks/get', 'taskId'],
  ['tasks/update', 'taskId'],
  ['tasks/cancel', 'taskId'],
]);

/** Returns which standard header is missing, or how `Mcp-Name` disagrees with the body; null when all agree. */
export function standardHeaderProblem(req: IncomingMessage, message: JSONRPCRequest): WireError | null {
  if (headerOf(req, 'mcp-protocol-version') === undefined) return missing('MCP-Protocol-Version');
  if (headerOf(req, 'mcp-method') === undefined) return missing('Mcp-Method');
  const source = NAME_SOURCE.get(message.method);
  const expected = source && message.params?.[source];
  if (typeof expected !== 'string') return null;
  return valueProblem('Mcp-Name', headerOf(req, 'mcp-name'), expected, `params.${source}`);
}

/** A tool parameter that clients repeat in a header, because the tool's input schema marks it with `x-mcp-header`. */
export interface HeaderParameter {
  /** The full header name, `Mcp-Param-...`. */
  header: string;
  path: readonly string[];
}

/** Returns the `x-mcp-header` declarations of an input schema, at any depth of `properties`. */
export function headerParametersOf(schema: unknown, path: readonly string[] = []): HeaderParameter[] {
  const properties = isObject(schema) ? schema['properties'] : undefined;
  if (!isObject(properties)) return [];
  return Object.entries(properties).flatMap(([name, property]) => {
    const at = [...path, name];
    const header = isObject(property) ? property['x-mcp-header'] : undefined;
    const own = typeof header === 'string' ? [{ header: `Mcp-Param-${header}`, path: at }] : [];
    return [...own, ...headerParametersOf(property, at)];
  });
}

/** Returns how an `Mcp-Param-*` header disagrees with the arguments; null when all agree. */
export function parameterHeaderProblem(
  req: IncomingMessage,
  args: unknown,
  parameters: readonly HeaderParameter[],
): WireError | null {
  for (const { header, path } of parameters) {
    const value = path.reduce<unknown>((node, key) => (isObject(node) ? node[key] : undefined), args);
    const sent = headerOf(req, header.toLowerCase());
    const where = `arguments.${path.join('.')}`;
    // A proxy that trusts the header would act on a value that the tool does not get.
    if (value === undefined || value === null) {
      if (sent !== undefined) return mismatch(`${header} is ${shown(sent)}, but ${where} has no value`);
    } else if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
      // The tool's schema refuses values of other types later.
      const problem = valueProblem(header, sent, value, where);
      if (problem) return problem;
    }
  }
  return null;
}

function valueProblem(
  header: string,
  sent: string | undefined,
  expected: string | number | boolean,
  where: string,
): WireError | null {
  if (sent === undefined) return missing(header);
  const decoded = decodeHeaderValue(sent);
  if (decoded === null)
    return mismatch(`${header} is neither plain ASCII nor valid Base64: =?base64?<RFC 4648 with padding>?=`);
  const equal =
    typeof expected === 'number' && /^-?\d+(\.\d+)?$/.test(decoded)
      ? Number(decoded) === expected
      : decoded === String(expected);
  return equal ? null : mismatch(`${header} is ${shown(decoded)}, but ${where} is ${shown(expected)}`);
}

const PLAIN = /^[\t -~]*$/;
const BASE64_WRAPPED = /^=\?base64\?(.*)\?=$/s;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Decodes a header value that is plain ASCII, or Base64 between `=?base64?` and `?=`; null when malformed. */
function decodeHeaderValue(value: string): string | null {
  const wrapped = BASE64_WRAPPED.exec(value)?.[1];
  if (wrapped === undefined) return PLAIN.test(value) ? value.trim() : null;
  if (!BASE64.test(wrapped)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(wrapped, 'base64'));
  } catch {
    return null;
  }
}

const shown = (value: string | number | boolean): string => shortened(JSON.stringify(value), 300);

const missing = (header: string): WireError => mismatch(`the required header ${header} is missing`);

const mismatch = (detail: string): WireError => ({
  httpStatus: 400,
  code: ErrorCode.headerMismatch,
  message: `Headers and body disagree: ${detail}. Send each header with the value that the body has.`,
});

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** Returns whether a host name or address always refers to this machine. */
export function isLoopbackHost(hostname: string): boolean {
  const name = hostname.replace(/^\[|\]$/g, '').toLowerCase();
  if (name === 'localhost' || name.endsWith('.localhost')) return true;
  if (isIPv4(name)) return loopback.check(name, 'ipv4');
  return isIPv6(name) && loopback.check(name, 'ipv6');
}

/**
 * Returns whether a browser page of this origin may use the endpoint (specification 2026-07-28, streamable-http, "Security &
 * Endpoint"). An allowed origin without a port allows every port of its host.
 */
export function isOriginAllowed(origin: string, allowed: readonly string[]): boolean {
  const url = parseUrl(origin);
  if (!url) return false;
  return allowed.some((entry) => {
    if (entry === '*' || entry === origin) return true;
    const permitted = parseUrl(entry);
    if (!permitted || permitted.protocol !== url.protocol || permitted.hostname !== url.hostname) return false;
    return !/:\d+\/?$/.test(entry) || permitted.port === url.port;
  });
}

/** Returns whether a Host header names this machine or an allowed name. A foreign name is a sign of DNS rebinding. */
export function isHostAllowed(host: string | undefined, allowed: readonly string[]): boolean {
  // Fast path: every request passes here.
  if (host !== undefined && /^(localhost|127\.0\.0\.1)(:\d+)?$/.test(host)) return true;
  const url = host === undefined ? null : parseUrl(`http://${host}`);
  return url !== null && (isLoopbackHost(url.hostname) || allowed.includes(url.hostname));
}

/** Lets the requesting page read the response, and answers preflights (CORS, WHATWG Fetch). */
export function allowBrowser(req: IncomingMessage, res: ServerResponse): void {
  const { origin } = req.headers;
  if (origin === undefined) return;
  res.setHeader('Access-Control-Allow-Origin', origin);
  res.setHeader('Vary', 'Origin');
  res.setHeader('Access-Control-Expose-Headers', 'Mcp-Session-Id, WWW-Authenticate, Retry-After');
  if (req.method !== 'OPTIONS') return;
  res.setHeader('Access-Control-Allow-Methods', 'POST, GET, DELETE');
  res.setHeader('Access-Control-Allow-Headers', req.headers['access-control-request-headers'] ?? 'Authorization');
  res.setHeader('Access-Control-Max-Age', '600');
}

function parseUrl(text: string): URL | null {
  return URL.canParse(text) ? new URL(text) : null;
}
