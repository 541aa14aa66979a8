import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import type { TestService } from '../support/service.js';
import { until } from '../support/until.js';
import { asksBeforeClosing, button, comeBackLater, dialog, heading, link, navigation } from './admin-pages.js';
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

  const goBack = () => page.evaluate('history.back()');
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

  it('asks before a half-written document is lost, however one leaves', async () => {
    await link(page, 'New document').click();
    await page.getByLabel('Content').pressSequentially('We deploy on');
    await link(page, 'Cancel').click();
    await button(page, 'Stay').click();
    await goBack();
    await button(page, 'Stay').click();
    await navigation(page).getByRole('link', { name: 'Memory' }).click();
    await button(page, 'Stay').click();
    expect(await asksBeforeClosing(page)).toBe(true);
    expect(await page.getByLabel('Content').inputValue()).toBe('We deploy on');
    await link(page, 'Cancel').click();
    await button(page, 'Leave').click();
    await page.getByText('No documents yet').waitFor();
  });

  it('asks nothing while there is nothing to lose, nor once it is saved', async () => {
    await link(page, 'New document').click();
    await heading(page, 'New document').waitFor();
    await link(page, 'Cancel').click();
    await heading(page, 'Knowledge').waitFor();
    await link(page, 'New document').click();
    await page.getByLabel('Title').fill('Deployment');
    await page.getByLabel('Content').fill('We deploy on Tuesdays.');
    await button(page, 'Save').click();
    await heading(page, 'Deployment').waitFor();

    await link(page, 'Edit').click();
    const content = page.getByRole('textbox', { name: 'Content' });
    await content.fill('We deploy on Fridays.');
    await goBack();
    await button(page, 'Stay').click();
    await content.fill('We deploy on Tuesdays.');
    await goBack();
    await heading(page, 'Deployment').waitFor();
    await link(page, 'Edit').click();
    await heading(page, 'Edit document').waitFor();
    await content.fill('We deploy on Thursdays.');
    await button(page, 'Save').click();
    await page.getByText('We deploy on Thursdays.').waitFor();
    expect(await dialog(page).count()).toBe(0);
    const tab = await page.context().newPage();
    await tab.goto(page.url());
    await link(tab, 'Edit').click();
    await tab.getByRole('textbox', { name: 'Content' }).click();
    expect(await asksBeforeClosing(tab)).toBe(false);
  });

  it('says so when somebody else changed the document in the meantime', async () => {
    const { body } = await write('Deployment', 'We deploy on Tuesdays.');
    await page.goto(`/admin/knowledge/${String(body['id'])}/edit`);
    await page.getByLabel('Title').fill('Deploying');
    await service.admin('PUT', `knowledge/${String(body['id'])}`, { content: 'We deploy on Fridays.' });
    await comeBackLater(page);
    await page
      .getByRole('alert')
      .getByText(/Somebody changed this document/)
      .waitFor();
    await button(page, 'Show what it says now, without my changes').click();
    expect(await page.getByLabel('Content').inputValue()).toBe('We deploy on Fridays.');
    expect(await page.getByLabel('Title').inputValue()).toBe('Deployment');
  });

  it('says that there is no such document, at an address that somebody mistyped', async () => {
    await page.goto('/admin/knowledge/nothing');
    await page
      .getByRole('alert')
      .getByText(/nothing/)
      .waitFor();
  });
});
