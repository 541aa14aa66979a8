import { errorOf } from '../../../mcp/json-rpc';
import type { Answer } from './exchange';

/** Why an answer is not what it should be, and what to do about it. */
export interface Failure {
  problem: string;
  fix: string;
}

/** What is wrong with an answer; null = nothing. */
export function failureOf({ status, message }: Answer): Failure | null {
  const error = message && errorOf(message);
  if (status < 300 && !error) return null;
  const problem = [`HTTP ${status}`, error?.message].filter(Boolean).join(': ');
  return { problem, fix: fixOf(status) };
}

/** When there was no answer at all. */
export function failureOfException(error: unknown): Failure {
  return {
    problem: error instanceof Error ? error.message : String(error),
    fix: 'The endpoint could not be reached. Check that the service runs, and that a proxy in front of it passes /mcp on.',
  };
}

function fixOf(status: number): string {
  switch (status) {
    case 401:
      return 'Check the key. If it is lost, generate a new mcp.api_key under Config.';
    case 403:
      return 'The endpoint does not accept pages of this address. Add the address to mcp.allowed_origins under Config, or set PUBLIC_URL to it.';
    case 404:
      return 'A proxy in front may send /mcp elsewhere, or requests of one session to services that do not share a database.';
    case 413:
      return 'A proxy in front, or mcp.max_body_bytes under Config, allows too little.';
    case 429:
      return 'The key makes too many requests. Wait a minute, or raise mcp.rate_limit_per_minute under Config.';
    case 502:
    case 503:
    case 504:
      return 'A proxy in front gets no answer from the service. Check that it runs and where the proxy looks for it.';
    default:
      return 'The log of the service says more.';
  }
}
