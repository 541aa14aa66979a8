import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';

// Each guess takes 32 MB and about 0.1 s.
const COST = { N: 2 ** 15, r: 8, p: 1 };
const KEY_BYTES = 32;
const MAX_MEMORY_BYTES = 64 * 1024 * 1024;

/** Passwords of unknown accounts are compared with this hash, at the same cost. No password has it. */
export const NOBODYS_HASH = toStored(Buffer.alloc(16, 7), Buffer.alloc(KEY_BYTES));

/** Hashes a password as `scrypt$N$r$p$salt$hash`. The parameters are included so that the cost can be raised later. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const hash = await derive(password, salt, COST);
  return toStored(salt, hash);
}

function toStored(salt: Buffer, hash: Buffer): string {
  return ['scrypt', COST.N, COST.r, COST.p, salt.toString('base64'), hash.toString('base64')].join('$');
}

export async function isPassword(stored: string, presented: string): Promise<boolean> {
  const [scheme, N, r, p, salt = '', hash = ''] = stored.split('$');
  if (scheme !== 'scrypt') return false;
  const expected = Buffer.from(hash, 'base64');
  const derived = await derive(presented, Buffer.from(salt, 'base64'), { N: Number(N), r: Number(r), p: Number(p) });
  return derived.length === expected.length && timingSafeEqual(derived, expected);
}

function derive(password: string, salt: Buffer, cost: typeof COST): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // Depending on the keyboard, the same characters arrive composed or decomposed.
    scrypt(password.normalize('NFC'), salt, KEY_BYTES, { ...cost, maxmem: MAX_MEMORY_BYTES }, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}
