import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';

export const KEY_PREFIX = 'ask_';
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 62^43 is the first power of 62 that is greater than 2^256. */
const RANDOM_CHARACTERS = 43;
/** 62^6 is greater than 2^32. */
const CHECKSUM_CHARACTERS = 6;
const CHECKED = KEY_PREFIX.length + RANDOM_CHARACTERS;
const SHOWN = KEY_PREFIX.length + 8;

/** The form of client keys. Leak scanners find keys by the form and verify them by the checksum. */
const KEY = /^ask_[0-9A-Za-z]{49}$/;

export const KEY_BYTES = 32;

/** Makes a key from random bytes: the prefix, the bytes in base62, and the CRC-32 of both in base62. */
export function toClientKey(random: Buffer): string {
  const checked = KEY_PREFIX + base62(BigInt(`0x${random.toString('hex')}`), RANDOM_CHARACTERS);
  return checked + base62(BigInt(crc32(checked)), CHECKSUM_CHARACTERS);
}

/** Returns whether a text has the form of a client's key, ignoring the checksum. */
export const looksLikeClientKey = (text: string): boolean => KEY.test(text);

/** Returns whether a text is a well-formed key with a correct checksum, whether or not the key is known. */
export function isClientKey(text: string): boolean {
  if (!KEY.test(text)) return false;
  let checksum = 0;
  for (let index = CHECKED; index < text.length; index += 1) checksum = checksum * 62 + digitOf(text.charCodeAt(index));
  return checksum === crc32(text.slice(0, CHECKED));
}

/** Returns the hash that is stored and looked up for a key. A key has 256 random bits, so it needs no salt and no slow hash. */
export const hashOfKey = (key: string): string => hash('sha256', key, 'base64url');

export const shownPartOf = (key: string): string => key.slice(0, SHOWN);

function base62(value: bigint, length: number): string {
  let text = '';
  for (let rest = value; text.length < length; rest /= 62n) text = DIGITS.charAt(Number(rest % 62n)) + text;
  return text;
}

/** Returns the value of a base62 digit: digits, uppercase letters, lowercase letters. */
function digitOf(code: number): number {
  if (code <= 57) return code - 48;
  return code <= 90 ? code - 55 : code - 61;
}

const BEARER = /^bearer +([!-~]+) *$/i;

/** Returns the key in an `Authorization` header; undefined when the header has another form. */
export const keyIn = (authorization: string): string | undefined => BEARER.exec(authorization)?.[1];

/**
 * Returns whether a request has more than one `Authorization` header. Of several, Node keeps the first and others the last, so a
 * proxy in between may have checked another key.
 * @param rawHeaders alternating names and values
 */
export function hasSeveralAuthorizations(rawHeaders: readonly string[]): boolean {
  let found = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 13 && name.toLowerCase() === 'authorization') found += 1;
  }
  return found > 1;
}

/** Returns a message for the sender of an `Authorization` header without a valid key: what is wrong with it. */
export function authorizationProblem(authorization: string): string {
  if (/[^ -~]/.test(authorization)) return 'it holds tabs or characters outside ASCII';
  const [, scheme = '', rest = ''] = /^([^ ]*) *([^ ]*)/.exec(authorization) ?? [];
  if (scheme.toLowerCase() !== 'bearer') return 'its scheme is not "Bearer"';
  const key = keyIn(authorization);
  if (key === undefined) return rest === '' ? 'there is no key after "Bearer"' : 'there is more than one key in it';
  if (/^["'<$]/.test(key)) return 'the key is in quotes or is a placeholder that nothing has replaced';
  if (looksLikeClientKey(key) && !isClientKey(key)) return 'the key is mistyped: its checksum is wrong. Copy it again';
  if (key.startsWith(KEY_PREFIX) && !looksLikeClientKey(key) && key.length > 47)
    return 'the key has been cut or extended';
  return 'the key is unknown, has expired or was revoked';
}
