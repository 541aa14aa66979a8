import { SIGN_IN_FAILURES } from '../../../../../src/access/single-sign-on/sign-in-provider.js';
import { pathAfterSignIn, signInErrorIn } from './sign-in-error';

describe('a failed login at a provider', () => {
  it('is told in words of its own, whatever the reason', () => {
    const told = SIGN_IN_FAILURES.map((code) => signInErrorIn(`?a=1&sign-in-error=${code}`));
    expect(new Set(told).size).toBe(SIGN_IN_FAILURES.length);
    expect(told).not.toContain(signInErrorIn('?sign-in-error=constructor'));
    expect(signInErrorIn('?sign-in-error=constructor')).toContain('Log in again');
    expect(signInErrorIn('?a=1')).toBeNull();
  });

  it('is left out of the path that the next one leads to', () => {
    expect(pathAfterSignIn({ pathname: '/admin/skills', search: '?q=a+b&sign-in-error=denied' })).toBe(
      '/admin/skills?q=a+b',
    );
    expect(pathAfterSignIn({ pathname: '/admin/', search: '?sign-in-error=denied' })).toBe('/admin/');
  });
});
