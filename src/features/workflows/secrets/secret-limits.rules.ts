import { isIPv4, isIPv6 } from 'node:net';

/** Maximum length of an entry: the longest name, with `*.` and a port. */
export const MAX_HOST_ENTRY = 261;

const ENTRY = /^(\*\.)?(\[[^[\]]+\]|[^[\]:]+)(?::(\d{1,5}))?$/;
const NAME = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/;
const NOT_IN_HOSTS = /[\s/?#@\\%*]/;
const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

/**
 * Normalises an entry of the hosts of a secret: `api.example.com`, `*.example.com` (only the subdomains), `api.example.com:8443`,
 * `[2001:db8::1]`; names in lower case and in ASCII. null = invalid.
 */
export function toHostEntry(text: string): string | null {
  if (text.length > MAX_HOST_ENTRY) return null;
  const [, wildcard = '', host = '', port] = ENTRY.exec(isIPv6(text) ? `[${text}]` : text) ?? [];
  if (host === '' || NOT_IN_HOSTS.test(host)) return null;
  const name = hostOf(URL.parse(`http://${host}/`));
  const isAddress = name.startsWith('[') || isIPv4(name);
  if (isAddress ? wildcard !== '' : !NAME.test(name)) return null;
  if (port === undefined) return wildcard + name;
  return isPort(Number(port)) ? `${wildcard}${name}:${Number(port)}` : null;
}

/** Returns whether a normalised entry matches the host of a URL; an entry without a port matches any port. */
export function isAmongHosts(url: URL, entries: readonly string[]): boolean {
  const host = hostOf(url);
  const port = url.port || DEFAULT_PORTS[url.protocol];
  return entries.some((entry) => {
    const [, wildcard, name = '', onlyPort] = ENTRY.exec(entry) ?? [];
    if (onlyPort !== undefined && onlyPort !== port) return false;
    return wildcard === undefined ? host === name : host.endsWith(`.${name}`);
  });
}

/** A trailing dot makes no difference to a name. */
const hostOf = (url: URL | null): string => url?.hostname.replace(/\.$/, '') ?? '';

const isPort = (port: number): boolean => port >= 1 && port <= 65_535;
