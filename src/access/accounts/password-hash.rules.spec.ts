import { hashPassword, isPassword } from './password-hash.rules.js';

describe('password hashes', () => {
  it('recognise their password and no other, and differ each time', async () => {
    const [first, second] = await Promise.all([hashPassword('correct horse'), hashPassword('correct horse')]);
    expect(first).toMatch(/^scrypt\$32768\$8\$1\$/);
    expect(first).not.toBe(second);
    expect(await isPassword(first, 'correct horse')).toBe(true);
    expect(await isPassword(first, 'correct horsf')).toBe(false);
    expect(await isPassword('', '')).toBe(false);
  });
});
