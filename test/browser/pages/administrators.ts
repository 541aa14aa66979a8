import { jest } from '@jest/globals';
import type { Page } from 'playwright-core';
import { AdminAccess } from '../../../src/access/accounts/admin-access.service.js';
import { Administrators } from '../../../src/access/accounts/administrators.service.js';
import type { TestService } from '../../support/service.js';
import { button, dialog, follow, goTo, heading, logIn, logOut, navigation } from '../admin-pages.js';
import { pageForEach } from '../admin-suite.js';
import { settled, told } from '../browser.js';
import { rememberAsATeamWould } from '../demo-use.js';
import { connectAsATeamWould, runAsATeamWould, writeWorkflows } from '../demo-workflows.js';

const CHANGE =
  /^(add|approve|cancel|decline|delete|edit|enabled|end|file|generate|import|make|new|pause|refresh|reset|resume|run|save|send|start|test)\b/i;

export function administratorsPage(): void {
  let service: TestService;
  let page: Page;

  pageForEach((opened) => ({ service, page } = opened));

  const row = (name: string) => page.getByRole('row').filter({ hasText: name });
  const add = async (name: string, role: 'member' | 'viewer' | 'editor' | 'admin') =>
    (await service.app.get(Administrators).create(name, role, null)) ?? '';
  const passwordShown = async () => {
    const shown = await dialog(page).getByTestId('shown-once').textContent();
    await dialog(page).getByRole('button', { name: 'Done' }).click();
    await dialog(page).waitFor({ state: 'detached' });
    return shown ?? '';
  };

  /** Returns all controls on the pages whose names sound like changing data. */
  const changesOn = async (paths: readonly string[]) => {
    const found: string[] = [];
    for (const path of paths) {
      await follow(page, `/admin/${path}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await settled(page);
      const names = await page.evaluate<string[]>(
        `[...document.querySelectorAll('main :is(button, [role=switch], input[type=file], a[href$="/new"], a[href$="/edit"])')]
          .filter((one) => !one.matches(':disabled') && one.checkVisibility())
          .map((one) => (one.getAttribute('aria-label') || one.textContent || (one.type === 'file' ? 'File' : '')).trim())`,
      );
      found.push(...names.filter((name) => CHANGE.test(name)).map((name) => `${path}: ${name}`));
    }
    return found;
  };

  it('are added, given another role and another password, and deleted', async () => {
    await logIn(page, '/admin/administrators');
    await page.getByRole('textbox', { name: 'Name' }).fill('Ada Lovelace');
    await button(page, 'Add account').click();
    await page.getByText('must begin with a small letter').waitFor();
    await page.getByRole('textbox', { name: 'Name' }).fill('ada');
    await page.getByLabel('Role', { exact: true }).selectOption('viewer');
    await button(page, 'Add account').click();
    const first = await passwordShown();
    expect(first).toMatch(/^[\w-]{24}$/);
    await row('ada').getByText('Never').waitFor();

    await page.getByLabel('Role: ada').selectOption('editor');
    await dialog(page).getByRole('button', { name: 'Change role' }).click();
    await told(page, 'ada now has the role editor.');
    expect(await service.app.get(Administrators).get('ada')).toMatchObject({ role: 'editor' });

    await page.getByRole('button', { name: 'New password: ada' }).click();
    await dialog(page).getByRole('button', { name: 'Create new password' }).click();
    expect(await passwordShown()).not.toBe(first);

    await page.getByRole('button', { name: 'Delete: ada' }).click();
    await dialog(page).getByRole('button', { name: 'Delete account' }).click();
    await row('ada').waitFor({ state: 'detached' });
  });

  it('are found by a part of their name, role or group', async () => {
    await add('grace', 'viewer');
    await add('alan', 'editor');
    await service.admin('PUT', 'administrators/alan', { groups: ['night-shift'] });
    await logIn(page, '/admin/administrators');
    const search = page.getByRole('searchbox', { name: 'Search accounts' });
    for (const [text, found, hidden] of [
      ['GRA', 'grace', 'alan'],
      ['editor', 'alan', 'grace'],
      ['view', 'grace', 'alan'],
      ['night', 'alan', 'grace'],
    ] as const) {
      await search.fill(text);
      await row(hidden).waitFor({ state: 'detached' });
      await row(found).waitFor();
    }
    await search.fill('nobody');
    await page.getByText('No account found').waitFor();
    await service.admin('DELETE', 'administrators/alan');
  });

  it('are put into groups, and disabled', async () => {
    await add('dora', 'viewer');
    await page.route('**/dora/identities', (route) => route.fulfill({ status: 429 }));
    await logIn(page, '/admin/administrators/dora');
    await page.getByRole('alert').getByText('The answer was 429').waitFor();
    await page.getByRole('combobox', { name: 'Groups' }).fill('Ops');
    await page.keyboard.press('Enter');
    await button(page, 'Save').click();
    await page.getByText('must be a name such as').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('combobox', { name: 'Groups' }).press('Backspace');
    await page.getByRole('combobox', { name: 'Groups' }).fill('ops');
    await page.keyboard.press('Enter');
    await page.getByRole('switch', { name: 'Disabled' }).click();
    await button(page, 'Save').click();
    await told(page, 'dora is saved.');
    expect(await service.app.get(Administrators).get('dora')).toMatchObject({ groups: ['ops'], disabled: true });
    await page.getByRole('link', { name: 'All accounts' }).click();
    await row('dora').getByText('Disabled').waitFor();
    await row('dora').getByText('ops').waitFor();
  });

  it('of members show their own account and nothing else, wherever they go', async () => {
    const refused: string[] = [];
    page.on('response', (response) => {
      if (response.status() === 403) refused.push(response.url());
    });
    const password = await add('mia', 'member');
    await page.context().request.post('/admin/api/session', { data: { user: 'mia', password } });
    for (const path of ['', 'skills', 'administrators', 'knowledge/new', 'account']) {
      await page.goto(`/admin/${path}`);
      await heading(page, 'Your account').waitFor();
      await settled(page);
      expect([path, new URL(page.url()).pathname]).toEqual([path, '/admin/account']);
    }
    expect(await navigation(page).count()).toBe(0);
    expect(refused).toEqual([]);
  });

  it('show where somebody is logged in, and end that', async () => {
    const password = await add('bob', 'viewer');
    await logIn(page, '/admin/', password, 'bob');
    await page.getByRole('link', { name: 'Your account: bob' }).waitFor();
    const other = await page.context().browser()?.newContext({ baseURL: service.origin });
    const admin = await other?.newPage();
    if (!admin) throw new Error('there is a browser');
    await logIn(admin, '/admin/administrators');
    await admin.getByRole('link', { name: 'bob' }).click();
    await admin.getByRole('button', { name: /^End session / }).waitFor();
    await button(admin, 'End all sessions').click();
    await dialog(admin).getByRole('button', { name: 'End all sessions' }).click();
    await admin.getByText('No active sessions').waitFor();
    await other?.close();
    // The page notices the end of the session by an event, or else with its next request.
    await page.goto('/admin/skills');
    await button(page, 'Log in').waitFor();
  });

  it('change their own password, and stay logged in', async () => {
    const password = await add('cleo', 'viewer');
    await logIn(page, '/admin/account', password, 'cleo');
    const field = (name: string) => page.getByRole('textbox', { name, exact: true });
    const enter = async (present: string, next: string) => {
      await field('Current password').fill(present);
      await field('New password').fill(next);
      await field('Repeat the new password').fill(next);
      await button(page, 'Change password').click();
    };
    await enter('not the password', 'a new long password');
    await page.getByText('is not the current password').waitFor();
    await enter(password, 'too short');
    await page.getByText('must have 12 to 200 characters').waitFor();
    // Meanwhile, the page asks for other data with the cookie of the session that has ended.
    const access = service.app.get(AdminAccess);
    const open = access.openSession.bind(access);
    const refused = page.waitForResponse((response) => response.status() === 401);
    jest.spyOn(access, 'openSession').mockImplementationOnce(async (...session) => {
      await refused;
      return open(...session);
    });
    await enter(password, 'a new long password');
    await told(page, 'Your password is changed.');
    expect(await button(page, 'Log in').count()).toBe(0);
    await goTo(page, 'Skills');
    await page.goto('/admin/account');
    await button(page, 'Log out everywhere').click();
    await dialog(page).getByRole('button', { name: 'Log out everywhere' }).click();
    await button(page, 'Log in').waitFor();
    await logIn(page, '/admin/account', 'a new long password', 'cleo');
    await heading(page, 'Your account').waitFor();
  });

  it('without the role find nothing on the pages that would be refused', async () => {
    await rememberAsATeamWould(service);
    await writeWorkflows(service);
    await connectAsATeamWould(service);
    await runAsATeamWould(service);
    const refused: string[] = [];
    page.on('response', (response) => {
      if (response.status() === 403) refused.push(response.url());
    });
    await logIn(page, '/admin/', await add('looker', 'viewer'), 'looker');
    const runs = (await service.admin('GET', 'runs')).body['items'] as { id: string; status: string }[];
    const oneOfEachStatus = [...new Map(runs.map(({ id, status }) => [status, id])).values()];
    const [document] = (await service.admin('GET', 'knowledge')).body['items'] as { id: string }[];
    const links = await navigation(page).getByRole('link').allTextContents();
    expect(links).not.toEqual(expect.arrayContaining(['Accounts']));
    expect(links).not.toEqual(expect.arrayContaining(['Secrets']));
    const paths = [
      ...links.map((title) => (title === 'Overview' ? '' : title.toLowerCase().replace(/\d+$/, ''))),
      'skills/system_info',
      'workflows/weekly_report',
      ...oneOfEachStatus.map((id) => `runs/${id}`),
      ...(document ? [`knowledge/${document.id}`] : []),
      'memory/team/deploy-day',
    ];
    expect(await changesOn(paths)).toEqual([]);
    for (const path of [
      'administrators',
      'secrets',
      'knowledge/new',
      'workflows/new',
      'workflows/weekly_report/edit',
    ]) {
      await follow(page, `/admin/${path}`);
      await heading(page, "You don't have access to this page").waitFor();
    }
    expect(refused).toEqual([]);
    await logOut(page);
    await logIn(page, '/admin/', await add('writer', 'editor'), 'writer');
    const adminsOnly = ['config', 'sessions', 'secrets', 'skills'];
    expect(await changesOn(adminsOnly)).toEqual([]);
    expect((await changesOn(paths)).length).toBeGreaterThan(15);
    await logOut(page);
    await logIn(page);
    expect((await changesOn(adminsOnly)).length).toBeGreaterThan(15);
    expect(refused).toEqual([]);
  });
}
