const SCHEMES = new Set(['postgresql:', 'postgres:']);
/** Parameters by which libpq would go to another host than that of the URL. */
const ELSEWHERE = ['host', 'hostaddr', 'port', 'service', 'servicefile'];
const DEFAULT_PORT = '5432';
const MOST_CHARACTERS = 2_000;

/** Returns the host and port to which a URL of a PostgreSQL database leads; null = it is none, or leads elsewhere. */
export function databaseAddressIn(text: string): URL | null {
  if (text.length > MOST_CHARACTERS) return null;
  const url = URL.parse(text);
  if (url === null || !SCHEMES.has(url.protocol) || url.hostname === '') return null;
  if (ELSEWHERE.some((name) => url.searchParams.has(name))) return null;
  return URL.parse(`${url.protocol}//${url.hostname}:${url.port || DEFAULT_PORT}/`);
}
