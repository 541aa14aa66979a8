import { TooManyLogins } from './admin-auth.errors.js';
import { LoginThrottle, waitAfterMs } from './login-throttle.service.js';

describe('waitAfterMs', () => {
  it.each([
    [0, 0],
    [4, 0],
    [5, 5_000],
    [6, 10_000],
    [7, 20_000],
    [100, 900_000],
  ])('after %i failures: %i ms', (failures, waitMs) => {
    expect(waitAfterMs(failures)).toBe(waitMs);
  });
});

describe('LoginThrottle', () => {
  const failTimes = (throttle: LoginThrottle, times: number, now = 0) => {
    for (let i = 0; i < times; i++) throttle.begin('1.2.3.4', now);
  };

  it('lets five failures pass, then makes the address wait, longer each time', () => {
    const throttle = new LoginThrottle();
    failTimes(throttle, 5);
    expect(() => throttle.begin('1.2.3.4', 0)).toThrow(TooManyLogins);
    expect(() => throttle.begin('1.2.3.4', 4_999)).toThrow('try again in 1 s');
    throttle.begin('1.2.3.4', 5_000);
    expect(() => throttle.begin('1.2.3.4', 5_001)).toThrow('try again in 10 s');
  });

  it('does not make other addresses wait', () => {
    const throttle = new LoginThrottle();
    failTimes(throttle, 5);
    expect(() => throttle.begin('5.6.7.8', 0)).not.toThrow();
  });

  it('forgets failures after a success, and after an hour', () => {
    const throttle = new LoginThrottle();
    failTimes(throttle, 4);
    throttle.succeeded('1.2.3.4');
    failTimes(throttle, 5);
    failTimes(throttle, 5, 3_600_000);
  });
});
