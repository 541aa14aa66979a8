import { KeyRing } from './clients.service.js';
import { PLAIN_CLIENT } from './testing.js';

const CREATED = new Date('2026-01-01T00:00:00Z');
const END = new Date('2026-02-01T00:00:00Z');

function ringWith(ends: { client: Date | null; key: Date | null }): KeyRing {
  const keys = [{ id: 'k', shown: 'ask_1234', hash: 'hash', createdAt: CREATED, expiresAt: ends.key }];
  return new KeyRing([{ ...PLAIN_CLIENT, name: 'ci', createdAt: CREATED, keys, expiresAt: ends.client }], +CREATED);
}

describe('a ring of keys', () => {
  it.each([
    ['its client', { client: END, key: null }],
    ['itself', { client: null, key: END }],
  ])('rejects a key after the end of %s, even without a new ring', (_whose, ends) => {
    const ring = ringWith(ends);
    expect(ring.ownerOf('hash', +END - 1)?.name).toBe('ci');
    expect(ring.ownerOf('hash', +END)).toBeNull();
    expect(ring.ownerOf('other', +END - 1)).toBeNull();
    expect(ring.nextEndMs).toBe(+END);
  });
});
