import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** A secret that can be recognised and not read: base64 of a salt and of HMAC-SHA256(salt, secret). */
export interface SecretHash {
  readonly salt: string;
  readonly hash: string;
}

/** Recognises one secret. */
export type SecretMatcher = (presented: string) => boolean;

// Not a slow password hash: keys are random, and this runs on every request.
export function hashSecret(secret: string, salt: Buffer = randomBytes(32)): SecretHash {
  return { salt: salt.toString('base64'), hash: hmac(salt, secret).toString('base64') };
}

/** The comparison takes the same time whatever is presented. */
export function matcherOf({ salt, hash }: SecretHash): SecretMatcher {
  const key = Buffer.from(salt, 'base64');
  const expected = Buffer.from(hash, 'base64');
  return (presented) => timingSafeEqual(hmac(key, presented), expected);
}

const hmac = (salt: Buffer, secret: string): Buffer => createHmac('sha256', salt).update(secret).digest();
