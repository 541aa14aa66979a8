import { isLoopbackHost } from '#mcp-http';
import type { Environment } from './environment.js';

/** The names, beside loopback, that requests may ask this service by; null = any, because it listens on the network. */
export function publishedHostsOf({ HOST, PUBLIC_URL }: Environment): readonly string[] | null {
  if (!isLoopbackHost(HOST)) return null;
  return PUBLIC_URL === null ? [] : [new URL(PUBLIC_URL).hostname];
}
