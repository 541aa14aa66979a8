import { Administrators } from '../src/access/accounts/administrators.service.js';
import { LoginThrottle } from '../src/access/accounts/login-throttle.service.js';
import { AuditLog } from '../src/access/audit/audit-log.service.js';
import { AccountIdentityStore } from '../src/access/single-sign-on/account-identity.store.js';
import { Database } from '../src/platform/database/database.js';
import { everythingIn } from '../src/platform/database/testing.js';
import { basic, send } from './administration/admin-visitor.js';
import { freePort } from './harness/free-port.js';
import { CLIENT_ID, CLIENT_SECRET, CompanyProvider } from './support/company-provider.js';
import { describeOnEachDatabase } from './support/databases.js';
import { describeOnNewPostgres } from './support/postgres.js';
import { ADMIN_PASSWORD, TestService } from './support/service.js';
import { Visitor } from './support/visitor.js';

const COMPANY = {
  name: 'company',
  title: 'Company',
  clientId: CLIENT_ID,
  secret: CLIENT_SECRET,
  groupsClaim: 'groups',
  rules: [
    { group: 'IT Operations', role: 'editor', groups: ['ops'] },
    { group: 'Heads', role: 'admin', groups: [] },
    { group: 'On call', role: null, groups: ['on-call', 'ops'] },
  ],
};

const isCallback = (url: URL) => url.pathname === '/admin/api/sso/callback';
const start = (service: TestService, to?: string) =>
  `${service.origin}/admin/api/sso/company/start${to === undefined ? '' : `?to=${encodeURIComponent(to)}`}`;
const errorIn = (url: string) => new URL(url).searchParams.get('login-error');

/** Completes a login; returns the final URL. */
const logIn = (visitor: Visitor, service: TestService, to?: string) => visitor.follow(start(service, to));

/** Goes through the provider, and stops at its redirect back to the service. */
const untilAnswer = (visitor: Visitor, service: TestService) => visitor.follow(start(service), isCallback);

describeOnEachDatabase('single sign-on', (data) => {
  let service: TestService;
  let company: CompanyProvider;
  let people = 0;
  beforeAll(async () => {
    const port = await freePort();
    company = await CompanyProvider.start([`http://127.0.0.1:${port}`]);
    const env = { ...data.env, PORT: String(port), HTTP_ALLOWED_HOSTS: '["127.0.0.1"]' };
    service = await TestService.start({ env });
    const { status } = await service.admin('POST', 'login-providers', { ...COMPANY, issuer: company.issuer });
    expect(status).toBe(201);
  });
  beforeEach(() => company.set({ person: newPerson(), denies: false, isDown: false, skewSeconds: 0 }));
  afterAll(async () => {
    await service.stop();
    await company.stop();
  });

  const newPerson = (more: object = {}) => {
    people += 1;
    return { sub: `person-${people}`, preferred_username: `person.${people}`, ...more };
  };
  const change = async (body: object) => {
    expect((await service.admin('PUT', 'login-providers/company', body)).status).toBe(200);
  };
  const accounts = () => service.app.get(Administrators, { strict: false });

  it('makes an account at the first login, and finds it at the next', async () => {
    const person = newPerson({ preferred_username: 'Zoë.Müller@example.com', groups: ['IT Operations', 'Canteen'] });
    await company.set({ person });
    const visitor = new Visitor();
    expect(await logIn(visitor, service)).toBe(`${service.origin}/admin/`);
    expect(await visitor.identity(service.origin)).toMatchObject({
      user: 'zoe.muller',
      role: 'editor',
      method: 'session',
    });
    const other = new Visitor();
    await company.set({ person: { ...person, preferred_username: 'zoe.married' } });
    await logIn(other, service);
    expect(await other.identity(service.origin)).toMatchObject({ user: 'zoe.muller' });
    expect(await accounts().get('zoe.muller')).toMatchObject({ groups: ['ops'], hasPassword: false });
    expect((await accounts().get('zoe.muller')).lastLoginAt).not.toBeNull();
    await service.app.get(AuditLog, { strict: false }).flush();
    const log = (await service.admin('GET', 'audit?kind=login')).body['items'] as object[];
    expect(log).toContainEqual(
      expect.objectContaining({ admin: 'zoe.muller', action: 'finishLogin', subject: 'sso/company' }),
    );
  });

  it('assigns role and groups by the rules at every login, and ends the sessions of a previous role', async () => {
    const person = newPerson();
    const name = person.preferred_username;
    const visitor = new Visitor();
    for (const [groups, role, given] of [
      [['Heads', 'On call'], 'admin', ['on-call', 'ops']],
      [['On call'], 'member', ['on-call', 'ops']],
      [['IT Operations'], 'editor', ['ops']],
      [undefined, 'member', []],
    ] as const) {
      await company.set({ person: { ...person, ...(groups && { groups }) } });
      const next = new Visitor();
      await logIn(next, service);
      expect(await next.identity(service.origin)).toMatchObject({ user: name, role });
      expect(await accounts().get(name)).toMatchObject({ role, groups: given });
      if (role === 'admin') await logIn(visitor, service);
    }
    expect(await visitor.identity(service.origin)).toBeNull();
  });

  it('leaves to administrators what no rule is about', async () => {
    await change({ rules: [], groupsClaim: null, defaultRole: 'viewer' });
    const person = newPerson();
    await company.set({ person });
    await logIn(new Visitor(), service);
    await accounts().update(person.preferred_username, { role: 'editor', groups: ['mine'] });
    const visitor = new Visitor();
    await logIn(visitor, service);
    expect(await accounts().get(person.preferred_username)).toMatchObject({ role: 'editor', groups: ['mine'] });
    await change({ rules: COMPANY.rules, groupsClaim: 'groups', defaultRole: 'member' });
  });

  it('reads groups at a path of claims, and refuses a person whose groups were left out', async () => {
    await change({ groupsClaim: 'realm_access.roles' });
    const person = newPerson({ realm_access: { roles: ['Heads'] } });
    await company.set({ person });
    const visitor = new Visitor();
    await logIn(visitor, service);
    expect(await visitor.identity(service.origin)).toMatchObject({ role: 'admin' });
    await change({ groupsClaim: 'groups' });
    await company.set({ person: { ...person, _claim_names: { groups: 'src1' } } });
    expect(errorIn(await logIn(new Visitor(), service))).toBe('groups_missing');
  });

  it('never links an account by its name', async () => {
    const password = await accounts().create('ada', 'admin', null);
    await company.set({ person: newPerson({ preferred_username: 'ada' }) });
    const visitor = new Visitor();
    await logIn(visitor, service);
    expect(await visitor.identity(service.origin)).toMatchObject({ user: 'ada-2', role: 'member' });
    await company.set({ person: newPerson({ preferred_username: 'admin', email: 'admin@example.com' }) });
    const other = new Visitor();
    await logIn(other, service);
    expect(await other.identity(service.origin)).toMatchObject({ user: 'admin-2', role: 'member' });
    const { status } = await send(service, 'GET', 'session', { headers: basic('ada', password ?? '') });
    expect(status).toBe(200);
  });

  it('lets nobody use a password at an account that has none', async () => {
    const person = newPerson();
    await company.set({ person });
    await logIn(new Visitor(), service);
    for (const password of ['', 'none', 'x'.repeat(20)]) {
      const headers = basic(person.preferred_username, password);
      expect((await send(service, 'GET', 'session', { headers })).status).toBe(401);
    }
  });

  it('refuses a disabled account, and one that is not made', async () => {
    const person = newPerson();
    await company.set({ person });
    const visitor = new Visitor();
    await logIn(visitor, service);
    await accounts().update(person.preferred_username, { disabled: true });
    expect(await visitor.identity(service.origin)).toBeNull();
    expect(errorIn(await logIn(visitor, service))).toBe('account_disabled');
    expect(await visitor.identity(service.origin)).toBeNull();
    await change({ makesAccounts: false });
    await company.set({ person: newPerson() });
    expect(errorIn(await logIn(new Visitor(), service))).toBe('no_account');
    await change({ makesAccounts: true });
  });

  it('does not restore the deleted account of a person, but creates a new one', async () => {
    const person = newPerson();
    await company.set({ person });
    await logIn(new Visitor(), service);
    await accounts().remove(person.preferred_username);
    const identity = { issuer: company.issuer, subject: person.sub };
    expect(await service.app.get(AccountIdentityStore, { strict: false }).findAccount(identity)).toBeUndefined();
    await logIn(new Visitor(), service);
    expect(await accounts().find(person.preferred_username)).toMatchObject({ role: 'member' });
  });

  it('says that the person said no, and goes where the login began', async () => {
    await company.set({ denies: true });
    const url = await logIn(new Visitor(), service, '/admin/skills?q=a&x=1');
    expect(url).toBe(`${service.origin}/admin/skills?q=a&x=1&login-error=denied`);
  });

  it.each([
    ['/admin/sign-in/abc?x=1', '/admin/sign-in/abc?x=1'],
    ['//evil.example', '/admin/'],
  ])('leads from a login that asks for %j to %s', async (to, where) => {
    expect(await logIn(new Visitor(), service, to)).toBe(service.origin + where);
  });

  it('asks the provider with PKCE S256, state and nonce, which differ each time', async () => {
    const visitor = new Visitor();
    const asked = [];
    for (let time = 0; time < 2; time += 1) {
      const { status, location } = await visitor.get(start(service));
      expect(status).toBe(303);
      const { searchParams } = new URL(location ?? '');
      expect(Object.fromEntries(searchParams)).toMatchObject({
        response_type: 'code',
        code_challenge_method: 'S256',
        scope: 'openid profile email',
        redirect_uri: `${service.origin}/admin/api/sso/callback`,
      });
      asked.push(...['state', 'nonce', 'code_challenge'].map((name) => searchParams.get(name)));
    }
    expect(new Set(asked).size).toBe(6);
    expect(asked).not.toContain(null);
  });

  it('takes an answer once', async () => {
    const visitor = new Visitor();
    const answer = await untilAnswer(visitor, service);
    // The cookie of the login attempt is copied before it is used.
    const copy = visitor.cookieFor(service.origin);
    expect(errorIn((await visitor.get(answer)).location ?? '')).toBeNull();
    const replayed = await new Visitor().get(answer, { cookie: copy });
    expect(errorIn(replayed.location ?? '')).toBe('expired');
    expect(errorIn((await visitor.get(answer)).location ?? '')).toBe('expired');
  });

  it('takes the answers of several tabs, at one provider and at two, in any order', async () => {
    await service.admin('POST', 'login-providers', { ...COMPANY, name: 'branch', issuer: company.issuer });
    const visitor = new Visitor();
    const answers = [];
    for (const [provider, to] of [
      ['company', '/admin/?tab=1'],
      ['branch', '/admin/?tab=2'],
      ['company', '/admin/?tab=3'],
    ] as const)
      answers.push(await visitor.follow(start(service, to).replace('company', provider), isCallback));
    const order = [2, 0, 1];
    for (const tab of order)
      expect((await visitor.get(answers[tab] ?? '')).location).toBe(`${service.origin}/admin/?tab=${tab + 1}`);
    for (const answer of answers) expect(errorIn((await visitor.get(answer)).location ?? '')).toBe('expired');
    await service.admin('DELETE', 'login-providers/branch');
  });

  it('accepts no response of another browser (login CSRF), and none with another state', async () => {
    const answer = await untilAnswer(new Visitor(), service);
    const victim = new Visitor();
    expect(errorIn((await victim.get(answer)).location ?? '')).toBe('expired');
    await victim.get(start(service));
    expect(errorIn((await victim.get(answer)).location ?? '')).toBe('expired');
    expect(await victim.identity(service.origin)).toBeNull();
  });

  it('accepts no response with the iss of another provider (mix-up), and none without one', async () => {
    for (const iss of ['https://evil.example', null]) {
      const visitor = new Visitor();
      const answer = new URL(await untilAnswer(visitor, service));
      expect(answer.searchParams.get('iss')).toBe(company.issuer);
      if (iss === null) answer.searchParams.delete('iss');
      else answer.searchParams.set('iss', iss);
      expect([iss, errorIn((await visitor.get(answer)).location ?? '')]).toEqual([iss, 'refused']);
      expect(await visitor.identity(service.origin)).toBeNull();
      await logIn(new Visitor(), service);
    }
  });

  it('accepts no ID token with the nonce of another attempt', async () => {
    const visitor = new Visitor();
    const asked = new URL((await visitor.get(start(service))).location ?? '');
    asked.searchParams.set('nonce', 'of-another-attempt');
    const answer = await visitor.follow(asked, isCallback);
    expect(errorIn((await visitor.get(answer)).location ?? '')).toBe('refused');
    expect(await visitor.identity(service.origin)).toBeNull();
  });

  it('does not take an answer once the provider is disabled or has another issuer', async () => {
    for (const [former, meanwhile, failure] of [
      [{ enabled: true }, { enabled: false }, 'unknown_provider'],
      [{ issuer: company.issuer }, { issuer: 'https://other.example', secret: 'x' }, 'expired'],
    ] as const) {
      const visitor = new Visitor();
      const answer = await untilAnswer(visitor, service);
      await change(meanwhile);
      expect(errorIn((await visitor.get(answer)).location ?? '')).toBe(failure);
      await change({ ...former, secret: CLIENT_SECRET });
    }
    await logIn(new Visitor(), service);
  });

  it.each([
    [50, null],
    [-50, null],
    [300, 'refused'],
    [-300, 'refused'],
  ])('takes a clock that is %d s ahead of ours: %j', async (skewSeconds, failure) => {
    await company.set({ skewSeconds });
    expect(errorIn(await logIn(new Visitor(), service))).toBe(failure);
    await company.set({ skewSeconds: 0 });
    await logIn(new Visitor(), service);
  });

  it('continues when the provider signs with other keys', async () => {
    await logIn(new Visitor(), service);
    await company.set({ rotates: true });
    expect(errorIn(await logIn(new Visitor(), service))).toBeNull();
  });

  it('reports that the provider is down, lets others in, and continues when it is back', async () => {
    const visitor = new Visitor();
    const answer = await untilAnswer(visitor, service);
    await company.set({ isDown: true });
    expect(errorIn((await visitor.get(answer)).location ?? '')).toBe('unreachable');
    expect((await service.admin('GET', 'overview')).status).toBe(200);
    const { body } = await service.admin('POST', 'login-providers/company/test', {});
    expect(body['problems']).toEqual([expect.stringContaining("can't be reached")]);
    await company.set({ isDown: false });
    expect(errorIn(await logIn(visitor, service))).toBeNull();
  });

  it('says at the start that a provider cannot be reached, or does not exist', async () => {
    await service.admin('POST', 'login-providers', {
      ...{ name: 'nowhere', title: 'Nowhere', clientId: 'x' },
      issuer: `http://127.0.0.1:${await freePort()}`,
    });
    const failures = ['nowhere', 'nobody', '__proto__'].map(async (name) =>
      errorIn((await new Visitor().get(`${service.origin}/admin/api/sso/${name}/start`)).location ?? ''),
    );
    expect(await Promise.all(failures)).toEqual(['unreachable', 'unknown_provider', 'unknown_provider']);
    await service.admin('DELETE', 'login-providers/nowhere');
  });

  it('says that the secret of the service is wrong, and not to whom', async () => {
    await change({ secret: 'another one' });
    expect(errorIn(await logIn(new Visitor(), service))).toBe('misconfigured');
    await change({ secret: CLIENT_SECRET });
  });

  it('slows down who tries out answers', async () => {
    const failures = [];
    for (let time = 0; time < 7; time += 1) {
      const visitor = new Visitor();
      const answer = new URL(await untilAnswer(visitor, service));
      answer.searchParams.set('code', `guess-${time}`);
      failures.push(errorIn((await visitor.get(answer)).location ?? ''));
    }
    expect(failures).toEqual([...Array<string>(5).fill('failed'), 'too_many_attempts', 'too_many_attempts']);
    expect((await service.admin('GET', 'overview')).status).toBe(200);
    const sender = { sender: 'sso 127.0.0.1', account: '', isKnown: true };
    await service.app.get(LoginThrottle, { strict: false }).succeeded(sender);
    expect(errorIn(await logIn(new Visitor(), service))).toBeNull();
  });

  describe('when somebody logs out', () => {
    const logOut = async (visitor: Visitor): Promise<unknown> => {
      const headers = { origin: service.origin };
      const { status, body } = await visitor.get(`${service.origin}/admin/api/session`, headers, { method: 'DELETE' });
      expect(status).toBe(200);
      expect(await visitor.identity(service.origin)).toBeNull();
      return (JSON.parse(body) as { to: unknown }).to;
    };

    it('redirects to the logout of their provider, which may return to the login page, without revealing anything', async () => {
      const visitor = new Visitor();
      await logIn(visitor, service, '/admin/skills');
      const to = new URL(String(await logOut(visitor)));
      expect([to.origin, Object.fromEntries(to.searchParams)]).toEqual([
        company.issuer,
        { client_id: CLIENT_ID, post_logout_redirect_uri: `${service.origin}/admin/` },
      ]);
      const asked = await visitor.get(to);
      expect([asked.status, asked.body]).toEqual([200, expect.stringContaining('<form')]);
      const refused = new URL(to);
      refused.searchParams.set('post_logout_redirect_uri', 'https://evil.example/');
      expect((await visitor.get(refused)).status).toBe(400);
    });

    it('leads nowhere whom a password let in, in the browser of somebody who came from a provider', async () => {
      const visitor = new Visitor();
      await logIn(visitor, service);
      const body = JSON.stringify({ user: 'admin', password: ADMIN_PASSWORD });
      const headers = { origin: service.origin, 'content-type': 'application/json' };
      await visitor.get(`${service.origin}/admin/api/session`, headers, { method: 'POST', body });
      expect(await logOut(visitor)).toBeNull();
    });

    it('leads nowhere while the provider is down or disabled', async () => {
      const [one, other] = [new Visitor(), new Visitor()];
      for (const visitor of [one, other]) await logIn(visitor, service);
      await change({ enabled: false });
      expect(await logOut(one)).toBeNull();
      await change({ enabled: true });
      await change({ issuer: `http://127.0.0.1:${await freePort()}`, secret: CLIENT_SECRET });
      expect(await logOut(other)).toBeNull();
      await change({ issuer: company.issuer, secret: CLIENT_SECRET });
    });

    it.each([[''], ['javascript:alert(1)'], ['//evil.example'], ['data:text/html,x']])(
      'leads nowhere when the provider announces %j',
      async (END_SESSION) => {
        const provider = await CompanyProvider.start([service.origin], { END_SESSION });
        await service.admin('POST', 'login-providers', { ...COMPANY, name: 'odd', issuer: provider.issuer });
        const visitor = new Visitor();
        await visitor.follow(start(service).replace('company', 'odd'));
        expect(await visitor.identity(service.origin)).not.toBeNull();
        expect(await logOut(visitor)).toBeNull();
        await service.admin('DELETE', 'login-providers/odd');
        await provider.stop();
      },
    );
  });

  describe('linking an account that exists', () => {
    let count = 0;
    /** Returns a browser in which an account has logged in with a password. */
    const newOwner = async () => {
      const name = `owner-${(count += 1)}`;
      const password = (await accounts().create(name, 'viewer', null)) ?? '';
      const visitor = new Visitor();
      const logInHere = () => post(visitor, 'session', { user: name, password });
      expect((await logInHere()).status).toBe(201);
      return { name, password, visitor, logInHere };
    };
    const headers = () => ({ origin: service.origin, 'content-type': 'application/json' });
    const post = (visitor: Visitor, path: string, body: object = {}) =>
      visitor.get(`${service.origin}/admin/api/${path}`, headers(), { method: 'POST', body: JSON.stringify(body) });
    const remove = async (visitor: Visitor, id: string) => {
      const url = `${service.origin}/admin/api/account/identities/${id}`;
      const { status, body } = await visitor.get(url, headers(), { method: 'DELETE' });
      return status === 204 ? '' : (JSON.parse(body) as { code: string }).code;
    };
    const begin = async (visitor: Visitor) => {
      const { status, body } = await post(visitor, 'account/identities/company');
      return [status, JSON.parse(body) as { to: string; code: string }] as const;
    };
    const untilLinkAnswer = async (visitor: Visitor) => visitor.follow((await begin(visitor))[1].to, isCallback);
    const linksOf = async (visitor: Visitor) =>
      (
        JSON.parse((await visitor.get(`${service.origin}/admin/api/account/identities`)).body) as {
          items: { id: string }[];
        }
      ).items;

    it('is done by its owner, who logs in to it at the provider from then on, until it is removed', async () => {
      const person = newPerson({ groups: ['IT Operations'] });
      await company.set({ person });
      const { name, visitor } = await newOwner();
      expect((await visitor.get(await untilLinkAnswer(visitor))).location).toBe(`${service.origin}/admin/account`);
      const [link, ...others] = await linksOf(visitor);
      expect([link, others]).toEqual([
        {
          id: expect.any(String) as string,
          issuer: company.issuer,
          subject: person.sub,
          createdAt: expect.any(String) as string,
        },
        [],
      ]);
      // It linked an identity and was no login: role, groups and session stay the same.
      expect(await visitor.identity(service.origin)).toMatchObject({ user: name, role: 'viewer' });
      const other = new Visitor();
      await logIn(other, service);
      expect(await other.identity(service.origin)).toMatchObject({ user: name, role: 'editor' });
      await service.app.get(AuditLog, { strict: false }).flush();
      const log = (await service.admin('GET', 'audit?kind=change')).body['items'];
      const entry = { kind: 'change', admin: name, action: 'linkIdentity', subject: 'sso/company', outcome: 'ok' };
      expect(log).toContainEqual(expect.objectContaining(entry));
      expect((await service.admin('GET', `administrators/${name}/identities`)).body['items']).toEqual([link]);
      expect(await remove(other, link?.id ?? '')).toBe('');
      expect(await remove(other, link?.id ?? '')).toBe('sso.identity_not_found');
      await logIn(new Visitor(), service);
      expect(await accounts().get(person.preferred_username)).toMatchObject({ hasPassword: false });
    });

    it('takes a session that the password has opened', async () => {
      const { name, password, visitor } = await newOwner();
      await visitor.get(await untilLinkAnswer(visitor));
      await logIn(visitor, service);
      expect((await visitor.identity(service.origin))?.['user']).toBe(name);
      const code = 'admin.password_login_needed';
      expect(await begin(visitor)).toEqual([403, expect.objectContaining({ code })]);
      const byScript = await send(service, 'POST', 'account/identities/company', { headers: basic(name, password) });
      expect([byScript.status, byScript.code]).toEqual([403, code]);
      expect((await post(new Visitor(), 'account/identities/company')).status).toBe(401);
    });

    it('is refused for an identity that another account has, and for the built-in account', async () => {
      await logIn(new Visitor(), service);
      const { name, visitor } = await newOwner();
      const { location } = await visitor.get(await untilLinkAnswer(visitor));
      expect(location).toBe(`${service.origin}/admin/account?login-error=linked_elsewhere`);
      expect(await linksOf(visitor)).toEqual([]);
      const next = new Visitor();
      await logIn(next, service);
      expect((await next.identity(service.origin))?.['user']).not.toBe(name);
      const admin = new Visitor();
      await post(admin, 'session', { user: 'admin', password: ADMIN_PASSWORD });
      expect(await begin(admin)).toEqual([409, expect.objectContaining({ code: 'sso.built_in' })]);
    });

    it.each<[what: string, meanwhile: (owner: { name: string; visitor: Visitor }) => Promise<unknown>]>([
      [
        'the owner has logged out',
        ({ visitor }) => visitor.get(`${service.origin}/admin/api/session`, headers(), { method: 'DELETE' }),
      ],
      ['the account was disabled', ({ name }) => accounts().update(name, { disabled: true })],
      ['the account was deleted', ({ name }) => accounts().remove(name)],
      ['its sessions were ended', ({ name }) => accounts().endSessions(name)],
    ])('does not happen once %s', async (_what, meanwhile) => {
      const { name, visitor } = await newOwner();
      const answer = await untilLinkAnswer(visitor);
      await meanwhile({ name, visitor });
      expect(errorIn((await visitor.get(answer)).location ?? '')).toBe('expired');
      await logIn(new Visitor(), service);
      const made = await new Visitor().follow(start(service));
      expect(errorIn(made)).toBeNull();
      expect((await service.admin('GET', `administrators/${name}/identities`)).body['items'] ?? []).toEqual([]);
    });

    it('does not happen in another browser, and an answer to a login links nothing', async () => {
      const { visitor, logInHere } = await newOwner();
      const answer = await untilAnswer(new Visitor(), service);
      expect(errorIn((await visitor.get(answer)).location ?? '')).toBe('expired');
      const victim = await newOwner();
      const planted = await untilLinkAnswer(visitor);
      expect(errorIn((await victim.visitor.get(planted)).location ?? '')).toBe('expired');
      expect(await linksOf(victim.visitor)).toEqual([]);
      await logIn(visitor, service);
      await logInHere();
      expect(await linksOf(visitor)).toEqual([]);
    });

    it('is kept as the last way to log in of somebody who has no password', async () => {
      const visitor = new Visitor();
      await logIn(visitor, service);
      const [link] = await linksOf(visitor);
      expect(await remove(visitor, link?.id ?? '')).toBe('sso.last_identity');
      const { user } = (await visitor.identity(service.origin)) ?? {};
      const path = `administrators/${String(user)}/identities/${link?.id}`;
      expect((await service.admin('DELETE', path)).status).toBe(204);
      expect((await service.admin('DELETE', path)).status).toBe(404);
    });

    it('says when the provider is gone, at the page of the account', async () => {
      const { visitor } = await newOwner();
      await change({ enabled: false });
      expect((await begin(visitor))[1].to).toBe('/admin/account?login-error=unknown_provider');
      await change({ enabled: true });
    });

    it('is done ten times at most', async () => {
      const { name, visitor } = await newOwner();
      const store = service.app.get(AccountIdentityStore, { strict: false });
      for (let number = 0; number < 10; number += 1)
        await store.link({ issuer: 'https://other.example', subject: `${name}-${number}` }, name, new Date());
      expect(await begin(visitor)).toEqual([409, expect.objectContaining({ code: 'sso.too_many_identities' })]);
    });
  });

  it('keeps passwords for admin only while sso.only is on', async () => {
    const password = (await accounts().create('local', 'editor', null)) ?? '';
    const choices = async () => (await send(service, 'GET', 'sso/providers')).body;
    const withPassword = async (user: string, secret: string) => [
      (await send(service, 'POST', 'session', { body: { user, password: secret } })).code,
      (await send(service, 'GET', 'session', { headers: basic(user, secret) })).code,
    ];
    expect(await choices()).toEqual({ items: [{ name: 'company', title: 'Company' }], onlyAdminHasPassword: false });
    expect(await withPassword('local', password)).toEqual(['', '']);
    await service.admin('PUT', 'config/sso.only', { value: 'on' });
    expect(await choices()).toMatchObject({ onlyAdminHasPassword: true });
    expect(await withPassword('local', password)).toEqual(['admin.passwords_off', 'admin.passwords_off']);
    expect((await service.admin('GET', 'overview')).status).toBe(200);
    expect(errorIn(await logIn(new Visitor(), service))).toBeNull();
    await service.admin('DELETE', 'config/sso.only');
    expect(await withPassword('local', password)).toEqual(['', '']);
  });

  it('stores and shows no secret', async () => {
    const listed = JSON.stringify((await service.admin('GET', 'login-providers')).body);
    expect(listed).toContain('"hasSecret":true');
    const stored = await everythingIn(service.app.get(Database, { strict: false }));
    expect(stored).toContain(`"client_id":"${CLIENT_ID}"`);
    for (const text of [listed, stored]) expect(text).not.toContain(CLIENT_SECRET);
  });

  it.each<[body: object, field: string]>([
    [{ issuer: 'http://login.example.com' }, 'issuer'],
    [{ issuer: 'ftp://login.example.com' }, 'issuer'],
    [{ issuer: 'https://user:pw@login.example.com' }, 'issuer'],
    [{ issuer: 'https://login.example.com' }, 'secret'],
    [{ scopes: ['profile'] }, 'scopes'],
    [{ scopes: ['open id'] }, 'scopes'],
    [{ defaultRole: 'owner' }, 'defaultRole'],
    [{ rules: [{ group: 'x', role: 'admin', groups: ['Not A Name'] }] }, 'rules'],
    [{ title: '' }, 'title'],
    [{ groupsClaim: '' }, 'groupsClaim'],
  ])('is not configured as %j', async (body, field) => {
    const answer = await service.admin('PUT', 'login-providers/company', body);
    expect([answer.status, JSON.stringify(answer.body)]).toEqual([400, expect.stringContaining(field)]);
  });

  it('says what is wrong with a provider', async () => {
    expect((await service.admin('POST', 'login-providers/company/test', {})).body).toEqual({
      problems: [],
      warnings: [],
    });
    await change({ issuer: `${company.issuer}/`, secret: CLIENT_SECRET });
    const { body } = await service.admin('POST', 'login-providers/company/test', {});
    expect(body['problems']).toEqual([expect.stringContaining(`calls its issuer "${company.issuer}"`)]);
    await change({ issuer: company.issuer, secret: CLIENT_SECRET });
  });
});

describe('what only the userinfo endpoint returns', () => {
  let service: TestService;
  let company: CompanyProvider;
  beforeEach(async () => {
    const port = await freePort();
    company = await CompanyProvider.start([`http://127.0.0.1:${port}`], { USERINFO: 'only' });
    service = await TestService.start({ env: { PORT: String(port), HTTP_ALLOWED_HOSTS: '["127.0.0.1"]' } });
    await company.set({
      person: {
        sub: '5',
        preferred_username: 'anna',
        email: 'a.b@example.com',
        email_verified: true,
        groups: ['Heads'],
      },
    });
  });
  afterEach(async () => {
    await service.stop();
    await company.stop();
  });

  const identityAfterLogin = async (details: object) => {
    const provider = { ...COMPANY, issuer: company.issuer, ...details };
    expect((await service.admin('POST', 'login-providers', provider)).status).toBe(201);
    const visitor = new Visitor();
    await logIn(visitor, service);
    return visitor.identity(service.origin);
  };

  it('gives the groups', async () => {
    expect(await identityAfterLogin({})).toMatchObject({ user: 'anna', role: 'admin' });
  });

  it('gives the name of the account', async () => {
    expect(await identityAfterLogin({ groupsClaim: null, rules: [] })).toMatchObject({ user: 'anna', role: 'member' });
  });

  it('says who the person is', async () => {
    await identityAfterLogin({ personClaim: 'email', groupsClaim: null, rules: [] });
    const { body } = await service.admin('GET', 'administrators/anna/identities');
    expect(body).toMatchObject({ items: [{ subject: 'a.b@example.com' }] });
  });
});

describeOnNewPostgres('single sign-on of two replicas', (database) => {
  it('starts at one and ends at the other, where the response is used once for both', async () => {
    // One host for both, as behind a load balancer: the browser sends its cookies to either.
    const port = await freePort();
    const company = await CompanyProvider.start([`http://127.0.0.1:${port}`]);
    const env = {
      DATABASE_URL: database.url,
      HTTP_ALLOWED_HOSTS: '["127.0.0.1"]',
      PUBLIC_URL: `http://127.0.0.1:${port}`,
    };
    const one = await TestService.start({ env: { ...env, PORT: String(port) } });
    const other = await TestService.start({ env });
    try {
      await one.admin('POST', 'login-providers', { ...COMPANY, issuer: company.issuer });
      await company.set({ person: { sub: 'a', preferred_username: 'anna' } });
      const visitor = new Visitor();
      const answer = new URL(await untilAnswer(visitor, one));
      const cookie = visitor.cookieFor(one.origin);
      const there = new URL(answer.pathname + answer.search, other.origin);
      const taken = await new Visitor().get(there, { cookie });
      expect(taken.location).toBe(`${other.origin}/admin/`);
      expect(errorIn((await new Visitor().get(answer, { cookie })).location ?? '')).toBe('expired');
      expect(await one.app.get(Administrators, { strict: false }).get('anna')).toMatchObject({ role: 'member' });
    } finally {
      await one.stop();
      await other.stop();
      await company.stop();
    }
  });
});
