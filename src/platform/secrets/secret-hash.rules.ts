import { hash as digest, randomBytes, timingSafeEqual } from 'node:crypto';

/** A secret that can be verified but not read: a salt, and base64 of the SHA-256 of salt and secret. */
export interface SecretHash {
  readonly salt: string;
  readonly hash: string;
}

/** Returns whether a presented text equals the secret. */
export type SecretMatcher = (presented: string) => boolean;

// Not a slow password hash: keys are random, and this runs on every request.
export function hashSecret(secret: string): SecretHash {
  const salt = randomBytes(32).toString('base64');
  return { salt, hash: salted(salt, secret).toString('base64') };
}

/** Returns a constant-time matcher for one secret. */
export function matcherOf({ salt, hash }: SecretHash): SecretMatcher {
  const expected = Buffer.from(hash, 'base64');
  return (presented) => timingSafeEqual(salted(salt, presented), expected);
}

// A single call is three times as fast as an Hmac object, and comparing for equality needs no HMAC.
const salted = (salt: string, secret: string): Buffer => digest('sha256', `${salt}:${secret}`, 'buffer');
