import { scryptSync } from 'node:crypto';

const SHORTEST_PASSPHRASE = 16;
const KEY_BYTES = 32;
// Base64 of 32 bytes, in either alphabet.
const ENCODED_KEY = /^[A-Za-z0-9+/_-]{43}=?$/;
const COST = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 };

export const SEALING_KEY_MEANING = `base64 of 32 random bytes, or a passphrase of at least ${SHORTEST_PASSPHRASE} characters`;

export function standsForSealingKey(text: string): boolean {
  return text.trim().length >= SHORTEST_PASSPHRASE;
}

/** Derives the key from an operator's text; null when the text is too short. */
export function toSealingKey(text: string): Buffer | null {
  const given = text.trim();
  if (ENCODED_KEY.test(given)) return Buffer.from(given, 'base64');
  if (!standsForSealingKey(given)) return null;
  // Every replica and every start must derive the same key, so there is no random salt; the passphrase must be strong.
  return scryptSync(given, 'agent-service secrets', KEY_BYTES, COST);
}
