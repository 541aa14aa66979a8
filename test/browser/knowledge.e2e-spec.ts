import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { TestService } from '../support/service.js';
import { until } from '../support/until.js';
import { heading, logIn } from './admin-pages.js';
import { describeInBrowser, TestBrowser } from './browser.js';

describeInBrowser('the Knowledge page', () => {
  let browser: TestBrowser;
  let service: TestService;
  let page: Page;

  beforeAll(async () => {
    browser = await TestBrowser.launch();
    service = await TestService.start();
    page = await browser.open(service.origin);
    await logIn(page, '/admin/knowledge');
  });
  beforeEach(async () => {
    for (const { id } of (await service.admin('GET', 'knowledge')).body['items'] as { id: string }[]) {
      await service.admin('DELETE', `knowledge/${id}`);
    }
    await page.goto('/admin/knowledge');
    await heading(page, 'Knowledge').waitFor();
  });
  afterEach(() => expect(browser.problems.splice(0)).toEqual([]));
  afterAll(async () => {
    await browser.close();
    await service.stop();
  });

  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const link = (name: string) => page.getByRole('link', { name, exact: true });
  const write = (title: string, content: string, tags: string[] = []) =>
    service.admin('POST', 'knowledge', { title, content, tags });

  it('writes a document, changes it and deletes it', async () => {
    await page.getByText('No documents yet').waitFor();
    await link('New document').click();
    await heading(page, 'New document').waitFor();
    await page.getByLabel('Title').fill('Deployment');
    await page.getByRole('combobox', { name: 'Tags' }).fill('ops');
    await page.getByRole('combobox', { name: 'Tags' }).press('Enter');
    await page.getByLabel('Content').fill('# Days\n\nWe deploy on <b>Tuesdays</b>.');
    await button('Save').click();
    await heading(page, 'Deployment').waitFor();
    await page.getByText('We deploy on <b>Tuesdays</b>.').waitFor();
    await page.getByText('ops', { exact: true }).waitFor();

    await link('Edit').click();
    await heading(page, 'Edit document').waitFor();
    await page.getByLabel('Content').fill('We deploy on Thursdays.');
    await button('Save').click();
    await heading(page, 'Deployment').waitFor();
    await page.getByText('We deploy on Thursdays.').waitFor();

    await button('Delete').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete document' }).click();
    await page.getByText('No documents yet').waitFor();
  });

  it('finds documents by what they say and by their tags, and marks the words found', async () => {
    await write('Deployment', '# Days\n\nWe deploy on <i>Tuesdays</i>.', ['ops']);
    await write('Holidays', 'The office is closed on Tuesdays in August.', ['people']);
    await page.reload();
    await link('Deployment').waitFor();
    await page.getByLabel('Search documents').fill('tuesdays');
    const card = page.getByRole('article', { name: 'Deployment' });
    await card.locator('mark').getByText('Tuesdays', { exact: true }).waitFor();
    await card.getByText('<i>').waitFor();
    await card.getByText('Days', { exact: true }).waitFor();

    await page.getByLabel('Tag').fill('people');
    await link('Deployment').waitFor({ state: 'detached' });
    await link('Holidays').waitFor();
    await page.getByLabel('Search documents').fill('deploy');
    await page.getByText('No document found').waitFor();
    await until(() => page.url().endsWith('?q=deploy&tag=people') || page.url().endsWith('?tag=people&q=deploy'));
  });

  it('shows the next page of a long list', async () => {
    for (let i = 0; i < 31; i += 1) await write(`Document ${i}`, `Text ${i}`);
    await page.reload();
    await link('Document 30').waitFor();
    expect(await link('Document 0').count()).toBe(0);
    await button('Show more').click();
    await link('Document 0').waitFor();
  });

  it('imports files, tells what became of each, and exports them', async () => {
    const input = page.locator('input[type=file]');
    await input.setInputFiles([
      { name: 'deploy.md', mimeType: 'text/markdown', buffer: Buffer.from('# Deployment\n\nOn Tuesdays.') },
      { name: 'office.html', mimeType: 'text/html', buffer: Buffer.from('<h1>The office</h1><p>Is open.</p>') },
      { name: 'log.txt', mimeType: 'text/plain', buffer: Buffer.alloc(1_000_100, 'log ') },
    ]);
    const summary = page.getByRole('status').filter({ hasText: 'The import is done' });
    await summary.getByText('3 files: 2 created, 1 failed.').waitFor();
    await summary.getByText(/^log\.txt: (?!created)/).waitFor();
    await page.getByRole('article', { name: 'Deployment' }).waitFor();

    const download = page.waitForEvent('download');
    await link('Export').click();
    const exported = JSON.parse(await readFile(await (await download).path(), 'utf8')) as { items: { path: string }[] };
    expect(exported.items.map(({ path }) => path).toSorted()).toEqual(['deploy.md', 'office.html']);
  });

  it('says that there is no such document, at an address that somebody mistyped', async () => {
    await page.goto('/admin/knowledge/nothing');
    await page
      .getByRole('alert')
      .getByText(/nothing/)
      .waitFor();
  });
});
