import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** An encrypted text: base64 of the nonce, the tag and the ciphertext of AES-256-GCM (NIST SP 800-38D). */
export interface SealedText {
  readonly sealed: string;
}

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts a text.
 * @param key 32 bytes
 * @param purpose the use of the text; it can be opened only for the same purpose
 */
export function seal(text: string, key: Buffer, purpose: string): SealedText {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(purpose));
  const content = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return { sealed: Buffer.concat([nonce, cipher.getAuthTag(), content]).toString('base64') };
}

/** Decrypts a text; returns null when the key or the purpose differs, or the text was tampered with. */
export function unseal({ sealed }: SealedText, key: Buffer, purpose: string): string | null {
  const bytes = Buffer.from(sealed, 'base64');
  const nonce = bytes.subarray(0, NONCE_BYTES);
  const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
  try {
    const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
    decipher.setAAD(Buffer.from(purpose)).setAuthTag(tag);
    return decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
  } catch {
    return null;
  }
}
