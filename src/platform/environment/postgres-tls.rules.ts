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

/**
 * Finds a TLS parameter that the driver does not support; null = none. The driver ignores `sslMode`, and sends everything in plain
 * text; with `ssl=require`, it throws after it has connected.
 * @param url a PostgreSQL connection URL, or any other text
 */
export function unknownTlsIn(url: string): string | null {
  const parameters = [...(URL.parse(url)?.searchParams ?? [])].filter(([name]) => ABOUT_TLS.test(name));
  const unknown = parameters.find(([name]) => !Object.hasOwn(KNOWN, name));
  if (unknown)
    return `${unknown[0]}: there is sslmode, as in sslmode=verify-full, with sslrootcert, sslcert and sslkey`;
  const wrong = parameters.find(([name, value]) => KNOWN[name] && !KNOWN[name].includes(value));
  return wrong ? `${wrong[0]} must be one of ${KNOWN[wrong[0]]?.join(', ') ?? ''}` : null;
}
