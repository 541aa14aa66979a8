import { errorOf } from '../../../mcp/json-rpc';
import type { Answer } from './exchange';

/** A problem of a response, and advice. */
export interface Failure {
  problem: string;
  fix: string;
}

/** Returns the problem of a response; null = none. */
export function failureOf({ status, message }: Answer): Failure | null {
  const error = message && errorOf(message);
  if (status < 300 && !error) return null;
  const problem = [`HTTP ${status}`, error?.message].filter(Boolean).join(': ');
  return { problem, fix: fixOf(status) };
}

/** Returns advice for a request without a response. */
export function failureOfException(error: unknown): Failure {
  return {
    problem: error instanceof Error ? error.message : String(error),
    fix: 'The endpoint could not be reached. Check that the service is running, and that a proxy in front of it forwards /mcp.',
  };
}

function fixOf(status: number): string {
  switch (status) {
    case 401:
      return 'Check the key. If it is lost, generate a new mcp.api_key under Config.';
    case 403:
      return 'The service does not take requests for this address, neither from this page nor from programs. Set PUBLIC_URL to it and restart the service, or let the proxy in front forward the Host header.';
    case 404:
      return 'A proxy in front may forward /mcp to another place, or requests of one session to services that do not share a database.';
    case 413:
      return 'The limit of a proxy in front, or mcp.max_body_bytes under Config, is too low.';
    case 429:
      return 'Too many requests with this key. Wait a minute, or raise mcp.rate_limit_per_minute under Config.';
    case 502:
    case 503:
    case 504:
      return 'A proxy in front gets no answer from the service. Check that the service is running, and the address that the proxy uses.';
    default:
      return 'See the log of the service for details.';
  }
}
