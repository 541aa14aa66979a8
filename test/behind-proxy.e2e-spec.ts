import { Random } from './fuzz/random.js';
import { seedFrom } from './support/seed.js';
import { ADMIN_PASSWORD, TestService } from './support/service.js';

const random = new Random(seedFrom('PROXY_SEED'));

describe('the admin API behind a proxy', () => {
  let service: TestService;
  afterEach(() => service.stop());

  const start = async (env: Record<string, string> = {}) => (service = await TestService.start({ env }));
  const published = { PUBLIC_URL: 'http://agents.example.com' };

  const logIn = (password: string, headers: Record<string, string> = {}) =>
    fetch(new URL('/admin/api/session', service.origin), {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ password }),
    });

  const guessFrom = async (forwardedFor: string) => (await logIn('wrong', { 'x-forwarded-for': forwardedFor })).status;
  const guessOften = async (forwardedFor: () => string) => {
    const statuses = [];
    for (let i = 0; i < 12; i += 1) statuses.push(await guessFrom(forwardedFor()));
    return statuses;
  };

  it('slows down the address that guesses passwords, not the proxy', async () => {
    await start(published);
    await guessOften(() => '203.0.113.7');
    expect(await guessFrom('203.0.113.7')).toBe(429);
    expect(await guessFrom('203.0.113.8')).toBe(401);
  });

  it.each([
    ['a private address that claims to be another', () => `198.51.100.${random.integer(0, 255)}, 10.0.0.7`],
    ['a loopback address that claims to be another', () => `198.51.100.${random.integer(0, 255)}, 127.0.0.1`],
    ['one IPv6 network', () => `2001:db8:1:2:${random.integer(0, 65_536).toString(16)}::1`],
    ['an address and its form in IPv6', () => (random.integer(0, 2) ? '203.0.113.9' : '::ffff:203.0.113.9')],
  ])('slows down %s', async (_title, forwardedFor) => {
    await start(published);
    expect(await guessOften(forwardedFor)).toContain(429);
  });

  it('trusts as many proxies as are set, with effect at once', async () => {
    await start(published);
    const chain = () => `203.0.113.${random.integer(0, 255)}, 10.0.0.7`;
    await service.admin('PUT', 'config/http.trusted_proxies', { value: ['loopback', '10.0.0.0/8'] });
    expect(await guessFrom('203.0.113.1, 10.0.0.7')).toBe(401);
    await guessOften(() => '203.0.113.1, 10.0.0.7');
    expect(await guessFrom('203.0.113.1, 10.0.0.8')).toBe(429);
    expect(await guessFrom('203.0.113.2, 10.0.0.7')).toBe(401);
    await service.admin('PUT', 'config/http.trusted_proxies', { value: ['10.0.0.0/8'] });
    expect(await guessOften(chain)).toContain(429);
  });

  it('trusts no forwarded address when there is no public URL', async () => {
    await start();
    expect(await guessOften(() => `203.0.113.${random.integer(0, 255)}`)).toContain(429);
  });

  it('trusts listed proxies even without a public URL', async () => {
    await start();
    await service.admin('PUT', 'config/http.trusted_proxies', { value: ['loopback'] });
    await guessOften(() => '203.0.113.7');
    expect(await guessFrom('203.0.113.8')).toBe(401);
  });

  it('lets in a browser that logged in before, while somebody guesses passwords from the same address', async () => {
    await start(published);
    const shared = { 'x-forwarded-for': '203.0.113.7' };
    const first = await logIn(ADMIN_PASSWORD, shared);
    const device = first.headers.getSetCookie().find((cookie) => /^agent_admin_\w+_device=/.test(cookie)) ?? '';
    expect(device).toMatch(/; Max-Age=31536000; Path=\/admin\/api\/session; .*HttpOnly; SameSite=Strict$/);
    const cookie = device.split(';')[0] ?? '';
    const statuses = [];
    for (let i = 0; i < 10; i += 1) {
      await guessOften(() => '203.0.113.7');
      statuses.push((await logIn(ADMIN_PASSWORD, { ...shared, cookie })).status);
    }
    expect(new Set(statuses)).toEqual(new Set([201]));
    expect((await logIn(ADMIN_PASSWORD, shared)).status).toBe(429);
    const forged = `${cookie.slice(0, -5)}AAAAA`;
    expect((await logIn(ADMIN_PASSWORD, { ...shared, cookie: forged })).status).toBe(429);
  });

  it('slows down a browser that logged in before and guesses passwords now', async () => {
    await start(published);
    const [device = ''] = (await logIn(ADMIN_PASSWORD)).headers.getSetCookie().slice(-1);
    const cookie = device.split(';')[0] ?? '';
    const statuses = [];
    for (let i = 0; i < 7; i += 1) statuses.push((await logIn('wrong', { cookie })).status);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429]);
  });

  it('marks the cookies as secure when the browser came by https', async () => {
    await start(published);
    const secure = (await logIn(ADMIN_PASSWORD, { 'x-forwarded-proto': 'https' })).headers.getSetCookie();
    expect(secure.map((cookie) => /^__Host-.*; Path=\/; .*; Secure/.test(cookie))).toEqual([true, true]);
    const plain = (await logIn(ADMIN_PASSWORD)).headers.getSetCookie();
    expect(plain.map((cookie) => /^__Host-|; Secure/.test(cookie))).toEqual([false, false]);
  });
});
