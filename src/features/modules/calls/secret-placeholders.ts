import { randomBytes } from 'node:crypto';
import { RequestRefused } from './module-calls.errors.js';

export interface Wanted {
  url: string;
  method: string;
  headers: Record<string, string>;
  redirect: 'follow' | 'error' | 'manual';
}

interface WithBody extends Wanted {
  body?: Uint8Array | undefined;
}

export interface UsedSecret {
  placeholder: string;
  value: string;
}

/** The secrets of a call. */
export interface CallSecrets {
  /** Placeholders by name. */
  placeholders: Readonly<Record<string, string>>;
  /** What the call has sent, by value: a server may return it to a later request. */
  sent: Map<string, UsedSecret>;
}

/** Shorter texts could be anything. */
const SHORTEST_HIDDEN = 6;

export const placeholdersFor = (names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, `secret-${randomBytes(12).toString('hex')}`]));

/** Returns the names of the secrets whose placeholders occur in a request. */
export function usedIn({ url, headers, body }: WithBody, placeholders: Readonly<Record<string, string>>): string[] {
  const texts = [url, ...Object.values(headers), body ? bytesOf(body) : ''];
  return Object.keys(placeholders).filter((name) => texts.some((text) => text.includes(placeholders[name] ?? '')));
}

/**
 * Replaces placeholders in a request by the secrets, each encoded for its place.
 * @throws RequestRefused when a secret would be part of the host: host names are sent unencrypted
 */
export function fillIn(
  { url, headers, body }: WithBody,
  used: readonly UsedSecret[],
): { url: string; headers: Record<string, string>; body?: Buffer } {
  const { origin } = new URL(url);
  if (used.some(({ placeholder }) => origin.includes(placeholder)))
    throw new RequestRefused('a secret cannot be in the host of a URL: write the host itself');
  const filled = (part: string, write = (secret: string) => secret) =>
    used.reduce((whole, { placeholder, value }) => whole.replaceAll(placeholder, () => write(value)), part);
  return {
    url: filled(url, encodeURIComponent),
    headers: Object.fromEntries(Object.entries(headers).map(([name, header]) => [name, filled(header)])),
    ...(body && { body: Buffer.from(filled(bytesOf(body), writerFor(headers)), 'latin1') }),
  };
}

/** Returns the encoder of secrets for the type of the body: a value must not be able to end its field. */
function writerFor(headers: Record<string, string>): (secret: string) => string {
  const [, given = ''] = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type') ?? [];
  const type = given.split(';', 1).join().trim().toLowerCase();
  if (type === 'application/x-www-form-urlencoded') return encodeURIComponent;
  return /^application\/(?:json|.*\+json)$/.test(type) ? (secret) => inBytes(inJson(secret)) : inBytes;
}

/** Hides secrets in a response: a server may echo them, and neither the module nor the readers of its result may see them. */
export function hideIn(body: Buffer, used: readonly UsedSecret[]): Buffer {
  if (used.length === 0) return body;
  return Buffer.from(hidden(body.toString('latin1'), used, inBytes), 'latin1');
}

/** Hides secrets in a header or an error message. */
export const hideInText = (text: string, used: readonly UsedSecret[]): string =>
  hidden(hidden(text, used), used, inBytes); // headers are decoded byte by byte

function hidden(text: string, used: readonly UsedSecret[], write = (form: string) => form): string {
  return used
    .filter(({ value }) => value.length >= SHORTEST_HIDDEN)
    .flatMap(({ placeholder, value }) => formsOf(value).map((form) => ({ placeholder, form: write(form) })))
    .sort((one, other) => other.form.length - one.form.length) // one form may be a part of another
    .reduce((whole, { placeholder, form }) => whole.replaceAll(form, placeholder), text);
}

/** Returns the encodings in which a secret may come back: plain, as JSON, in a URL, in a form, and as a host name. */
function formsOf(value: string): string[] {
  const inUrl = encodeURIComponent(value);
  const inForm = new URLSearchParams({ '': value }).toString().slice(1);
  const encoded = [inUrl, inForm, inForm.replaceAll('+', '%20'), new URL(`http://a/?${inUrl}`).search.slice(1)];
  const inLowerCase = encoded.map((one) => one.replaceAll(/%[0-9A-F]{2}/g, (byte) => byte.toLowerCase()));
  return [...new Set([value, inJson(value), value.toLowerCase(), ...encoded, ...inLowerCase])];
}

const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);

const bytesOf = (body: Uint8Array): string => Buffer.from(body).toString('latin1');

/** Returns a text in which each character is one byte of its UTF-8 encoding. */
const inBytes = (text: string): string => Buffer.from(text).toString('latin1');
