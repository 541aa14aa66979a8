import type { Page } from 'playwright-core';
import { Administrators } from '../../../src/access/accounts/administrators.service.js';
import { Database } from '../../../src/platform/database/database.js';
import { CLIENT_ID, CLIENT_SECRET, CompanyProvider } from '../../support/company-provider.js';
import { ADMIN_PASSWORD, type TestService } from '../../support/service.js';
import { button, dialog, enterPassword, heading, logIn, navigation } from '../admin-pages.js';
import { pageForEach } from '../admin-suite.js';
import { type TestBrowser, told } from '../browser.js';

export function singleSignOnPage(): void {
  let service: TestService;
  let page: Page;
  let browser: TestBrowser;
  let company: CompanyProvider;
  let started: Promise<CompanyProvider> | undefined;

  pageForEach((opened) => ({ service, page, browser } = opened));
  beforeEach(async () => {
    company = await (started ??= CompanyProvider.start([service.origin]));
    await service.admin('PUT', 'config/http.allowed_hosts', { value: ['127.0.0.1'] });
  });
  afterAll(async () => (await started)?.stop());

  const field = (name: string) => page.getByRole('textbox', { name, exact: true });
  const signIn = () => page.getByRole('link', { name: 'Log in with Our company' });
  /** Removes the expected requests to the provider from the list of forbidden ones. */
  const leftForProvider = () => {
    const isMeant = (problem: string) => problem.startsWith(`request to ${company.issuer}/`);
    const others = browser.problems.splice(0).filter((problem) => !isMeant(problem));
    browser.problems.push(...others);
  };
  const passOn = async () => {
    await page.goto('/admin/');
    await signIn().click();
  };

  it('is set up, tested, and says at its field what is wrong', async () => {
    await service.app.get(Administrators).create('ada', 'admin', 'a-long-password-of-ada');
    await logIn(page, '/admin/account', 'a-long-password-of-ada', 'ada');
    await navigation(page).getByRole('link', { name: 'Single sign-on' }).click();
    await field('Name').fill('company');
    await field('Title').fill('Company');
    await field('Issuer').fill('http://login.example.com');
    await field('Client ID').fill(CLIENT_ID);
    await page.getByLabel('Client secret').fill(CLIENT_SECRET);
    await field('Groups claim').fill('groups');
    await button(page, 'Add a rule').click();
    await page.getByLabel('Role, 1').selectOption('editor');
    await button(page, 'Save provider').click();
    await field('Group at the provider, 1').and(page.locator('[aria-invalid=true]')).waitFor();
    await field('Group at the provider, 1').fill('IT');
    await button(page, 'Save provider').click();
    await page.getByText('must be a URL that begins with https://').waitFor();
    await field('Issuer').fill(`${company.issuer}/`);
    await button(page, 'Save provider').click();
    await told(page, 'company is saved.');
    await page.getByRole('button', { name: 'Test: company' }).click();
    const found = page.getByText(`The provider calls its issuer "${company.issuer}"`);
    await found.waitFor();
    await page.getByRole('button', { name: 'Change: company' }).click();
    await heading2('Change company');
    // Old test results disappear when the form changes.
    await found.waitFor({ state: 'detached' });
    await field('Title').fill('Our company');
    await field('Issuer').fill(company.issuer);
    await button(page, 'Save provider').click();
    await page.getByText('must be entered again').waitFor();
    await page.getByLabel('Client secret').fill(CLIENT_SECRET);
    await button(page, 'Save provider').click();
    await page.getByRole('button', { name: 'Test: company' }).click();
    await page.getByText('The provider answers as it should.').waitFor();
    await page.getByRole('link', { name: 'Your account: ada' }).click();
    await button(page, 'Connect with Our company').waitFor();
  });

  it('lets people in, who come back to the page that they wanted', async () => {
    await company.set({ person: { sub: 'a', preferred_username: 'anna', groups: ['IT'] } });
    await page.goto('/admin/skills?q=echo');
    await signIn().click();
    await heading(page, 'Skills').waitFor();
    expect(new URL(page.url()).search).toBe('?q=echo');
    await page.getByRole('link', { name: 'Your account: anna' }).click();
    await page.getByText('You log in by single sign-on').waitFor();
    // The session cookie is SameSite=Strict, however the user signed in.
    const cookies = await page.context().cookies(`${service.origin}/admin/api/session`);
    const own = cookies.filter(({ name }) => name.startsWith('agent_admin'));
    expect(own.map(({ sameSite }) => sameSite)).toEqual(own.map(() => 'Strict'));
    expect(own.length).toBeGreaterThan(0);
    leftForProvider();
  });

  it('keeps what somebody is writing when their session ends, while they log in in another tab', async () => {
    await company.set({ person: { sub: 'a', preferred_username: 'anna', groups: ['IT'] } });
    await passOn();
    await navigation(page).waitFor();
    await page.goto('/admin/knowledge/new');
    await field('Title').fill('Half');
    await service.app.get(Database).deleteFrom('admin_sessions').execute();
    const tab = page.waitForEvent('popup');
    await signIn().click();
    await heading(await tab, 'New document').waitFor();
    await heading(page, 'New document').waitFor();
    expect(await field('Title').inputValue()).toBe('Half');
    leftForProvider();
  });

  it('logs people out at the provider, too, which brings them back to the login page', async () => {
    await company.set({ person: { sub: 'a', preferred_username: 'anna' } });
    await passOn();
    await page.getByRole('link', { name: 'Your account: anna' }).waitFor();
    await button(page, 'Log out').click();
    await page.waitForURL(`${company.issuer}/session/end?*`);
    await page.getByRole('button', { name: 'Yes' }).click();
    await signIn().waitFor();
    expect(page.url()).toBe(`${service.origin}/admin/`);
    // Her session at the provider has ended: another person can log in there.
    await company.set({ person: { sub: 'b', preferred_username: 'bert' } });
    await signIn().click();
    await page.getByRole('link', { name: 'Your account: bert' }).waitFor();
    leftForProvider();
  });

  it('links an account that exists, which shows and removes it', async () => {
    await company.set({ person: { sub: 'grace-at-work', preferred_username: 'grace' } });
    await service.app.get(Administrators).create('hopper', 'viewer', 'a-long-password-of-hopper');
    await logIn(page, '/admin/account', 'a-long-password-of-hopper', 'hopper');
    await button(page, 'Connect with Our company').click();
    await page.getByText('grace-at-work').waitFor();
    expect(page.url()).toBe(`${service.origin}/admin/account`);
    await logIn(page, '/admin/administrators/hopper');
    await button(page, 'Remove link: grace-at-work').click();
    await dialog(page).getByRole('button', { name: 'Remove link' }).click();
    await page.getByText('grace-at-work').waitFor({ state: 'detached' });
    // Her identity belongs to another account now.
    await service.admin('DELETE', 'administrators/hopper');
    await page.context().clearCookies();
    await passOn();
    await page.getByRole('link', { name: 'Your account: grace' }).waitFor();
    await service.app.get(Administrators).create('hopper', 'viewer', 'a-long-password-of-hopper');
    await logIn(page, '/admin/account', 'a-long-password-of-hopper', 'hopper');
    await button(page, 'Connect with Our company').click();
    await page.getByRole('alert').filter({ hasText: 'That person has another account here' }).waitFor();
    leftForProvider();
  });

  it('says in words why somebody is not let in, and lets use a password', async () => {
    await company.set({ denies: true });
    await passOn();
    await page.getByRole('alert').filter({ hasText: 'the login was cancelled' }).waitFor();
    await company.set({ denies: false });
    await service.app.get(Administrators).update('anna', { disabled: true });
    await page.context().clearCookies();
    await company.set({ person: { sub: 'a', preferred_username: 'anna' } });
    await passOn();
    await page.getByRole('alert').filter({ hasText: 'Your account is disabled.' }).waitFor();
    await enterPassword(page, ADMIN_PASSWORD);
    await navigation(page).waitFor();
    leftForProvider();
  });

  it('says that only admin has a password, and is deleted after a question', async () => {
    await service.admin('PUT', 'config/sso.only', { value: 'on' });
    await page.goto('/admin/single-sign-on');
    await page.getByText('Only the account admin may use a password.').waitFor();
    await enterPassword(page, ADMIN_PASSWORD);
    await page.getByRole('button', { name: 'Delete: company' }).click();
    await dialog(page).getByRole('button', { name: 'Delete provider' }).click();
    await page.getByText('No providers yet').waitFor();
    await service.admin('DELETE', 'config/sso.only');
  });

  const heading2 = (name: string) => page.getByRole('heading', { level: 2, name, exact: true }).waitFor();
}
