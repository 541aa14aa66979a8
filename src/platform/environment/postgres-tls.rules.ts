/** TLS parameters of a connection URL, with the values that the driver supports; null = any. */
const KNOWN: Readonly<Record<string, readonly string[] | null>> = {
  sslmode: ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'],
  ssl: ['true', '1', '0', 'no-verify'],
  sslnegotiation: ['postgres', 'direct'],
  sslrootcert: null,
  sslcert: null,
  sslkey: null,
};
const ABOUT_TLS = /^ssl/i;
/** Node parses a query in quadratic time. */
const MOST_CHARACTERS = 10_000;

/**
 * Finds a TLS parameter that the driver does not support; null = none. The driver ignores `sslMode`, and sends everything in plain
 * text; with `ssl=require`, it throws after it has connected.
 * @param url a PostgreSQL connection URL, or any other text
 */
export function unknownTlsIn(url: string): string | null {
  if (url.length > MOST_CHARACTERS) return `a URL of a database has at most ${MOST_CHARACTERS} characters`;
  const parameters = [...(URL.parse(url)?.searchParams ?? [])].filter(([name]) => ABOUT_TLS.test(name));
  const unknown = parameters.find(([name]) => !Object.hasOwn(KNOWN, name));
  if (unknown)
    return `the parameter ${unknown[0]} is unknown: use sslmode (such as sslmode=verify-full), sslrootcert, sslcert or sslkey`;
  const wrong = parameters.find(([name, value]) => KNOWN[name] && !KNOWN[name].includes(value));
  return wrong ? `${wrong[0]} must be one of ${KNOWN[wrong[0]]?.join(', ') ?? ''}` : null;
}

/**
 * Returns the URL with `sslmode=verify-full` in place of the modes that mean the same to this version of the driver, which warns
 * that the next one verifies less.
 */
export const withVerifiedTls = (url: string): string =>
  /[?&]uselibpqcompat=/.test(url)
    ? url
    : url.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/, '$1verify-full');
