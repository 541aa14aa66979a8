import type { Page } from 'playwright-core';
import { AdminPassword } from '../../../src/access/accounts/admin-password.service.js';
import { Database } from '../../../src/platform/database/database.js';
import { ADMIN_PASSWORD, type TestService } from '../../support/service.js';
import {
  button,
  dialog,
  enterPassword,
  goTo,
  heading,
  link,
  logIn,
  logInByForm,
  logOut,
  navigation,
  replaceText,
} from '../admin-pages.js';
import { pageForEach, serviceForEach } from '../admin-suite.js';

export function loginPage(): void {
  let service: TestService;
  let page: Page;

  pageForEach((opened) => ({ service, page } = opened));

  it('says so when the password is wrong, and lets try again', async () => {
    await page.goto('/admin/config');
    await enterPassword(page, 'not-the-password');
    await page.getByRole('alert').filter({ hasText: 'the name or the password is wrong' }).waitFor();
    await enterPassword(page, ADMIN_PASSWORD);
    await heading(page, 'Config').waitFor();
    expect(new URL(page.url()).pathname).toBe('/admin/config');
  });

  it('is remembered in a cookie that neither scripts nor other sites get', async () => {
    await logInByForm(page);
    const cookies = (await page.context().cookies()).sort((one, other) => one.name.localeCompare(other.name));
    const hidden = { httpOnly: true, sameSite: 'Strict' };
    expect(cookies).toEqual([
      expect.objectContaining({
        ...hidden,
        name: expect.stringMatching(/^agent_admin_[0-9a-f]{8}$/) as string,
        path: '/admin',
      }),
      expect.objectContaining({
        ...hidden,
        name: expect.stringMatching(/^agent_admin_[0-9a-f]{8}_device$/) as string,
        path: '/admin/api/session',
      }),
    ]);
    expect(await page.evaluate('document.cookie')).toBe('');
    await page.reload();
    await heading(page, 'Overview').waitFor();
  });

  it('ends with "Log out"', async () => {
    await logInByForm(page);
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.getByRole('textbox', { name: 'Password' }).waitFor();
    // The device cookie, which marks a known browser, remains.
    expect((await page.context().cookies()).map(({ name }) => name)).toEqual([expect.stringMatching(/_device$/)]);
    await page.goto('/admin/skills');
    await page.getByRole('textbox', { name: 'Password' }).waitFor();
  });

  it('is asked for again when the session has expired, and then the same page continues', async () => {
    await logInByForm(page, '/admin/skills');
    await heading(page, 'Skills').waitFor();
    await service.app.get(Database).deleteFrom('admin_sessions').execute();
    await navigation(page).getByRole('link', { name: 'Config' }).click();
    await enterPassword(page, ADMIN_PASSWORD);
    await heading(page, 'Config').waitFor();
    expect(new URL(page.url()).pathname).toBe('/admin/config');
    await goTo(page, 'Skills');
  });

  it('leads a member who logs in over a half-written document to the only page that members have', async () => {
    const account = { name: 'ada', role: 'editor', password: 'password-of-ada' };
    await service.admin('POST', 'administrators', account);
    await logIn(page, '/admin/knowledge/new', account.password, account.name);
    await page.getByLabel('Title').fill('Deployment');
    await replaceText(page.getByRole('textbox', { name: 'Content' }), 'We deploy on Tuesdays.');
    await service.admin('PUT', 'administrators/ada', { role: 'member' });
    await button(page, 'Save').click();
    await page.getByRole('textbox', { name: 'Name' }).fill(account.name);
    await enterPassword(page, account.password);
    await heading(page, 'Your account').waitFor();
    expect(new URL(page.url()).pathname).toBe('/admin/account');
  });

  it('shows in every tab who is logged in now', async () => {
    await service.admin('POST', 'administrators', { name: 'vera', role: 'viewer', password: 'password-of-vera' });
    await logIn(page, '/admin/policies');
    await link(page, 'New policy').waitFor();
    const other = await page.context().newPage();
    await other.goto('/admin/');
    await logOut(other);
    await page.getByRole('textbox', { name: 'Password' }).waitFor();
    await other.getByRole('textbox', { name: 'Name' }).fill('vera');
    await enterPassword(other, 'password-of-vera');
    await link(page, 'Your account: vera').waitFor();
    await heading(page, 'Policies').waitFor();
    expect(await link(page, 'New policy').count()).toBe(0);
  });

  it('asks before "Log out" discards unsaved changes, and stays logged in when that is declined', async () => {
    const asked: string[] = [];
    page.on('dialog', (question) => void question.dismiss().then(() => asked.push(question.type())));
    await logIn(page, '/admin/knowledge/new');
    await page.getByLabel('Title').fill('Deployment');
    await button(page, 'Log out').click();
    await dialog(page).getByRole('button', { name: 'Stay' }).click();
    expect((await page.request.get('/admin/api/session')).status()).toBe(200);
    expect(await page.getByLabel('Title').inputValue()).toBe('Deployment');
    await button(page, 'Log out').click();
    await dialog(page).getByRole('button', { name: 'Log out' }).click();
    await page.getByRole('textbox', { name: 'Password' }).waitFor();
    expect(asked).toEqual([]);
  });
}

export function firstLogin(): void {
  let service: TestService;
  let page: Page;
  const start = serviceForEach((opened) => ({ service, page } = opened));

  it('works with the password that the first start made', async () => {
    await start({ env: { ADMIN_PASSWORD: '' } });
    await logInByForm(page, '/', service.app.get(AdminPassword).generated ?? 'none was made');
    expect(new URL(page.url()).pathname).toBe('/admin/');
    await heading(page, 'Overview').waitFor();
  });
}
