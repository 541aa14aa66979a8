import { randomBytes } from 'node:crypto';

/** What a module wants to send. */
export interface Wanted {
  url: string;
  method: string;
  headers: Record<string, string>;
  redirect: 'follow' | 'error' | 'manual';
}

interface WithBody extends Wanted {
  body?: Uint8Array | undefined;
}

/** A secret that a request holds, and what stands for it there. */
export interface UsedSecret {
  standIn: string;
  value: string;
}

/** Shorter ones may be anything. */
const SHORTEST_HIDDEN = 6;

/** Returns what stands for each secret during a call, by its name. */
export const standInsFor = (names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, `secret-${randomBytes(12).toString('hex')}`]));

/** Returns the names of the secrets whose stand-ins a request holds. */
export function usedIn({ url, headers, body }: WithBody, standIns: Readonly<Record<string, string>>): string[] {
  const texts = [url, ...Object.values(headers), body ? bytesOf(body) : ''];
  return Object.keys(standIns).filter((name) => texts.some((text) => text.includes(standIns[name] ?? '')));
}

/** Returns a request with the secrets in it. */
export function fillIn(
  { url, headers, body }: WithBody,
  used: readonly UsedSecret[],
): { url: string; headers: Record<string, string>; body?: Buffer } {
  const filled = (part: string, write = (secret: string) => secret) =>
    used.reduce((whole, { standIn, value }) => whole.replaceAll(standIn, () => write(value)), part);
  return {
    url: filled(url, encodeURIComponent),
    headers: Object.fromEntries(Object.entries(headers).map(([name, header]) => [name, filled(header)])),
    ...(body && { body: Buffer.from(filled(bytesOf(body), inBytes), 'latin1') }),
  };
}

/** A server may send back what it got: the module, and whoever reads its result, need not know the secret. */
export function hideIn(body: Buffer, used: readonly UsedSecret[]): Buffer {
  if (used.length === 0) return body;
  const hidden = used.reduce(
    (whole, { standIn, value }) => (value.length < SHORTEST_HIDDEN ? whole : whole.replaceAll(inBytes(value), standIn)),
    body.toString('latin1'),
  );
  return Buffer.from(hidden, 'latin1');
}

const bytesOf = (body: Uint8Array): string => Buffer.from(body).toString('latin1');

/** A text in which each character is a byte of its UTF-8. */
const inBytes = (text: string): string => Buffer.from(text).toString('latin1');
