import { jest } from '@jest/globals';
import { AttemptStore } from '../../database/attempt.store.js';
import { memoryDatabase } from '../../database/testing.js';
import { parseEnvironment } from '../../environment/environment.js';
import { SecretStore } from '../../secrets/secret.store.js';
import { SecretsService } from '../../secrets/secrets.service.js';
import { LoginsBusy, TooManyLogins } from './admin-auth.errors.js';
import { AdminCredentials, type LoginSender } from './admin-credentials.service.js';
import { AdminPassword } from './admin-password.service.js';
import { LoginThrottle } from './login-throttle.service.js';
import { PasswordQueue } from './password-queue.service.js';

async function newCredentials() {
  const database = await memoryDatabase();
  const secrets = new SecretsService(new SecretStore(database));
  const password = await AdminPassword.load(parseEnvironment({ ADMIN_PASSWORD: 'pass:word' }), secrets);
  const verified = jest.spyOn(password, 'matches');
  const throttle = new LoginThrottle(new AttemptStore(database));
  return { credentials: new AdminCredentials(password, throttle, new PasswordQueue()), verified };
}

const A: LoginSender = { lane: 'stranger', bucket: 'a' };
const B: LoginSender = { lane: 'stranger', bucket: 'b' };
const KNOWN: LoginSender = { lane: 'known', bucket: 'device 1' };

const basic = (user: string, password: string) => `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

describe('AdminCredentials', () => {
  it('knows the administrator by name and password', async () => {
    const { credentials } = await newCredentials();
    expect(await credentials.isBasic(basic('admin', 'pass:word'), A)).toBe(true);
    expect(await credentials.isBasic(basic('root', 'pass:word'), A)).toBe(false);
    expect(await credentials.isBasic('Basic ???', A)).toBe(false);
  });

  it('checks the password once for all requests that a script sends', async () => {
    const { credentials, verified } = await newCredentials();
    const header = basic('admin', 'pass:word');
    const results = await Promise.all(Array.from({ length: 20 }, () => credentials.isBasic(header, A)));
    expect([new Set(results), verified.mock.calls.length]).toEqual([new Set([true]), 1]);
  });

  it('slows down guesses, also when they are sent at once, and also with a right one among them', async () => {
    const { credentials } = await newCredentials();
    const guesses = Array.from({ length: 20 }, (_, i) => credentials.isBasic(basic('admin', `guess ${i}`), A));
    const settled = await Promise.allSettled(guesses);
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
    await expect(credentials.isBasic(basic('admin', 'pass:word'), A)).rejects.toThrow(TooManyLogins);
    expect(await credentials.isBasic(basic('admin', 'pass:word'), B)).toBe(true);
  });

  it('goes on letting in who was right before, while somebody guesses from the same address', async () => {
    const { credentials } = await newCredentials();
    await credentials.isBasic(basic('admin', 'pass:word'), A);
    await Promise.allSettled(Array.from({ length: 9 }, (_, i) => credentials.isBasic(basic('admin', `${i}`), A)));
    expect(await credentials.isBasic(basic('admin', 'pass:word'), A)).toBe(true);
  });

  it('goes on letting in a script that comes again and again, however long somebody guesses', async () => {
    jest.useFakeTimers({ now: 0, doNotFake: ['nextTick', 'setImmediate'] });
    const { credentials } = await newCredentials();
    for (let minute = 0; minute < 12; minute += 4) {
      jest.setSystemTime(minute * 60_000);
      expect(await credentials.isBasic(basic('admin', 'pass:word'), A)).toBe(true);
      await Promise.allSettled(Array.from({ length: 20 }, (_, i) => credentials.isBasic(basic('admin', `${i}`), A)));
    }
    jest.useRealTimers();
  });

  it('keeps right headers in mind while others are tried', async () => {
    const { credentials, verified } = await newCredentials();
    await credentials.isBasic(basic('admin', 'pass:word'), A);
    const guesses = Array.from({ length: 300 }, (_, i) =>
      credentials.isBasic(basic('admin', `${i}`), { lane: 'stranger', bucket: `${i}` }),
    );
    await Promise.allSettled(guesses);
    verified.mockClear();
    expect(await credentials.isBasic(basic('admin', 'pass:word'), A)).toBe(true);
    expect(verified).not.toHaveBeenCalled();
  });

  it('checks one password of strangers at a time, lets few wait, and has a turn for a known browser', async () => {
    const { credentials, verified } = await newCredentials();
    let [atOnce, most] = [0, 0];
    const release = Promise.withResolvers<void>();
    verified.mockImplementation(async (presented) => {
      most = Math.max(most, (atOnce += 1));
      if (presented !== 'pass:word') await release.promise;
      atOnce -= 1;
      return presented === 'pass:word';
    });
    const guesses = Array.from({ length: 500 }, (_, i) =>
      credentials.isPassword('guess', { lane: 'stranger', bucket: `${i}` }),
    );
    const settled = Promise.allSettled(guesses);
    await expect(guesses.at(-1)).rejects.toThrow(LoginsBusy);
    expect(await credentials.isPassword('pass:word', KNOWN)).toBe(true);
    release.resolve();
    expect((await settled).filter(({ status }) => status === 'fulfilled')).toHaveLength(20);
    expect(most).toBe(2); // one of the strangers, and the known browser
  });

  it('does not count who could not be served as failed', async () => {
    const { credentials } = await newCredentials();
    const flood = Array.from({ length: 100 }, (_, i) =>
      credentials.isPassword('guess', { lane: 'stranger', bucket: `${i}` }),
    );
    const refused = await Promise.allSettled(Array.from({ length: 9 }, () => credentials.isPassword('pass:word', A)));
    expect(refused.map(({ status }) => status)).not.toContain('fulfilled');
    await Promise.allSettled(flood);
    expect(await credentials.isPassword('pass:word', A)).toBe(true);
  });
});
