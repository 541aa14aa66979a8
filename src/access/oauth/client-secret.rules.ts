import { hash, timingSafeEqual } from 'node:crypto';

/** Returns the stored hash of a program's secret, which has 512 random bits. */
export const hashOfSecret = (secret: string): string => hash('sha256', secret, 'base64url');

export function isSecret(presented: string, stored: string | undefined): boolean {
  const [one, two] = [Buffer.from(hashOfSecret(presented)), Buffer.from(stored ?? '')];
  return one.length === two.length && timingSafeEqual(one, two);
}
