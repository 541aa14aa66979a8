import type { IncomingMessage, ServerResponse } from 'node:http';
import { BlockList, isIPv4, isIPv6 } from 'node:net';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** Returns whether a host name or address always means this machine. */
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
  // The common case comes first: every request passes here.
  if (host !== undefined && /^(localhost|127\.0\.0\.1)(:\d+)?$/.test(host)) return true;
  const url = host === undefined ? null : parseUrl(`http://${host}`);
  return url !== null && (isLoopbackHost(url.hostname) || allowed.includes(url.hostname));
}

/** Lets the page that asks read the answer, and says so to a preflight (CORS, WHATWG Fetch). */
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
