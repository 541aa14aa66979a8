import type { Page } from 'playwright-core';
import type { TestService } from '../../support/service.js';
import { button, dialog, goTo, heading, type PageName } from '../admin-pages.js';
import { openAdmin } from '../admin-suite.js';

export function unsavedForms(): void {
  let service: TestService;
  let page: Page;

  openAdmin('/admin/', (opened) => ({ service, page } = opened), { signsIn: true });

  const field = (name: string) => page.getByRole('textbox', { name, exact: true });
  const FORMS: [string, string, string, () => Promise<void>, string][] = [
    ['a client', 'clients/ci', 'ci', async () => undefined, 'Note'],
    ['a new client', 'clients', 'Clients', () => button(page, 'New client').click(), 'Name'],
    ['a new account', 'administrators', 'Accounts', async () => undefined, 'Name'],
    ['a provider', 'single-sign-on', 'Single sign-on', async () => undefined, 'Title'],
    ['a secret', 'secrets', 'Secrets', async () => undefined, 'Value'],
    ['a webhook', 'webhooks', 'Webhooks', async () => undefined, 'Event type'],
    ['a feed', 'feeds', 'Feeds', async () => undefined, 'Address of a feed'],
    ['a program', 'programs', 'Programs', async () => undefined, 'Name'],
  ];

  it.each(FORMS)('ask before what was typed for %s is lost', async (_what, path, title, begin, label) => {
    await service.admin('POST', 'clients', { name: 'ci' });
    await page.goto(`/admin/${path}`);
    await heading(page, title).waitFor();
    await begin();
    await field(label).fill('half');
    await page.getByRole('link', { name: 'Skills', exact: true }).click();
    await dialog(page).getByRole('button', { name: 'Stay' }).click();
    await dialog(page).waitFor({ state: 'detached' });
    expect(await field(label).inputValue()).toBe('half');
    await page.getByRole('link', { name: 'Skills', exact: true }).click();
    await dialog(page).getByRole('button', { name: 'Leave' }).click();
    await heading(page, 'Skills').waitFor();
  });

  it('ask before the groups of an account are lost', async () => {
    await service.admin('POST', 'administrators', { name: 'ada', role: 'viewer' });
    await page.goto('/admin/administrators/ada');
    await page.getByRole('switch', { name: 'Disabled' }).click();
    await page.getByRole('link', { name: 'All accounts' }).click();
    await dialog(page).getByRole('button', { name: 'Leave' }).click();
    await heading(page, 'Accounts').waitFor();
  });

  const ROWS: [string, PageName | 'Single sign-on', () => Promise<unknown>, string][] = [
    [
      'a provider',
      'Single sign-on',
      () =>
        service.admin('POST', 'login-providers', {
          name: 'company',
          title: 'Company',
          issuer: 'https://login.example.com',
          clientId: 'agent',
        }),
      'Title',
    ],
    ['a secret', 'Secrets', () => service.admin('PUT', 'workflow-secrets/company', { value: 'x' }), 'Value'],
  ];

  it.each(ROWS)(
    'ask before the change of %s takes their place, and can be left again',
    async (_what, at, make, label) => {
      await make();
      await page.goto(`/admin/${at.toLowerCase().replaceAll(' ', '-')}`);
      await heading(page, at).waitFor();
      expect(await button(page, 'Cancel').count()).toBe(0);
      await field(label).fill('half');
      await button(page, 'Change: company').click();
      await dialog(page).getByRole('button', { name: 'Stay' }).click();
      await dialog(page).waitFor({ state: 'detached' });
      expect(await field(label).inputValue()).toBe('half');
      await button(page, 'Change: company').click();
      await dialog(page).getByRole('button', { name: 'Leave' }).click();
      await button(page, 'Cancel').click();
      await button(page, 'Cancel').waitFor({ state: 'detached' });
      expect(await field('Name').inputValue()).toBe('');
      await goTo(page, 'Skills');
    },
  );
}
