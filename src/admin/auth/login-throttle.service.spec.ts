import { jest } from '@jest/globals';
import { AttemptStore } from '../../database/attempt.store.js';
import { describeEachDatabase } from '../../database/testing.js';
import { TooManyLogins } from './admin-auth.errors.js';
import { LoginThrottle, waitAfterSeconds } from './login-throttle.service.js';

describe('waitAfterSeconds', () => {
  it.each([
    [0, 0],
    [4, 0],
    [5, 5],
    [6, 10],
    [7, 20],
    [100, 900],
  ])('after %i failures: %i s', (failures, seconds) => {
    expect(waitAfterSeconds(failures)).toBe(seconds);
  });
});

describeEachDatabase('LoginThrottle', (open, dialect) => {
  let now: jest.SpiedFunction<typeof Date.now>;
  beforeEach(() => (now = jest.spyOn(Date, 'now')));
  afterEach(() => now.mockRestore());
  const at = (seconds: number) => now.mockReturnValue(seconds * 1000 + 1);

  const newThrottle = async () => new LoginThrottle(new AttemptStore(await open()));
  const failTimes = async (throttle: LoginThrottle, times: number) => {
    for (let i = 0; i < times; i++) await throttle.begin('1.2.3.4');
  };

  it('lets five failures pass, then makes the address wait, longer each time', async () => {
    const throttle = await newThrottle();
    at(0);
    await failTimes(throttle, 5);
    await expect(throttle.begin('1.2.3.4')).rejects.toThrow(TooManyLogins);
    at(4.999);
    await expect(throttle.begin('1.2.3.4')).rejects.toThrow('try again in 1 s');
    at(5);
    await throttle.begin('1.2.3.4');
    await expect(throttle.begin('1.2.3.4')).rejects.toThrow('try again in 10 s');
    at(15);
    await throttle.begin('1.2.3.4');
    await expect(throttle.begin('1.2.3.4')).rejects.toThrow('try again in 20 s');
  });

  it('lets five pass of many that come at once', async () => {
    const throttle = await newThrottle();
    at(0);
    const guesses = await Promise.allSettled(Array.from({ length: 20 }, () => throttle.begin('1.2.3.4')));
    expect(guesses.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
    at(900);
    const later = await Promise.allSettled(Array.from({ length: 20 }, () => throttle.begin('1.2.3.4')));
    expect(later.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('does not make other addresses wait', async () => {
    const throttle = await newThrottle();
    at(0);
    await failTimes(throttle, 5);
    await throttle.begin('5.6.7.8');
  });

  it('forgets failures after a success, and an hour after the last', async () => {
    const throttle = await newThrottle();
    at(0);
    await failTimes(throttle, 4);
    await throttle.succeeded('1.2.3.4');
    await failTimes(throttle, 5);
    at(3500);
    await throttle.begin('1.2.3.4');
    await expect(throttle.begin('1.2.3.4')).rejects.toThrow('try again in 10 s');
    at(3500 + 3600);
    await failTimes(throttle, 5);
  });

  if (dialect === 'postgres') {
    it('counts for all replicas together', async () => {
      const database = await open();
      const [one, other] = [new AttemptStore(database), new AttemptStore(database)].map(
        (store) => new LoginThrottle(store),
      );
      if (!one || !other) throw new Error('there are two');
      at(0);
      await failTimes(one, 3);
      await failTimes(other, 2);
      await expect(one.begin('1.2.3.4')).rejects.toThrow(TooManyLogins);
      await expect(other.begin('1.2.3.4')).rejects.toThrow(TooManyLogins);
      await other.succeeded('1.2.3.4');
      await one.begin('1.2.3.4');
    });
  }
});
