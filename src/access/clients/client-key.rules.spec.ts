import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { isClientKey, KEY_BYTES, shownPartOf, toClientKey } from './client-key.rules.js';

describe('the key of a client', () => {
  it.each([0, 1, 127, 255])('has the same length and alphabet, whatever its bytes: %d', (byte) => {
    const key = toClientKey(Buffer.alloc(KEY_BYTES, byte));
    expect(key).toMatch(/^ask_[0-9A-Za-z]{49}$/);
    expect(isClientKey(key)).toBe(true);
  });

  it('ends with the CRC-32 of the rest, in base62 with digits first', () => {
    const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
    for (let n = 0; n < 200; n += 1) {
      const key = toClientKey(randomBytes(KEY_BYTES));
      const checksum = [...key.slice(47)].reduce((sum, digit) => sum * 62 + digits.indexOf(digit), 0);
      expect(checksum).toBe(crc32(key.slice(0, 47)));
    }
  });

  it('shows one changed character anywhere', () => {
    const key = toClientKey(randomBytes(KEY_BYTES));
    for (let index = 0; index < key.length; index += 1) {
      const other = key[index] === 'a' ? 'b' : 'a';
      expect(isClientKey(key.slice(0, index) + other + key.slice(index + 1))).toBe(false);
    }
  });

  it('can hardly be guessed from the part that is shown', () => {
    expect(shownPartOf(toClientKey(Buffer.alloc(KEY_BYTES)))).toBe('ask_00000000');
  });
});
