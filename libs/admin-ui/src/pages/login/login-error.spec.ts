import { LOGIN_FAILURES } from '../../../../../src/access/single-sign-on/login-provider.js';
import { pathAfterLogin, loginErrorIn } from './login-error';

describe('a failed login at a provider', () => {
  it('has its own message for each reason', () => {
    const told = LOGIN_FAILURES.map((code) => loginErrorIn(`?a=1&login-error=${code}`));
    expect(new Set(told).size).toBe(LOGIN_FAILURES.length);
    expect(told).not.toContain(loginErrorIn('?login-error=constructor'));
    expect(loginErrorIn('?login-error=constructor')).toContain('Log in again');
    expect(loginErrorIn('?a=1')).toBeNull();
  });

  it('is left out of the path that the next one leads to', () => {
    expect(pathAfterLogin({ pathname: '/admin/skills', search: '?q=a+b&login-error=denied' })).toBe(
      '/admin/skills?q=a+b',
    );
    expect(pathAfterLogin({ pathname: '/admin/', search: '?login-error=denied' })).toBe('/admin/');
  });
});
