import { jest } from '@jest/globals';
import { memoryDatabase } from '../../platform/database/testing.js';
import { LoginsBusy, TooManyLogins } from './accounts.errors.js';
import type { LoginSender } from './admin-credentials.service.js';
import { basic, openAccounts } from './testing.js';

async function newCredentials() {
  const { password, ...accounts } = await openAccounts(await memoryDatabase(), 'pass:word');
  return { ...accounts, verified: jest.spyOn(password, 'matches') };
}

const A: LoginSender = { lane: 'unknown', bucket: 'a', address: '192.0.2.1' };
const B: LoginSender = { ...A, bucket: 'b' };
const KNOWN: LoginSender = { ...A, lane: 'known', bucket: 'device 1' };

const ADMIN = expect.objectContaining({ name: 'admin' }) as unknown;

describe('AdminCredentials', () => {
  it('knows the administrator by name and password', async () => {
    const { credentials } = await newCredentials();
    expect(await credentials.checkBasic(basic('admin', 'pass:word'), A)).toEqual(ADMIN);
    expect(await credentials.checkBasic(basic('root', 'pass:word'), A)).toBeNull();
    expect(await credentials.checkBasic('Basic ???', A)).toBeNull();
  });

  it('checks the password once for all requests that a script sends', async () => {
    const { credentials, verified } = await newCredentials();
    const header = basic('admin', 'pass:word');
    const results = await Promise.all(Array.from({ length: 20 }, () => credentials.checkBasic(header, A)));
    expect([results, verified.mock.calls.length]).toEqual([Array.from({ length: 20 }, () => ADMIN), 1]);
  });

  it('slows down guesses, also when they are sent at once, and also with a right one among them', async () => {
    const { credentials } = await newCredentials();
    const guesses = Array.from({ length: 20 }, (_, i) => credentials.checkBasic(basic('admin', `guess ${i}`), A));
    const settled = await Promise.allSettled(guesses);
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
    await expect(credentials.checkBasic(basic('admin', 'pass:word'), A)).rejects.toThrow(TooManyLogins);
    expect(await credentials.checkBasic(basic('admin', 'pass:word'), B)).toEqual(ADMIN);
  });

  it('keeps letting in known callers while somebody guesses from the same address', async () => {
    const { credentials } = await newCredentials();
    await credentials.checkBasic(basic('admin', 'pass:word'), A);
    await Promise.allSettled(Array.from({ length: 9 }, (_, i) => credentials.checkBasic(basic('admin', `${i}`), A)));
    expect(await credentials.checkBasic(basic('admin', 'pass:word'), A)).toEqual(ADMIN);
  });

  it('keeps letting in a script that calls regularly, however long somebody guesses', async () => {
    jest.useFakeTimers({ now: 0, doNotFake: ['nextTick', 'setImmediate'] });
    const { credentials } = await newCredentials();
    for (let minute = 0; minute < 12; minute += 4) {
      jest.setSystemTime(minute * 60_000);
      expect(await credentials.checkBasic(basic('admin', 'pass:word'), A)).toEqual(ADMIN);
      await Promise.allSettled(Array.from({ length: 20 }, (_, i) => credentials.checkBasic(basic('admin', `${i}`), A)));
    }
    jest.useRealTimers();
  });

  it('checks a header again that has not been used for some minutes', async () => {
    jest.useFakeTimers({ now: 0, doNotFake: ['nextTick', 'setImmediate'] });
    try {
      const { credentials, verified } = await newCredentials();
      for (const minute of [0, 4, 8, 14]) {
        jest.setSystemTime(minute * 60_000);
        expect(await credentials.checkBasic(basic('admin', 'pass:word'), A)).toEqual(ADMIN);
      }
      expect(verified).toHaveBeenCalledTimes(2);
    } finally {
      jest.useRealTimers();
    }
  });

  it('keeps right headers in mind while others are tried', async () => {
    const { credentials, verified } = await newCredentials();
    await credentials.checkBasic(basic('admin', 'pass:word'), A);
    const guesses = Array.from({ length: 300 }, (_, i) =>
      credentials.checkBasic(basic('admin', `${i}`), { ...A, bucket: `${i}` }),
    );
    await Promise.allSettled(guesses);
    verified.mockClear();
    expect(await credentials.checkBasic(basic('admin', 'pass:word'), A)).toEqual(ADMIN);
    expect(verified).not.toHaveBeenCalled();
  });

  it('checks one password of unknown senders at a time, limits the queue, and reserves a turn for a known browser', async () => {
    const { credentials, verified } = await newCredentials();
    let [atOnce, most] = [0, 0];
    const release = Promise.withResolvers<void>();
    verified.mockImplementation(async (_account, presented) => {
      most = Math.max(most, (atOnce += 1));
      if (presented !== 'pass:word') await release.promise;
      atOnce -= 1;
      return presented === 'pass:word';
    });
    const guesses = Array.from({ length: 500 }, (_, i) =>
      credentials.check('admin', 'guess', { ...A, bucket: `${i}` }),
    );
    const settled = Promise.allSettled(guesses);
    await expect(guesses.at(-1)).rejects.toThrow(LoginsBusy);
    expect(await credentials.check('admin', 'pass:word', KNOWN)).toEqual(ADMIN);
    release.resolve();
    expect((await settled).filter(({ status }) => status === 'fulfilled')).toHaveLength(20);
    expect(most).toBe(2); // one of the unknown senders, and the known browser
  });

  it('does not count who could not be served as failed', async () => {
    const { credentials } = await newCredentials();
    const flood = Array.from({ length: 100 }, (_, i) => credentials.check('admin', 'guess', { ...A, bucket: `${i}` }));
    const refused = await Promise.allSettled(
      Array.from({ length: 9 }, () => credentials.check('admin', 'pass:word', A)),
    );
    expect(refused.map(({ status }) => status)).not.toContain('fulfilled');
    await Promise.allSettled(flood);
    expect(await credentials.check('admin', 'pass:word', A)).toEqual(ADMIN);
  });

  it('does not count the right password as failed while the database is read-only, but does count wrong ones', async () => {
    const { credentials, store } = await newCredentials();
    const noted = jest.spyOn(store, 'noteLogin').mockRejectedValue(new Error('read-only'));
    for (let attempt = 0; attempt < 12; attempt += 1) {
      await expect(credentials.check('admin', 'pass:word', A)).rejects.toThrow('read-only');
    }
    for (let attempt = 0; attempt < 5; attempt += 1) await credentials.check('admin', `guess ${attempt}`, B);
    await expect(credentials.check('admin', 'pass:word', B)).rejects.toThrow(TooManyLogins);
    noted.mockRestore();
    expect(await credentials.check('admin', 'pass:word', A)).toEqual(ADMIN);
  });

  it('checks the account with each request, also when the header is cached', async () => {
    const { credentials, administrators } = await newCredentials();
    const header = basic('ada', (await administrators.create('ada', 'viewer', null)) ?? '');
    expect(await credentials.checkBasic(header, A)).toMatchObject({ name: 'ada', role: 'viewer' });
    await administrators.update('ada', { role: 'editor' });
    expect(await credentials.checkBasic(header, A)).toMatchObject({ name: 'ada', role: 'editor' });
    await administrators.setPassword(await administrators.get('ada'), null);
    expect(await credentials.checkBasic(header, A)).toBeNull();
    await administrators.remove('ada');
    expect(await credentials.checkBasic(header, A)).toBeNull();
  });

  it('lets nobody in whose password changes during the check', async () => {
    const { credentials, administrators } = await newCredentials();
    const password = (await administrators.create('ada', 'admin', null)) ?? '';
    const [entered] = await Promise.all([
      credentials.check('ada', password, A),
      administrators.setPassword(await administrators.get('ada'), null),
    ]);
    // Either order is fine: the check came first, or the change did. After the change, the stamp of an earlier login is
    // invalid.
    expect(entered?.stamp).not.toBe((await administrators.get('ada')).stamp);
    expect(await credentials.check('ada', password, A)).toBeNull();
  });

  it('compares names exactly, and takes any text for a name', async () => {
    const { credentials, administrators } = await newCredentials();
    const password = (await administrators.create('ada', 'admin', null)) ?? '';
    for (const name of [
      'Ada',
      'ADA',
      'ada ',
      ' ada',
      'a\u0064a\0',
      'аda',
      'ａda',
      'ada\n',
      '__proto__',
      '',
      'x'.repeat(9_000),
    ]) {
      expect([name, await credentials.check(name, password, { ...A, bucket: name.slice(0, 50) })]).toEqual([
        name,
        null,
      ]);
    }
    expect(await credentials.check('ada', password, A)).toMatchObject({ name: 'ada' });
  });

  it('reports who entered a password, right or wrong, without the password', async () => {
    const { credentials, sent } = await newCredentials();
    await credentials.check('admin', 'pass:word', A);
    await credentials.check('admin', 'wrong', A);
    await credentials.check('No Such Name', 'wrong', A);
    expect(sent).toEqual([
      ['admin.logged_in', { user: 'admin', address: '192.0.2.1' }],
      ['admin.login_failed', { user: 'admin', address: '192.0.2.1' }],
      ['admin.login_failed', { user: '', address: '192.0.2.1' }],
    ]);
  });
});
