import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import type { TestService } from '../support/service.js';
import { until } from '../support/until.js';
import { button, dialog, heading, link } from './admin-pages.js';
import { openAdmin, removeAll } from './admin-suite.js';
import { describeInBrowser } from './browser.js';

describeInBrowser('the Knowledge page', () => {
  let service: TestService;
  let page: Page;

  openAdmin('/admin/knowledge', (opened) => ({ service, page } = opened));
  beforeEach(async () => {
    await removeAll(service, 'knowledge');
    await page.goto('/admin/knowledge');
    await heading(page, 'Knowledge').waitFor();
  });

  const write = (title: string, content: string, tags: string[] = []) =>
    service.admin('POST', 'knowledge', { title, content, tags });

  it('writes a document, changes it and deletes it', async () => {
    await page.getByText('No documents yet').waitFor();
    await link(page, 'New document').click();
    await heading(page, 'New document').waitFor();
    await page.getByLabel('Title').fill('Deployment');
    await page.getByRole('combobox', { name: 'Tags' }).fill('ops');
    await page.getByRole('combobox', { name: 'Tags' }).press('Enter');
    await page.getByLabel('Content').fill('# Days\n\nWe deploy on <b>Tuesdays</b>.');
    await button(page, 'Save').click();
    await heading(page, 'Deployment').waitFor();
    await page.getByText('We deploy on <b>Tuesdays</b>.').waitFor();
    await page.getByText('ops', { exact: true }).waitFor();

    await link(page, 'Edit').click();
    await heading(page, 'Edit document').waitFor();
    await page.getByLabel('Content').fill('We deploy on Thursdays.');
    await button(page, 'Save').click();
    await heading(page, 'Deployment').waitFor();
    await page.getByText('We deploy on Thursdays.').waitFor();

    await button(page, 'Delete').click();
    await dialog(page).getByRole('button', { name: 'Delete document' }).click();
    await page.getByText('No documents yet').waitFor();
  });

  it('finds documents by what they say and by their tags, and marks the words found', async () => {
    await write('Deployment', '# Days\n\nWe deploy on <i>Tuesdays</i>.', ['ops']);
    await write('Holidays', 'The office is closed on Tuesdays in August.', ['people']);
    await page.reload();
    await link(page, 'Deployment').waitFor();
    await page.getByLabel('Search documents').fill('tuesdays');
    const card = page.getByRole('article', { name: 'Deployment' });
    await card.locator('mark').getByText('Tuesdays', { exact: true }).waitFor();
    await card.getByText('<i>').waitFor();
    await card.getByText('Days', { exact: true }).waitFor();

    await page.getByLabel('Tag').fill('people');
    await link(page, 'Deployment').waitFor({ state: 'detached' });
    await link(page, 'Holidays').waitFor();
    await page.getByLabel('Search documents').fill('deploy');
    await page.getByText('No document found').waitFor();
    await until(() => page.url().endsWith('?q=deploy&tag=people') || page.url().endsWith('?tag=people&q=deploy'));
  });

  it('shows the next page of a long list', async () => {
    for (let i = 0; i < 31; i += 1) await write(`Document ${i}`, `Text ${i}`);
    await page.reload();
    await link(page, 'Document 30').waitFor();
    expect(await link(page, 'Document 0').count()).toBe(0);
    await button(page, 'Show more').click();
    await link(page, 'Document 0').waitFor();
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
    await link(page, 'Export').click();
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
