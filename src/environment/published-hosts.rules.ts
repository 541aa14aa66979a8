import { isLoopbackHost } from '#mcp-http';
import type { Environment } from './environment.js';

/** Returns the host names, beside loopback, by which this service may be addressed; null when any name is accepted, because it listens on the network. */
export function publishedHostsOf({ HOST, PUBLIC_URL }: Environment): readonly string[] | null {
  if (!isLoopbackHost(HOST)) return null;
  return PUBLIC_URL === null ? [] : [new URL(PUBLIC_URL).hostname];
}
