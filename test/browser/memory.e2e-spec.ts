import type { Page } from 'playwright-core';
import { TestService } from '../support/service.js';
import { heading, logIn } from './admin-pages.js';
import { describeInBrowser, TestBrowser } from './browser.js';

describeInBrowser('the Memory page', () => {
  let browser: TestBrowser;
  let service: TestService;
  let page: Page;

  beforeAll(async () => {
    browser = await TestBrowser.launch();
    service = await TestService.start();
    page = await browser.open(service.origin);
    await logIn(page, '/admin/memory');
    await heading(page, 'Memory').waitFor();
  });
  afterEach(() => expect(browser.problems.splice(0)).toEqual([]));
  afterAll(async () => {
    await browser.close();
    await service.stop();
  });

  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const link = (name: string) => page.getByRole('link', { name, exact: true });

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
    await link('colors').waitFor({ state: 'detached' });
    await link('deploy-day').waitFor();

    await page.getByLabel('Search memory').fill('');
    await page.getByRole('combobox', { name: 'Namespace' }).click();
    await page.getByRole('option', { name: 'web' }).click();
    await link('deploy-day').waitFor({ state: 'detached' });
    await link('colors').waitFor();
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
    await button('Save').click();
    const history = page.getByRole('region', { name: 'History' });
    await history.getByText('We deploy on Tuesdays.').waitFor();
    expect((await service.admin('GET', 'memory/shared/deploy-day')).body).toMatchObject({
      content: 'We deploy on Thursdays.',
      importance: 5,
      tags: ['ops'],
    });

    await button('Delete').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete entry' }).click();
    await heading(page, 'Memory').waitFor();
    await link('colors').waitFor();
    expect(await link('deploy-day').count()).toBe(0);
  });
});
