import { randomBytes } from 'node:crypto';
import { seal, unseal } from './sealed-text.rules.js';

const key = randomBytes(32);

describe('a sealed text', () => {
  it('opens with its key and purpose, and differs each time it is sealed', () => {
    const [one, two] = [seal('sk-ключ', key, 'a'), seal('sk-ключ', key, 'a')];
    expect(unseal(one, key, 'a')).toBe('sk-ключ');
    expect(one.sealed).not.toBe(two.sealed);
    expect(Buffer.from(one.sealed, 'base64').toString()).not.toContain('sk-');
  });

  it.each([
    ['with another key', (text: string) => unseal({ sealed: text }, randomBytes(32), 'a')],
    ['for another purpose', (text: string) => unseal({ sealed: text }, key, 'b')],
    [
      'after it was changed',
      (text: string) => unseal({ sealed: text.replace(/^./, (first) => (first === 'A' ? 'B' : 'A')) }, key, 'a'),
    ],
    ['cut short', () => unseal({ sealed: 'AAAA' }, key, 'a')],
  ])('does not open %s', (_title, open) => {
    const { sealed } = seal('hidden', key, 'a');
    expect(open(sealed)).toBeNull();
  });
});
