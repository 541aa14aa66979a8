import { jest } from '@jest/globals';
import { parseEnvironment } from '../../config/environment.js';
import { SecretStore } from '../../config/secret.store.js';
import { SecretsService } from '../../config/secrets.service.js';
import { memoryDatabase } from '../../database/testing.js';
import { TooManyLogins } from './admin-auth.errors.js';
import { AdminCredentials } from './admin-credentials.service.js';
import { AdminPassword } from './admin-password.service.js';
import { LoginThrottle } from './login-throttle.service.js';

async function newCredentials() {
  const secrets = new SecretsService(new SecretStore(await memoryDatabase()));
  const password = await AdminPassword.load(parseEnvironment({ ADMIN_PASSWORD: 'pass:word' }), secrets);
  const verified = jest.spyOn(password, 'matches');
  return { credentials: new AdminCredentials(password, new LoginThrottle()), verified };
}

const basic = (user: string, password: string) => `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

describe('AdminCredentials', () => {
  it('knows the administrator by name and password', async () => {
    const { credentials } = await newCredentials();
    expect(await credentials.isBasic(basic('admin', 'pass:word'), 'a')).toBe(true);
    expect(await credentials.isBasic(basic('root', 'pass:word'), 'a')).toBe(false);
    expect(await credentials.isBasic('Basic ???', 'a')).toBe(false);
  });

  it('checks the password once for all requests that a script sends', async () => {
    const { credentials, verified } = await newCredentials();
    const header = basic('admin', 'pass:word');
    const results = await Promise.all(Array.from({ length: 20 }, () => credentials.isBasic(header, 'a')));
    expect([new Set(results), verified.mock.calls.length]).toEqual([new Set([true]), 1]);
  });

  it('slows down guesses, also when they are sent at once, and also with a right one among them', async () => {
    const { credentials } = await newCredentials();
    const guesses = Array.from({ length: 20 }, (_, i) => credentials.isBasic(basic('admin', `guess ${i}`), 'a'));
    const settled = await Promise.allSettled(guesses);
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
    await expect(credentials.isBasic(basic('admin', 'pass:word'), 'a')).rejects.toThrow(TooManyLogins);
    expect(await credentials.isBasic(basic('admin', 'pass:word'), 'b')).toBe(true);
  });

  it('goes on letting in who was right before, while somebody guesses from the same address', async () => {
    const { credentials } = await newCredentials();
    await credentials.isBasic(basic('admin', 'pass:word'), 'a');
    await Promise.allSettled(Array.from({ length: 9 }, (_, i) => credentials.isBasic(basic('admin', `${i}`), 'a')));
    expect(await credentials.isBasic(basic('admin', 'pass:word'), 'a')).toBe(true);
  });
});
