import { isClientKey, looksLikeClientKey } from './client-key.rules.js';

const BEARER = /^bearer +([!-~]+) *$/i;

/** Returns the key in an `Authorization` header; undefined when the header has another form. */
export const keyIn = (authorization: string): string | undefined => BEARER.exec(authorization)?.[1];

/**
 * Returns whether a request has more than one `Authorization` header. Of several, Node keeps the first and others the last,
 * so what a proxy in between has checked may be another key.
 * @param rawHeaders names and values in turn
 */
export function hasSeveralAuthorizations(rawHeaders: readonly string[]): boolean {
  let found = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 13 && name.toLowerCase() === 'authorization') found += 1;
  }
  return found > 1;
}

/** Returns what is wrong with an `Authorization` header that holds no valid key, for its sender. */
export function authorizationProblem(authorization: string): string {
  if (/[^ -~]/.test(authorization)) return 'it holds tabs or characters outside ASCII';
  const [, scheme = '', rest = ''] = /^([^ ]*) *([^ ]*)/.exec(authorization) ?? [];
  if (scheme.toLowerCase() !== 'bearer') return 'its scheme is not "Bearer"';
  const key = keyIn(authorization);
  if (key === undefined) return rest === '' ? 'there is no key after "Bearer"' : 'there is more than one key in it';
  if (/^["'<$]/.test(key)) return 'the key is in quotes or is a placeholder that nothing has replaced';
  if (looksLikeClientKey(key) && !isClientKey(key)) return 'the key is mistyped: its checksum is wrong. Copy it again';
  if (key.startsWith('ask_') && !looksLikeClientKey(key) && key.length > 47) return 'the key has been cut or extended';
  return 'the key is unknown, has expired or was revoked';
}
