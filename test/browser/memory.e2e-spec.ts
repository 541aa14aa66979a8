import type { Page } from 'playwright-core';
import type { TestService } from '../support/service.js';
import { button, dialog, heading, link } from './admin-pages.js';
import { openAdmin } from './admin-suite.js';
import { describeInBrowser } from './browser.js';

describeInBrowser('the Memory page', () => {
  let service: TestService;
  let page: Page;

  openAdmin('/admin/memory', (opened) => ({ service, page } = opened));
  beforeAll(async () => {
    await heading(page, 'Memory').waitFor();
  });

  it('says what to do while nothing is remembered', async () => {
    await page.getByText('Nothing is remembered yet').waitFor();
  });

  it('finds entries by what they say and by their namespace', async () => {
    await service.admin('POST', 'memory', { key: 'deploy-day', content: 'We deploy on Tuesdays.', tags: ['ops'] });
    await service.admin('POST', 'memory', { namespace: 'web', key: 'colors', content: 'Blue.', expiresInDays: 30 });
    await page.reload();
    const row = page.getByRole('row').filter({ hasText: 'colors' });
    await row.getByText('in 30 days').waitFor();
    await row.getByText('admin', { exact: true }).waitFor();
    await page.getByLabel('Search memory').fill('tuesdays');
    await link(page, 'colors').waitFor({ state: 'detached' });
    await link(page, 'deploy-day').waitFor();

    await page.getByLabel('Search memory').fill('');
    await page.getByRole('combobox', { name: 'Namespace' }).click();
    await page.getByRole('option', { name: 'web' }).click();
    await link(page, 'deploy-day').waitFor({ state: 'detached' });
    await link(page, 'colors').waitFor();
    await page.getByRole('combobox', { name: 'Namespace' }).fill('NO');
    await page
      .getByRole('alert')
      .getByText(/namespace/)
      .waitFor();
  });

  it('changes an entry, shows what it said before, and forgets it', async () => {
    await page.goto('/admin/memory/shared/deploy-day');
    await heading(page, 'deploy-day').waitFor();
    await page.getByText('It was never changed.').waitFor();
    await page.getByLabel('Text').fill('We deploy on Thursdays.');
    await page.getByLabel('Importance').selectOption('5');
    await button(page, 'Save').click();
    const history = page.getByRole('region', { name: 'History' });
    await history.getByText('We deploy on Tuesdays.').waitFor();
    expect((await service.admin('GET', 'memory/shared/deploy-day')).body).toMatchObject({
      content: 'We deploy on Thursdays.',
      importance: 5,
      tags: ['ops'],
    });

    await button(page, 'Delete').click();
    await dialog(page).getByRole('button', { name: 'Delete entry' }).click();
    await heading(page, 'Memory').waitFor();
    await link(page, 'colors').waitFor();
    expect(await link(page, 'deploy-day').count()).toBe(0);
  });
});
