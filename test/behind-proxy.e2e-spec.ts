import { ADMIN_PASSWORD, TestService } from './support/service.js';

describe('the admin API behind a proxy', () => {
  let service: TestService;
  afterEach(() => service.stop());

  const logIn = (password: string, headers: Record<string, string>) =>
    fetch(new URL('/admin/api/session', service.origin), {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ password }),
    });

  const guessFrom = async (address: string) => (await logIn('wrong', { 'x-forwarded-for': address })).status;

  it('slows down the address that guesses, not the proxy', async () => {
    service = await TestService.start({ env: { PUBLIC_URL: 'http://agents.example.com' } });
    for (let i = 0; i < 6; i += 1) await guessFrom('203.0.113.7');
    expect(await guessFrom('203.0.113.7')).toBe(429);
    expect(await guessFrom('203.0.113.8')).toBe(401);
  });

  it('marks the cookie as secure when the browser came by https', async () => {
    service = await TestService.start({ env: { PUBLIC_URL: 'http://agents.example.com' } });
    const secure = await logIn(ADMIN_PASSWORD, { 'x-forwarded-proto': 'https' });
    expect(secure.headers.get('set-cookie')).toContain('; Secure');
    expect((await logIn(ADMIN_PASSWORD, {})).headers.get('set-cookie')).not.toContain('; Secure');
  });

  it('believes nobody about where a request comes from when there is no public address', async () => {
    service = await TestService.start();
    for (let i = 0; i < 6; i += 1) await guessFrom(`203.0.113.${i}`);
    expect(await guessFrom('203.0.113.99')).toBe(429);
  });
});
