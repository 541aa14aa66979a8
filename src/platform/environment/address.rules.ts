export const DEFAULT_PORT = 5001;
export const DEFAULT_HOST = '127.0.0.1';

export interface Address {
  port: number;
  host: string;
}

/**
 * Returns the address to listen on, without parsing the rest of the environment; null when `PORT` or `HOST` is invalid, which
 * `parseEnvironment` reports.
 */
export function addressOf({ PORT, HOST }: Record<string, string | undefined>): Address | null {
  const port = PORT ? (/^\d+$/.test(PORT) ? Number(PORT) : NaN) : DEFAULT_PORT;
  const host = HOST || DEFAULT_HOST;
  return Number.isInteger(port) && port >= 1 && port <= 65535 && /^\S+$/.test(host) ? { port, host } : null;
}
