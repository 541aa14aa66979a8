const SCHEMES = new Set(['postgresql:', 'postgres:']);
/** Parameters that make libpq connect to another host than that of the URL. */
const ELSEWHERE = ['host', 'hostaddr', 'port', 'service', 'servicefile'];
const DEFAULT_PORT = '5432';
const MOST_CHARACTERS = 2_000;

/** Returns the host and port of a PostgreSQL URL; null when it is invalid, or connects to another host. */
export function databaseAddressIn(text: string): URL | null {
  if (text.length > MOST_CHARACTERS) return null;
  const url = URL.parse(text);
  if (url === null || !SCHEMES.has(url.protocol) || url.hostname === '') return null;
  if (ELSEWHERE.some((name) => url.searchParams.has(name))) return null;
  return URL.parse(`${url.protocol}//${url.hostname}:${url.port || DEFAULT_PORT}/`);
}
