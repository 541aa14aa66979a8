import { createHook } from 'node:async_hooks';
import { Administrators } from '../src/access/accounts/administrators.service.js';
import { AdminPassword } from '../src/access/accounts/admin-password.service.js';
import { Browser, basic, SAME_ORIGIN, send } from './administration/admin-visitor.js';
import { ADMIN_PASSWORD, TestService } from './support/service.js';

describe('attacks on the administration', () => {
  let service: TestService;
  let count = 0;
  TestService.forSuite((started) => (service = started), { env: { PUBLIC_URL: 'http://agents.example.com' } });

  const asAdmin = basic('admin', ADMIN_PASSWORD);
  const roleOf = async (name: string) =>
    (await send(service, 'GET', `administrators/${name}`, { headers: asAdmin })).body['role'];
  async function loggedIn(role: 'viewer' | 'editor' | 'admin') {
    const name = `person-${(count += 1)}`;
    const password = (await service.app.get(Administrators).create(name, role, null)) ?? '';
    const browser = new Browser(service);
    expect(await browser.logIn(name, password)).toBe(201);
    return { name, password, browser };
  }

  describe('sessions', () => {
    it('accept no token that somebody planted in the browser', async () => {
      const { name, password, browser } = await loggedIn('viewer');
      const [cookie] = browser.session;
      for (const planted of ['A'.repeat(43), 'x', 'a'.repeat(5_000)]) {
        const victim = new Browser(service).set(cookie, planted);
        expect(await victim.user()).toBeNull();
        expect(await victim.logIn(name, password)).toBe(201);
        expect(victim.session[1]).not.toBe(planted);
        expect(await new Browser(service).set(cookie, planted).user()).toBeNull();
      }
    });

    it('get a new token with each login, and the previous one of the browser ends', async () => {
      const { name, password, browser } = await loggedIn('viewer');
      const [cookie, former] = browser.session;
      // Session fixation: the attacker has planted their own session, so that the victim works in it.
      const { browser: attacker } = await loggedIn('admin');
      const victim = new Browser(service).set(cookie, attacker.session[1]);
      await victim.logIn(name, password);
      expect(await victim.user()).toBe(name);
      expect(await attacker.user()).toBeNull();
      await browser.logIn(name, password);
      expect(browser.session[1]).not.toBe(former);
      expect(await new Browser(service).set(cookie, former).user()).toBeNull();
    });

    it('are of no use after they have ended, whatever else is sent', async () => {
      const { browser } = await loggedIn('admin');
      const stolen = browser.cookie;
      await browser.send('DELETE', 'session');
      for (const headers of [
        { cookie: stolen },
        { cookie: `${stolen}; ${stolen}` },
        { cookie: stolen, authorization: 'Bearer x' },
        { cookie: stolen, authorization: 'Basic' },
        { cookie: stolen, authorization: `Basic ${Buffer.from('admin:').toString('base64')}` },
      ] as Record<string, string>[]) {
        expect((await send(service, 'GET', 'session', { headers })).status).toBe(401);
      }
    });

    it('are no device cookies, and device cookies no sessions', async () => {
      const { browser } = await loggedIn('admin');
      const [cookie] = browser.session;
      expect(await new Browser(service).set(cookie, browser.device[1]).user()).toBeNull();
      expect(await new Browser(service).set(browser.device[0], browser.session[1]).user()).toBeNull();
    });

    it('of two services on one host do not disturb each other', async () => {
      const other = await TestService.start();
      const mine = new Browser(service);
      await mine.logIn();
      const theirs = new Browser(other);
      await theirs.logIn();
      expect(mine.session[0]).not.toBe(theirs.session[0]);
      expect(mine.device[0]).not.toBe(theirs.device[0]);
      // As a browser does: it sends the cookies of a host to all of its ports.
      const both = `${mine.cookie}; ${theirs.cookie}`;
      const answers = await Promise.all(
        [service, other].map((one) => send(one, 'GET', 'session', { headers: { cookie: both } })),
      );
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      const swapped = new Browser(other).set(theirs.session[0], mine.session[1]);
      expect(await swapped.user()).toBeNull();
      await other.stop();
    });

    it('keep the name of their cookie over a restart', async () => {
      const one = await TestService.start();
      const browser = new Browser(one);
      await browser.logIn();
      const again = await one.restart();
      expect(await browser.user()).toBe('admin');
      await again.stop();
    });
  });

  describe('pages of other sites', () => {
    const FOREIGN: Record<string, string>[] = [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'https://evil.example' },
      { origin: 'null' },
      {},
    ];
    const CHANGES: [method: string, path: string, body: object | undefined][] = [
      ['POST', 'administrators', { name: 'forged', role: 'admin' }],
      ['PUT', 'administrators/admin', { role: 'admin' }],
      ['DELETE', 'administrators/nobody', undefined],
      ['POST', 'administrators/nobody/password', {}],
      ['DELETE', 'administrators/nobody/sessions', undefined],
      ['PUT', 'account/password', { present: ADMIN_PASSWORD, password: 'forged password' }],
      ['DELETE', 'account/sessions', undefined],
      ['DELETE', 'session', undefined],
      ['PUT', 'config/mcp.tool_timeout_ms', { value: 1 }],
    ];

    it.each(CHANGES)('cannot make a logged-in browser send %s %s', async (method, path, body) => {
      const { browser } = await loggedIn('admin');
      for (const headers of FOREIGN) {
        const answer = await send(service, method, path, { headers: { cookie: browser.cookie, ...headers }, body });
        expect([headers, answer.code]).toEqual([headers, 'admin.cross_site_request']);
      }
      expect(await browser.user()).not.toBeNull();
      expect((await send(service, 'GET', 'administrators/forged', { headers: asAdmin })).status).toBe(404);
    });

    it('cannot log a browser in', async () => {
      for (const headers of FOREIGN.slice(0, 3)) {
        const body = { user: 'admin', password: ADMIN_PASSWORD };
        const answer = await send(service, 'POST', 'session', { headers, body });
        expect([answer.code, answer.headers.getSetCookie()]).toEqual(['admin.cross_site_request', []]);
      }
    });

    it.each(['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'text/plain', ''])(
      'get nothing changed by forms of the type %j, not even from here',
      async (type) => {
        const { browser } = await loggedIn('admin');
        const name = 'from-a-form';
        for (const body of [`{"name":"${name}","role":"admin"}`, `name=${name}&role=admin`]) {
          const answer = await browser.send('POST', 'administrators', body, { 'content-type': type });
          expect(answer.status).toBe(415);
        }
        expect((await browser.send('GET', `administrators/${name}`)).status).toBe(404);
      },
    );

    it('get no leave to read answers', async () => {
      const preflight = { origin: 'https://evil.example', 'access-control-request-method': 'PUT' };
      for (const [method, path] of [
        ['OPTIONS', 'config/mcp.tool_timeout_ms'],
        ['GET', 'session'],
      ] as const) {
        const { headers } = await send(service, method, path, { headers: { ...asAdmin, ...preflight } });
        expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
      }
    });
  });

  it('cannot put any answer of the administration into a frame', async () => {
    const requests: [path: string, init: RequestInit][] = [
      ['/admin', {}],
      ['/admin/', {}],
      ['/admin/skills', {}],
      ['/admin/sign-in/x', {}],
      ['/admin/assets/none.js', {}],
      ['/ADMIN/api/session', {}],
      ['/admin/api/session', {}],
      ['/admin/api/session', { headers: asAdmin }],
      ['/admin/api/openapi.json', {}],
      ['/admin/api/administrators/nobody', { headers: asAdmin }],
      ['/admin/api/nothing', {}],
      ['/admin/api/session', { method: 'POST', body: 'x', headers: { 'content-type': 'application/json' } }],
      ['/admin/api/session', { method: 'POST', headers: { 'sec-fetch-site': 'cross-site' } }],
      ['/admin/api/feeds/%E0%A4%A', { headers: asAdmin }],
      ['/admin/%E0%A4%A', {}],
    ];
    for (const [path, init] of requests) {
      const { headers, status } = await fetch(new URL(path, service.origin), { redirect: 'manual', ...init });
      expect([path, status, headers.get('content-security-policy')]).toEqual([
        path,
        status,
        expect.stringContaining("frame-ancestors 'none'"),
      ]);
      expect([path, headers.get('x-frame-options')]).toEqual([path, 'SAMEORIGIN']);
      expect([path, headers.get('x-content-type-options')]).toEqual([path, 'nosniff']);
    }
  });

  describe('more rights', () => {
    it('are not had by editors and viewers for themselves', async () => {
      for (const role of ['viewer', 'editor'] as const) {
        const { name, browser } = await loggedIn(role);
        const answers = [
          await browser.send('PUT', `administrators/${name}`, { role: 'admin' }),
          await browser.send('POST', `administrators/${name}/password`, {}),
          await browser.send('POST', 'administrators/admin/password', {}),
          await browser.send('POST', 'administrators', { name: `${name}-2`, role: 'admin' }),
          await browser.send('DELETE', 'administrators/admin/sessions'),
        ];
        expect(answers.map(({ code }) => code)).toEqual(answers.map(() => 'admin.forbidden_role'));
        expect(await roleOf(name)).toBe(role);
      }
    });

    it.each([
      ['PUT', 'account/password', { role: 'admin' }],
      ['PUT', 'account/password', { user: 'admin' }],
      ['PUT', 'account/password', { name: 'admin' }],
      ['POST', 'session', { role: 'admin' }],
      ['PUT', 'account/password', JSON.parse('{"__proto__":{"role":"admin"}}') as object],
      ['PUT', 'account/password', { constructor: { prototype: { role: 'admin' } } }],
    ])('do not come with fields that %s %s does not take: %j', async (method, path, extra) => {
      const { name, password, browser } = await loggedIn('viewer');
      const fields = path === 'session' ? { user: name, password } : { present: password, password: 'a new long one' };
      const text = JSON.stringify(fields).slice(0, -1) + ',' + JSON.stringify(extra).slice(1);
      await browser.send(method, path, text, { 'content-type': 'application/json' });
      expect(await roleOf(name)).toBe('viewer');
      const again = new Browser(service);
      await again.logIn(name, password);
      if ((await again.user()) === null) await again.logIn(name, 'a new long one');
      expect((await again.send('GET', 'session')).body).toMatchObject({ user: name, role: 'viewer' });
      expect(({} as { role?: string }).role).toBeUndefined();
    });

    it('do not come with two Authorization headers, or with headers of proxies', async () => {
      const { name, password } = await loggedIn('viewer');
      for (const headers of [
        { 'x-forwarded-user': 'admin' },
        { 'x-remote-user': 'admin' },
        { 'x-original-url': '/admin/api/session' },
        { 'x-rewrite-url': '/admin/api/administrators' },
      ] as Record<string, string>[]) {
        const answer = await send(service, 'GET', 'session', { headers: { ...basic(name, password), ...headers } });
        expect(answer.body).toMatchObject({ user: name, role: 'viewer' });
        const list = await send(service, 'GET', 'administrators', {
          headers: { ...basic(name, password), ...headers },
        });
        expect(list.status).toBe(403);
      }
    });
  });

  describe('guesses of passwords', () => {
    const from = (address: string) => ({ 'x-forwarded-for': address });
    const guess = (address: string, user: string, password: string, headers: Record<string, string> = {}) =>
      send(service, 'POST', 'session', {
        headers: { ...SAME_ORIGIN, ...from(address), ...headers },
        body: { user, password },
      });

    it('get the same answer for a wrong password and an unknown name', async () => {
      const { name } = await loggedIn('viewer');
      const [wrong, unknown, odd] = await Promise.all([
        guess('198.51.100.1', name, 'a wrong password'),
        guess('198.51.100.2', 'nobody', 'a wrong password'),
        guess('198.51.100.3', 'No Name \u200b', 'a wrong password'),
      ]);
      expect(wrong.status).toBe(401);
      for (const other of [unknown, odd]) expect([other.status, other.body]).toEqual([wrong.status, wrong.body]);
    });

    it('cost as much for an unknown name as for a wrong password', async () => {
      const { name } = await loggedIn('viewer');
      const account = await service.app.get(Administrators).get(name);
      const password = service.app.get(AdminPassword);
      const derived = async (checked: typeof account | undefined) => {
        let count = 0;
        const hook = createHook({ init: (_id, type) => void (count += Number(type === 'SCRYPTREQUEST')) }).enable();
        expect(await password.matches(checked, 'a wrong password')).toBe(false);
        hook.disable();
        return count;
      };
      expect([await derived(account), await derived(undefined)]).toEqual([1, 1]);
    });
  });
});
