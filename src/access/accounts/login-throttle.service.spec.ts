import { jest } from '@jest/globals';
import { RateLimitStore } from '../../platform/database/rate-limit.store.js';
import { describeEachDatabase } from '../../platform/database/testing.js';
import { TooManyLogins } from './accounts.errors.js';
import { type LoginAttempt, LoginThrottle } from './login-throttle.service.js';

const from = (sender: string, isKnown = false): LoginAttempt => ({ sender, account: 'admin', isKnown });

describeEachDatabase('LoginThrottle', (open, dialect) => {
  let now: jest.SpiedFunction<typeof Date.now>;
  beforeEach(() => (now = jest.spyOn(Date, 'now')));
  afterEach(() => now.mockRestore());
  const at = (seconds: number) => now.mockReturnValue(seconds * 1000 + 1);

  const newThrottle = async () => new LoginThrottle(new RateLimitStore(await open()));
  const failTimes = async (throttle: LoginThrottle, times: number) => {
    for (let i = 0; i < times; i++) await throttle.begin(from('1.2.3.4'));
  };

  it('lets five failures pass, then makes the address wait, longer each time', async () => {
    const throttle = await newThrottle();
    at(0);
    await failTimes(throttle, 5);
    await expect(throttle.begin(from('1.2.3.4'))).rejects.toThrow(TooManyLogins);
    at(4.999);
    await expect(throttle.begin(from('1.2.3.4'))).rejects.toThrow('try again in 1 s');
    at(5);
    await throttle.begin(from('1.2.3.4'));
    await expect(throttle.begin(from('1.2.3.4'))).rejects.toThrow('try again in 10 s');
    at(15);
    await throttle.begin(from('1.2.3.4'));
    await expect(throttle.begin(from('1.2.3.4'))).rejects.toThrow('try again in 20 s');
  });

  it('lets five pass of many that come at once', async () => {
    const throttle = await newThrottle();
    at(0);
    const guesses = await Promise.allSettled(Array.from({ length: 20 }, () => throttle.begin(from('1.2.3.4'))));
    expect(guesses.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
    at(900);
    const later = await Promise.allSettled(Array.from({ length: 20 }, () => throttle.begin(from('1.2.3.4'))));
    expect(later.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('does not make other addresses wait', async () => {
    const throttle = await newThrottle();
    at(0);
    await failTimes(throttle, 5);
    await throttle.begin(from('5.6.7.8'));
  });

  it('forgets failures after a success, and an hour after the last', async () => {
    const throttle = await newThrottle();
    at(0);
    await failTimes(throttle, 4);
    await throttle.succeeded(from('1.2.3.4'));
    await failTimes(throttle, 5);
    at(3500);
    await throttle.begin(from('1.2.3.4'));
    await expect(throttle.begin(from('1.2.3.4'))).rejects.toThrow('try again in 10 s');
    at(3500 + 3600);
    await failTimes(throttle, 5);
  });

  it('keeps counting the guesses at an account when their sender logs in to another', async () => {
    const throttle = await newThrottle();
    at(0);
    const own = { ...from('1.2.3.4'), account: 'mallory' };
    const guessAndLogIn = async () => {
      await throttle.begin(from('1.2.3.4'));
      await throttle.begin(own);
      await throttle.succeeded(own);
    };
    for (let guess = 0; guess < 5; guess += 1) await guessAndLogIn();
    await expect(guessAndLogIn()).rejects.toThrow('from here: try again in 5 s');
  });

  it('lets thirty failures at many accounts pass, whatever the sender logs in to in between', async () => {
    const throttle = await newThrottle();
    at(0);
    const own = { ...from('1.2.3.4'), account: 'mallory' };
    for (let n = 0; n < 30; n += 1) {
      await throttle.begin(own);
      await throttle.succeeded(own);
      await throttle.begin({ ...from('1.2.3.4'), account: `account-${n}` });
    }
    await expect(throttle.begin({ ...from('1.2.3.4'), account: 'next' })).rejects.toThrow(
      'from here: try again in 5 s',
    );
  });

  it('does not keep others of a network out for the repetitions of a wrong login', async () => {
    const throttle = await newThrottle();
    at(0);
    for (let n = 0; n < 100; n += 1) await throttle.begin(from('1.2.3.4')).catch(() => undefined);
    await throttle.begin({ ...from('1.2.3.4'), account: 'ada' });
  });

  it('counts no attempt that is taken back, and lets it be repeated where one had to wait for it', async () => {
    const throttle = await newThrottle();
    at(0);
    await failTimes(throttle, 4);
    for (let repeated = 0; repeated < 9; repeated += 1) {
      await throttle.begin(from('1.2.3.4'));
      await throttle.takeBack(from('1.2.3.4'));
    }
    await failTimes(throttle, 1);
    await expect(throttle.begin(from('1.2.3.4'))).rejects.toThrow('try again in 5 s');
    at(5);
    for (let repeated = 0; repeated < 9; repeated += 1) {
      await throttle.begin(from('1.2.3.4'));
      await throttle.takeBack(from('1.2.3.4'));
    }
    await failTimes(throttle, 1);
    await expect(throttle.begin(from('1.2.3.4'))).rejects.toThrow('try again in 10 s');
  });

  describe('guesses at one account from many addresses', () => {
    const flood = async (throttle: LoginThrottle, times: number, account = 'admin') => {
      let passed = 0;
      for (let n = 0; n < times; n += 1) {
        const guess = throttle.begin({ ...from(`198.51.100.${n}`), account });
        passed += await guess.then(
          () => 1,
          () => 0,
        );
      }
      return passed;
    };

    it('are slowed down after a hundred, and those at others are not', async () => {
      const throttle = await newThrottle();
      at(0);
      expect(await flood(throttle, 150)).toBe(100);
      await expect(throttle.begin(from('203.0.113.1'))).rejects.toThrow('of this account: try again in 5 s');
      expect(await flood(throttle, 20, 'ada')).toBe(20);
    });

    it('do not keep out browsers and networks that logged in to the account before', async () => {
      const throttle = await newThrottle();
      at(0);
      await throttle.begin(from('192.0.2.1'));
      await throttle.succeeded(from('192.0.2.1'));
      await flood(throttle, 150);
      await throttle.begin(from('device 1', true));
      await throttle.begin(from('192.0.2.1'));
      // A success of another account does not count.
      await throttle.begin({ ...from('192.0.2.2'), account: 'ada' });
      await throttle.succeeded({ ...from('192.0.2.2'), account: 'ada' });
      await expect(throttle.begin(from('192.0.2.2'))).rejects.toThrow(TooManyLogins);
    });

    it('are no fewer because a known browser takes attempts back', async () => {
      const throttle = await newThrottle();
      at(0);
      expect(await flood(throttle, 100)).toBe(100);
      for (let repeated = 0; repeated < 9; repeated += 1) {
        await throttle.begin(from('203.0.113.1', true));
        await throttle.takeBack(from('203.0.113.1', true));
      }
      await expect(throttle.begin(from('192.0.2.1'))).rejects.toThrow(TooManyLogins);
    });

    it('count failed logins, not successful ones', async () => {
      const throttle = await newThrottle();
      at(0);
      for (let n = 0; n < 150; n += 1) {
        await throttle.begin(from(`192.0.2.${n}`));
        await throttle.succeeded(from(`192.0.2.${n}`));
      }
      expect(await flood(throttle, 150)).toBe(100);
    });
  });

  if (dialect === 'postgres') {
    it('counts for all replicas together', async () => {
      const database = await open();
      const [one, other] = [new RateLimitStore(database), new RateLimitStore(database)].map(
        (store) => new LoginThrottle(store),
      );
      if (!one || !other) throw new Error('there are two');
      at(0);
      await failTimes(one, 3);
      await failTimes(other, 2);
      await expect(one.begin(from('1.2.3.4'))).rejects.toThrow(TooManyLogins);
      await expect(other.begin(from('1.2.3.4'))).rejects.toThrow(TooManyLogins);
      await other.succeeded(from('1.2.3.4'));
      await one.begin(from('1.2.3.4'));
    });
  }
});
