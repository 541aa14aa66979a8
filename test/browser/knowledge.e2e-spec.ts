import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { Database } from '../../src/database/database.js';
import { describeWithModel } from '../support/builtin-model.js';
import { EmbeddingsServer } from '../support/embeddings-server.js';
import { ADMIN_PASSWORD, type TestService } from '../support/service.js';
import { until } from '../support/until.js';
import {
  asksBeforeClosing,
  button,
  comeBackLater,
  dialog,
  enterPassword,
  heading,
  link,
  navigation,
} from './admin-pages.js';
import { openAdmin, removeAll } from './admin-suite.js';
import { describeInBrowser, type TestBrowser } from './browser.js';

describeInBrowser('the Knowledge page', () => {
  let browser: TestBrowser;
  let service: TestService;
  let page: Page;

  openAdmin('/admin/knowledge', (opened) => ({ browser, service, page } = opened));
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

  describe('with an embeddings API', () => {
    let embeddings: EmbeddingsServer;
    beforeEach(async () => (embeddings = await EmbeddingsServer.start()));
    afterEach(async () => {
      for (const key of ['embeddings_url', 'embeddings_model'])
        await service.admin('DELETE', `config/knowledge.${key}`);
      await embeddings.stop();
    });

    it('shows how far the passages are embedded, and what is wrong', async () => {
      const set = (key: string, value: unknown) => service.admin('PUT', `config/${key}`, { value });
      await write('Parking', 'Every car needs a permit.');
      await page.getByText('set an embeddings API under Config').waitFor();

      await set('knowledge.embeddings_model', 'small');
      await set('knowledge.embeddings_url', embeddings.url);
      await page.reload();
      await page.getByText('the embedding model cannot be used').waitFor();
      await page.getByText('http.allowed_hosts').waitFor();

      await set('http.allowed_hosts', ['127.0.0.1']);
      await page.getByText('Searches match words and meaning.').waitFor();
      await page.getByLabel('Search documents').fill('automobile');
      await page.getByRole('article', { name: 'Parking' }).getByText('Found by its meaning').waitFor();
    });
  });

  describeWithModel('with the built-in model', () => {
    afterEach(() => service.admin('DELETE', 'config/knowledge.embeddings'));

    it('turns on the built-in model with one click', async () => {
      await write('Parking', 'Every car needs a permit.');
      await page.reload();
      await button(page, 'Match meaning, too').click();
      await page.getByText('Searches here and in the memory match words and meaning.').waitFor();
      await page.getByLabel('Search documents').fill('automobile');
      await page.getByRole('article', { name: 'Parking' }).getByText('Found by its meaning').waitFor();
    });
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
    await link(page, 'Deployment').click();
    await page.locator('pre mark').getByText('We deploy on <i>Tuesdays</i>.', { exact: true }).waitFor();
    await goBack();
    await card.waitFor();

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

  it('imports files that are dropped on the page, and what fails keeps no other from it', async () => {
    await page.route('**/admin/api/knowledge/import', (route) =>
      route.request().postData()?.includes('refuse me') ? route.fulfill({ status: 502 }) : route.continue(),
    );
    await page.evaluate(`{
      const held = new DataTransfer();
      for (let i = 0; i < 24; i += 1) held.items.add(new File(['# Page ' + i], i + '.md'));
      held.items.add(new File(['refuse me'], 'refused.md'));
      held.items.add(Object.assign(new File([], 'folder'), { text: () => Promise.reject(new Error()) }));
      window.held = held;
      window.dispatchEvent(new DragEvent('dragover', { dataTransfer: held, cancelable: true }));
    }`);
    await page.getByText('Drop Markdown, text or HTML files').waitFor();
    await page.evaluate("window.dispatchEvent(new DragEvent('drop', { dataTransfer: window.held, cancelable: true }))");
    const summary = page.getByRole('status').filter({ hasText: 'The import is done' });
    await summary.getByText(/^26 files: \d+ created, \d+ failed\.$/).waitFor();
    await summary.getByText(/^folder: the browser could not read it/).waitFor();
    await summary.getByText(/^refused\.md: The answer was 502/).waitFor();
    await page.getByRole('article', { name: 'Page 0' }).waitFor();
    await page.unroute('**/admin/api/knowledge/import');
    expect(browser.problems.splice(0)).toEqual([expect.stringContaining('502')]);
  });

  it('says that the service does not answer, and shows the documents once it does', async () => {
    await write('Deployment', 'We deploy on Tuesdays.');
    await page.context().setOffline(true);
    await page.getByLabel('Search documents').fill('tuesdays');
    await page.getByRole('alert').getByText('The service does not answer').waitFor();
    await page.context().setOffline(false);
    await button(page, 'Try again').click();
    await page.getByRole('article', { name: 'Deployment' }).locator('mark').waitFor();
    await page.route('**/admin/api/knowledge?*', (route) => route.fulfill({ status: 500 }));
    await page.getByLabel('Search documents').fill('deploy');
    await page.getByRole('alert').getByText('The answer was 500').waitFor();
    await page.unroute('**/admin/api/knowledge?*');
    await button(page, 'Try again').click();
    await page.getByRole('article', { name: 'Deployment' }).locator('mark').waitFor();
    expect(browser.problems.splice(0).filter((problem) => !/DISCONNECTED|500/.test(problem))).toEqual([]);
  });

  it('keeps what is being written when the session ends in the middle of it', async () => {
    await link(page, 'New document').click();
    await page.getByLabel('Title').fill('Deployment');
    await page.getByLabel('Content').fill('We deploy on Tuesdays.');
    await service.app.get(Database).deleteFrom('admin_sessions').execute();
    await button(page, 'Save').click();
    await enterPassword(page, ADMIN_PASSWORD);
    expect(await page.getByLabel('Content').inputValue()).toBe('We deploy on Tuesdays.');
    await button(page, 'Save').click();
    await heading(page, 'Deployment').waitFor();
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

  it('shows both texts when somebody saved another one first, and saves only what is chosen', async () => {
    const { body } = await write('Deployment', 'We deploy on Tuesdays.');
    const path = `knowledge/${String(body['id'])}`;
    const saved = async () => (await service.admin('GET', path)).body;
    await page.goto(`/admin/${path}/edit`);
    const content = page.getByRole('textbox', { name: 'Content' });
    await content.fill('We deploy on Mondays.');
    await service.admin('PUT', path, { content: 'We deploy on Fridays.' });
    await button(page, 'Save').click();
    const notice = page.getByRole('alert').filter({ hasText: 'Somebody changed this document in the meantime' });
    for (const text of ['We deploy on Fridays.', 'We deploy on Mondays.']) await notice.getByText(text).waitFor();
    expect(await button(page, 'Save').isDisabled()).toBe(true);
    expect(await saved()).toMatchObject({ content: 'We deploy on Fridays.', version: 2 });

    // What one has decided about is not what comes after.
    await button(page, 'Keep my text, and replace what it says now').click();
    await service.admin('PUT', path, { content: 'We deploy on Sundays.' });
    await button(page, 'Save').click();
    await notice.getByText('We deploy on Sundays.').waitFor();
    await button(page, 'Keep my text, and replace what it says now').click();
    await button(page, 'Save').click();
    await heading(page, 'Deployment').waitFor();
    expect(await saved()).toMatchObject({ content: 'We deploy on Mondays.', version: 4 });

    await button(page, 'Compare version 2 with the present one').click();
    await page.getByText('We deploy on Fridays.').waitFor();
    await button(page, 'Restore version 2').click();
    await page.getByText('Version 2 is restored.').waitFor();
    expect(await saved()).toMatchObject({ content: 'We deploy on Fridays.', version: 5 });
    await button(page, 'Compare version 4 with the present one').waitFor();
    expect(browser.problems.splice(0).filter((problem) => !problem.includes('412'))).toEqual([]);
  });

  it('deletes no document that has changed since it was shown', async () => {
    const { body } = await write('Deployment', 'We deploy on Tuesdays.');
    const path = `knowledge/${String(body['id'])}`;
    await page.goto(`/admin/${path}`);
    await heading(page, 'Deployment').waitFor();
    await service.admin('PUT', path, { content: 'We deploy on Fridays.' });
    await button(page, 'Delete').click();
    await dialog(page).getByRole('button', { name: 'Delete document' }).click();
    await page.getByText(/has changed since version 1/).waitFor();
    await page.getByText('We deploy on Fridays.').waitFor();
    expect(browser.problems.splice(0).filter((problem) => !problem.includes('412'))).toEqual([]);
  });

  it('says that there is no such document, at an address that somebody mistyped', async () => {
    await page.goto('/admin/knowledge/nothing');
    await page
      .getByRole('alert')
      .getByText(/nothing/)
      .waitFor();
  });
});
