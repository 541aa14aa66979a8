import { Browser, basic, send } from './administration/admin-visitor.js';
import { REPORT } from './browser/demo-workflows.js';
import { everythingIn } from '../src/platform/database/testing.js';
import { AuditLog } from '../src/access/audit/audit-log.service.js';
import { AuditTrail } from '../src/access/audit/audit-trail.service.js';
import { EventBus } from '../src/platform/events/event-bus.service.js';
import { Database } from '../src/platform/database/database.js';
import { AdminPassword } from '../src/access/accounts/admin-password.service.js';
import { ADMIN_PASSWORD, TestService } from './support/service.js';
import { until } from './support/until.js';

const asAdmin = basic('admin', ADMIN_PASSWORD);

describe('the accounts of administrators', () => {
  let service: TestService;
  let count = 0;
  TestService.forSuite((started) => (service = started));

  const admin = (method: string, path: string, body?: unknown) =>
    send(service, method, path, { headers: asAdmin, body });

  /** Adds an account; returns its name and password. */
  async function add(role: string) {
    const name = `person-${(count += 1)}`;
    const { status, body } = await admin('POST', 'administrators', { name, role });
    expect(status).toBe(201);
    return { name, password: String(body['password']) };
  }
  const identify = (name: string, password: string) =>
    send(service, 'GET', 'session', { headers: basic(name, password) });

  const loggedIn = async (role: string) => {
    const account = await add(role);
    const browser = new Browser(service);
    await browser.logIn(account.name, account.password);
    return { ...account, browser };
  };

  it('are added with a password that is shown once, and log in with their name', async () => {
    const { name, password } = await add('editor');
    expect(password).toMatch(/^[\w-]{24}$/);
    expect((await identify(name, password)).body).toEqual({
      user: name,
      role: 'editor',
      method: 'basic',
      expiresAt: null,
    });
    const browser = new Browser(service);
    expect(await browser.logIn(name, password)).toBe(201);
    expect((await browser.send('GET', 'session')).body).toMatchObject({
      user: name,
      role: 'editor',
      method: 'session',
    });
    const listed = (await admin('GET', 'administrators')).body['items'] as object[];
    expect(listed).toContainEqual({
      name,
      role: 'editor',
      groups: [],
      disabled: false,
      hasPassword: true,
      hasFixedPassword: false,
      createdAt: expect.any(String) as string,
      passwordChangedAt: expect.any(String) as string,
      lastLoginAt: expect.any(String) as string,
    });
    await until(async () => JSON.stringify((await admin('GET', 'audit')).body).includes(name));
    const everything = await everythingIn(service.app.get(Database));
    for (const kept of [`"name":"${name}"`, 'administrators']) expect(everything).toContain(kept);
    expect(everything).not.toContain(password);
    expect(JSON.stringify(listed)).not.toMatch(/scrypt|stamp/);
  });

  it('can be added with a typed password, which is not repeated', async () => {
    const body = { name: 'typed', role: 'viewer', password: 'long enough, is it not?' };
    expect((await admin('POST', 'administrators', body)).body).toEqual({ name: 'typed', password: null });
    expect((await identify('typed', body.password)).status).toBe(200);
  });

  it.each([
    [{ name: 'Ada' }, 400],
    [{ name: 'a'.repeat(41) }, 400],
    [{ name: '__proto__' }, 400],
    [{ name: 'ada\n' }, 400],
    [{ name: 'adа' }, 400],
    [{ name: '' }, 400],
    [{ name: 'admin' }, 409],
    [{ name: 'ok', role: 'owner' }, 400],
    [{ name: 'ok', role: ['admin'] }, 400],
    [{ name: 'ok', password: 'short' }, 400],
    [{ name: 'ok', password: 'x'.repeat(201) }, 400],
    [{ name: 'okokokok', password: 'okokokokokokokok' }, 400],
    [{ name: 'ok', hasFixedPassword: true }, 400],
    [{ name: 'ok', stamp: 'x' }, 400],
  ])('are not added as %j', async (body, status) => {
    expect((await admin('POST', 'administrators', { role: 'viewer', ...body })).status).toBe(status);
    expect((await admin('GET', 'administrators/ok')).status).toBe(404);
  });

  it.each(['nobody', '__proto__', 'constructor', '%00', 'a%2Fb'])('answer 404 or 400 for %s', async (name) => {
    const body = { role: 'viewer' };
    const answers = [
      await admin('GET', `administrators/${name}`),
      await admin('PUT', `administrators/${name}`, body),
      await admin('DELETE', `administrators/${name}`),
      await admin('POST', `administrators/${name}/password`, {}),
      await admin('GET', `administrators/${name}/sessions`),
      await admin('DELETE', `administrators/${name}/sessions`),
      await admin('DELETE', `administrators/${name}/sessions/x`),
    ];
    for (const { status } of answers) expect([400, 404]).toContain(status);
  });

  it('end at once, with sessions and scripts, when they are deleted, and are not the same when they are added again', async () => {
    const { name, password, browser } = await loggedIn('admin');
    expect((await identify(name, password)).status).toBe(200);
    expect((await admin('DELETE', `administrators/${name}`)).status).toBe(204);
    expect((await identify(name, password)).status).toBe(401);
    expect(await browser.user()).toBeNull();
    await admin('POST', 'administrators', { name, role: 'admin' });
    expect([await browser.user(), (await identify(name, password)).status]).toEqual([null, 401]);
  });

  it('have another role at once, and log in again for it', async () => {
    const { name, password, browser } = await loggedIn('admin');
    expect((await admin('PUT', `administrators/${name}`, { role: 'admin' })).body).toMatchObject({ role: 'admin' });
    expect(await browser.user()).toBe(name);
    expect((await admin('PUT', `administrators/${name}`, { role: 'viewer' })).body).toMatchObject({ role: 'viewer' });
    expect(await browser.user()).toBeNull();
    expect((await identify(name, password)).body).toMatchObject({ role: 'viewer' });
  });

  it('are in groups, which changes nothing for what they have open', async () => {
    const { name, browser } = await loggedIn('member');
    const told: unknown[] = [];
    service.app.get(EventBus).on('accounts.changed', (event) => told.push(event));
    const { body } = await admin('PUT', `administrators/${name}`, { groups: ['ops', 'on-call'] });
    expect(body).toMatchObject({ role: 'member', groups: ['ops', 'on-call'], disabled: false });
    expect((await browser.send('GET', 'account')).body).toMatchObject({ groups: ['ops', 'on-call'] });
    await admin('PUT', `administrators/${name}`, { groups: ['ops', 'on-call'] });
    expect(told).toEqual([{ names: [name] }]);
    await admin('DELETE', `administrators/${name}`);
    expect(told).toEqual([{ names: [name] }, { names: [name] }]);
  });

  it.each([[['Ops']], [['ops', 'ops']], [Array.from({ length: 33 }, (_, i) => `g${i}`)], ['ops'], [null]])(
    'are not in groups such as %j',
    async (groups) => {
      expect((await admin('PUT', 'administrators/admin', { groups })).status).toBe(400);
    },
  );

  it('end at once when they are disabled, and say so to who knows the password only', async () => {
    const { name, password, browser } = await loggedIn('admin');
    expect((await identify(name, password)).status).toBe(200);
    expect((await admin('PUT', `administrators/${name}`, { disabled: true })).body).toMatchObject({ disabled: true });
    expect(await browser.user()).toBeNull();
    expect(await identify(name, password)).toMatchObject({ status: 403, code: 'admin.account_disabled' });
    expect(await identify(name, 'something else')).toMatchObject({ status: 401 });
    expect(await browser.logIn(name, password)).toBe(403);
    await admin('PUT', `administrators/${name}`, { disabled: false });
    expect([await browser.user(), await browser.logIn(name, password)]).toEqual([null, 201]);
    await service.app.get(AuditTrail).tick();
    await service.app.get(AuditLog).flush();
    const failed = (await admin('GET', 'audit?kind=login_failed')).body['items'] as { count: number }[];
    expect(failed.reduce((sum, { count }) => sum + count, 0)).toBeGreaterThanOrEqual(3);
  });

  it('get a new password from an administrator, which ends what they have open', async () => {
    const { name, password, browser } = await loggedIn('viewer');
    await identify(name, password);
    const { body } = await admin('POST', `administrators/${name}/password`, {});
    expect([await browser.user(), (await identify(name, password)).status]).toEqual([null, 401]);
    expect((await identify(name, String(body['password']))).status).toBe(200);
  });

  it('change their own password with the current one; the browser stays logged in, others do not', async () => {
    const { name, password } = await add('viewer');
    const [here, there] = [new Browser(service), new Browser(service)];
    await here.logIn(name, password);
    await there.logIn(name, password);
    const [, former] = here.session;
    const change = (present: string, next: string) => here.send('PUT', 'account/password', { present, password: next });
    expect(await change('wrong', 'a new long password')).toMatchObject({ status: 400 });
    expect(await change(password, 'short')).toMatchObject({ status: 400, code: 'administrators.password_refused' });
    expect(await here.user()).toBe(name);
    expect((await change(password, 'a new long password')).status).toBe(204);
    expect([await here.user(), await there.user()]).toEqual([name, null]);
    expect(here.session[1]).not.toBe(former);
    expect(await new Browser(service).set(here.session[0], former).user()).toBeNull();
    expect(await new Browser(service).logIn(name, password)).toBe(401);
    expect(await new Browser(service).logIn(name, 'a new long password')).toBe(201);
  });

  it('do not change their own password without the current one, by whatever way', async () => {
    const { name, browser } = await loggedIn('admin');
    const sent = await browser.send('POST', `administrators/${name}/password`, { password: 'a new long password' });
    expect(sent.code).toBe('administrators.own_password');
    expect(await browser.user()).toBe(name);
  });

  it('of the service itself stays, with its role and the password of the environment', async () => {
    const codes = [
      await admin('DELETE', 'administrators/admin'),
      await admin('PUT', 'administrators/admin', { role: 'viewer' }),
      await admin('PUT', 'administrators/admin', { disabled: true }),
      await admin('PUT', 'account/password', { present: ADMIN_PASSWORD, password: 'a new long password' }),
    ];
    expect(codes.map(({ status, code }) => [status, code])).toEqual([
      [409, 'administrators.built_in'],
      [409, 'administrators.built_in'],
      [409, 'administrators.built_in'],
      [409, 'administrators.password_fixed'],
    ]);
    expect((await admin('GET', 'administrators/admin')).body).toMatchObject({ role: 'admin', hasFixedPassword: true });
  });

  it('show their sessions, and end one or all of them', async () => {
    const { name, password } = await add('viewer');
    const [one, two, three] = ['One', 'Two', 'Three'].map((agent) => new Browser(service, { 'user-agent': agent }));
    for (const browser of [one, two, three]) await browser?.logIn(name, password);
    const { body } = await admin('GET', `administrators/${name}/sessions`);
    const sessions = body['items'] as { id: string; browser: string; address: string }[];
    expect(sessions.map(({ browser }) => browser).sort()).toEqual(['One', 'Three', 'Two']);
    expect(new Set(sessions.map(({ address }) => address))).toEqual(new Set(['127.0.0.1']));
    expect(JSON.stringify(body)).not.toContain(one?.session[1]);
    const idOf = (agent: string) => sessions.find(({ browser }) => browser === agent)?.id ?? '';
    expect((await admin('DELETE', `administrators/${name}/sessions/${idOf('One')}`)).status).toBe(204);
    expect((await admin('DELETE', `administrators/admin/sessions/${idOf('Two')}`)).status).toBe(404);
    expect([await one?.user(), await two?.user()]).toEqual([null, name]);
    expect((await three?.send('DELETE', `account/sessions/${idOf('Two')}`))?.status).toBe(204);
    expect([await two?.user(), await three?.user()]).toEqual([null, name]);
    expect((await admin('DELETE', `administrators/${name}/sessions`)).status).toBe(204);
    expect(await three?.user()).toBeNull();
  });

  it('log out everywhere by themselves', async () => {
    const { name, password } = await add('viewer');
    const [here, there] = [new Browser(service), new Browser(service)];
    for (const browser of [here, there]) await browser.logIn(name, password);
    expect((await here.send('DELETE', 'account/sessions')).status).toBe(204);
    expect([await here.user(), await there.user()]).toEqual([null, null]);
    expect((await identify(name, password)).status).toBe(200);
  });

  it('are named in the answers that they give to runs', async () => {
    const { name, password } = await add('editor');
    const editor = (method: string, path: string, body?: unknown) =>
      send(service, method, path, { headers: basic(name, password), body });
    expect((await editor('POST', 'workflows', { definition: REPORT })).status).toBe(201);
    const id = String((await editor('POST', 'workflows/weekly_report/start', { input: { week: 3 } })).body['id']);
    const run = async () => (await editor('GET', `runs/${id}`)).body as { questions: number; status: string };
    await until(async () => (await run()).questions === 1);
    const [{ step } = { step: '' }] = (await editor('GET', `runs/${id}`)).body['openQuestions'] as { step: string }[];
    const answer = { step, action: 'accept', content: { reason: 'good enough' } };
    expect((await editor('POST', `runs/${id}/answers`, answer)).status).toBe(204);
    await until(async () => (await run()).status === 'completed');
    expect(JSON.stringify(await run())).toContain(`"by":"person:${name}"`);
    expect((await run()) as object).toMatchObject({ client: 'admin' });
  });
});

describe('the account admin without ADMIN_PASSWORD', () => {
  it('logs in with the generated password, and changes it', async () => {
    let service = await TestService.start({ env: { ADMIN_PASSWORD: '' } });
    const generated = service.app.get(AdminPassword).generated ?? '';
    const browser = new Browser(service);
    expect(await browser.logIn('admin', generated)).toBe(201);
    const body = { present: generated, password: 'my own good password' };
    expect((await browser.send('PUT', 'account/password', body)).status).toBe(204);
    service = await service.restart();
    expect(service.app.get(AdminPassword).generated).toBeNull();
    expect(await browser.user()).toBe('admin');
    expect(await new Browser(service).logIn('admin', generated)).toBe(401);
    expect(await new Browser(service).logIn('admin', 'my own good password')).toBe(201);
    await service.stop();
  });
});
