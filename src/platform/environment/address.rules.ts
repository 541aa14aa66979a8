export const DEFAULT_PORT = 5001;
export const DEFAULT_HOST = '127.0.0.1';

export interface Address {
  port: number;
  host: string;
}

/**
 * Returns where the service listens, without reading the rest of the environment; null when `PORT` or `HOST` is wrong, which
 * `parseEnvironment` explains.
 */
export function addressOf({ PORT, HOST }: Record<string, string | undefined>): Address | null {
  const port = PORT ? Number(PORT) : DEFAULT_PORT;
  const host = HOST || DEFAULT_HOST;
  return Number.isInteger(port) && port >= 1 && port <= 65535 && /^\S+$/.test(host) ? { port, host } : null;
}
