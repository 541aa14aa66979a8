import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { Database } from '../../../src/platform/database/database.js';
import { describeWithModel } from '../../support/builtin-model.js';
import { EmbeddingsServer } from '../../support/embeddings-server.js';
import { ADMIN_PASSWORD, type TestService } from '../../support/service.js';
import { until } from '../../support/until.js';
import {
  asksBeforeClosing,
  button,
  comeBackLater,
  dialog,
  enterPassword,
  heading,
  holdRequests,
  link,
  navigation,
  replaceText,
} from '../admin-pages.js';
import { openAdmin, removeAll } from '../admin-suite.js';
import { type TestBrowser, told } from '../browser.js';

export function knowledgePage(): void {
  let browser: TestBrowser;
  let service: TestService;
  let page: Page;

  openAdmin('/admin/knowledge', (opened) => ({ browser, service, page } = opened));
  beforeEach(async () => {
    await removeAll(service, 'knowledge');
    await page.goto('/admin/knowledge');
    await heading(page, 'Knowledge').waitFor();
  });

  const content = () => page.getByRole('textbox', { name: 'Content' });
  const goBack = () => page.evaluate('history.back()');
  const loseSession = async () => {
    // The page polls for runs, and would otherwise learn from that first that the session has ended.
    await page.route('**/admin/api/runs/questions', (route) => route.fulfill({ json: { items: [], count: 0 } }));
    await service.app.get(Database).deleteFrom('admin_sessions').execute();
  };
  const write = (title: string, content: string, tags: string[] = []) =>
    service.admin('POST', 'knowledge', { title, content, tags });

  it('writes a document, changes it and deletes it', async () => {
    await page.getByText('No documents yet').waitFor();
    await link(page, 'New document').click();
    await heading(page, 'New document').waitFor();
    await page.getByLabel('Title').fill('Deployment');
    await page.getByRole('combobox', { name: 'Tags' }).fill('ops');
    await page.getByRole('combobox', { name: 'Tags' }).press('Enter');
    await replaceText(content(), '# Days\n\nWe deploy on <b>Tuesdays</b>.');
    await button(page, 'Save').click();
    await heading(page, 'Deployment').waitFor();
    await page.getByText('We deploy on Tuesdays.').locator('b', { hasText: 'Tuesdays' }).waitFor();
    await page.getByRole('radiogroup').getByText('Source').click();
    await page.getByText('We deploy on <b>Tuesdays</b>.').waitFor();
    await page.getByText('ops', { exact: true }).waitFor();

    await link(page, 'Edit').click();
    await heading(page, 'Edit document').waitFor();
    await replaceText(content(), 'We deploy on Thursdays.');
    await button(page, 'Save').click();
    await heading(page, 'Deployment').waitFor();
    await page.getByText('We deploy on Thursdays.').waitFor();

    await button(page, 'Delete').click();
    await dialog(page).getByRole('button', { name: 'Delete document' }).click();
    await page.getByText('No documents yet').waitFor();
  });

  it('restores a deleted document with one click, and deletes one for good', async () => {
    for (const { id } of (await service.admin('GET', 'knowledge-trash')).body['items'] as { id: string }[])
      await service.admin('DELETE', `knowledge-trash/${id}`);
    for (const title of ['Deployment', 'Draft']) {
      await write(title, `About ${title}.`);
      await service.admin('DELETE', `knowledge/${title.toLowerCase()}`);
    }
    await link(page, 'Removed documents').click();
    await heading(page, 'Removed documents').waitFor();
    const row = (title: string) => page.getByRole('row').filter({ hasText: title });
    await row('Deployment').getByText('by admin').waitFor();
    await button(page, 'Restore: Deployment').click();
    await told(page, 'Deployment is restored.');
    await row('Deployment').waitFor({ state: 'detached' });

    await write('Draft', 'Another one.');
    await button(page, 'Restore: Draft').click();
    await told(page, 'Draft is restored. Another document has its address draft now; this one is draft-2.');
    await page.getByText('No removed documents').waitFor();
    await service.admin('DELETE', 'knowledge/draft-2');
    await page.reload();
    await button(page, 'Delete for good: Draft').click();
    await dialog(page).getByRole('button', { name: 'Delete for good' }).click();
    await page.getByText('No removed documents').waitFor();
    expect((await service.admin('GET', 'knowledge-trash')).body['items']).toEqual([]);

    await link(page, 'All documents').click();
    await link(page, 'Deployment').click();
    await page.getByText('About Deployment.').waitFor();
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
    await page.locator('[data-marked]', { hasText: 'We deploy on Tuesdays.' }).waitFor();
    await page.getByRole('radiogroup').getByText('Source').click();
    await page.locator('pre mark').getByText('We deploy on <i>Tuesdays</i>.', { exact: true }).waitFor();
    await goBack();
    await card.waitFor();

    await page.getByRole('combobox', { name: 'Tag', exact: true }).fill('people');
    await link(page, 'Deployment').waitFor({ state: 'detached' });
    await link(page, 'Holidays').waitFor();
    await page.getByLabel('Search documents').fill('deploy');
    await page.getByText('No document found').waitFor();
    await until(() => page.url().endsWith('?q=deploy&tag=people') || page.url().endsWith('?tag=people&q=deploy'));

    const before = page.url();
    await navigation(page).getByRole('link', { name: 'Knowledge' }).click();
    await page.getByLabel('Search documents').fill('holidays');
    await until(() => page.url().endsWith('?q=holidays'));
    await goBack();
    await until(() => page.url() === before);
  });

  it('counts the documents, those with a tag and the best matches, and suggests the tags that are used most', async () => {
    await write('Deployment', 'We deploy on Tuesdays.', ['ops', 'how-to']);
    await write('Alarms', 'Call somebody.', ['ops']);
    await write('Holidays', 'Closed on Tuesdays.', ['people']);
    await page.reload();
    const count = page.getByRole('status', { name: 'Number of documents' });
    await count.getByText('3 documents', { exact: true }).waitFor();
    await page.getByLabel('Search documents').fill('tuesdays');
    await count.getByText('The 2 best matches; 2 of 3 documents have all the words', { exact: true }).waitFor();
    await page.getByLabel('Search documents').fill('');
    const field = page.getByRole('combobox', { name: 'Tag', exact: true });
    await field.click();
    await page.getByRole('option').first().waitFor();
    expect(await page.getByRole('option').allTextContents()).toEqual(['ops2', 'how-to1', 'people1']);
    await field.fill('op');
    await until(async () => (await page.getByRole('option').allTextContents()).join() === 'ops2,people1');
    await page.getByRole('option', { name: 'ops' }).click();
    await count.getByText('2 of 3 documents have the tag ops', { exact: true }).waitFor();
    await link(page, 'Holidays').waitFor({ state: 'detached' });

    await link(page, 'New document').click();
    await page.getByRole('combobox', { name: 'Tags' }).fill('peo');
    await page.getByRole('option', { name: 'people' }).click();
    await page.getByText('people', { exact: true }).first().waitFor();
    await link(page, 'Cancel').click();
    await dialog(page).getByRole('button', { name: 'Leave' }).click();
  });

  it('deletes the chosen documents, and says which have changed meanwhile', async () => {
    for (const title of ['One', 'Two', 'Three']) await write(title, `About ${title}.`);
    await page.reload();
    await page.getByLabel('Choose One', { exact: true }).check();
    await page.getByLabel('Choose Two', { exact: true }).check();
    await page.getByText('2 documents chosen', { exact: true }).waitFor();
    await service.admin('PUT', 'knowledge/two', { content: 'Somebody else was here.' });
    const release = await holdRequests(page, 'POST', /\/knowledge-documents\/changes$/);
    await button(page, 'Delete chosen').click();
    await dialog(page).getByRole('button', { name: 'Delete 2 documents' }).click();
    await page.getByText('0 of 2 documents done').waitFor();
    await page.getByLabel('Choose Three', { exact: true }).check();
    await release();
    await page.getByText('1 document is deleted. 1 could not be deleted.').waitFor();
    await page.getByText('1 document chosen', { exact: true }).waitFor();
    expect(await page.getByLabel('Choose Three', { exact: true }).isChecked()).toBe(true);
    await page.getByText('it has been changed by "admin" since it was read: it is version 2 now, not 1').waitFor();
    await page.getByRole('article', { name: 'One' }).waitFor({ state: 'detached' });
    const { body } = await service.admin('GET', 'knowledge');
    expect((body['items'] as { id: string }[]).map(({ id }) => id).sort()).toEqual(['three', 'two']);
  });

  it('adds a tag to all documents that match, more than the page shows, and removes it again', async () => {
    for (let i = 0; i < 103; i += 1) await write(`Document ${i}`, `Text ${i}`, i < 102 ? ['numbered'] : []);
    await page.goto('/admin/knowledge?tag=numbered');
    await page.getByLabel('Choose the 30 documents shown').check();
    await page.getByText('30 documents chosen', { exact: true }).waitFor();
    await button(page, 'Choose all 102 documents with the tag').click();
    await page.getByText('102 documents chosen', { exact: true }).waitFor();
    const tags = page.getByRole('combobox', { name: 'Tags to add or remove' });
    await tags.fill('Old');
    await tags.press('Enter');
    await button(page, 'Add tags').click();
    await page.getByText('102 documents are changed.').waitFor();
    const countOld = async () => (await service.admin('GET', 'knowledge-documents/count?tag=old')).body['matching'];
    expect(await countOld()).toBe(102);
    await page.getByLabel('Choose the 30 documents shown').check();
    await tags.fill('old');
    await tags.press('Enter');
    await button(page, 'Remove tags').click();
    await page.getByText('30 documents are changed.').waitFor();
    expect(await countOld()).toBe(72);
    await button(page, 'Choose all 102 documents with the tag').click();
    await button(page, 'Delete chosen').click();
    await dialog(page).getByRole('button', { name: 'Delete 102 documents' }).click();
    await page.getByText('102 documents are deleted.').waitFor();
  });

  it('chooses every document with the words of a search, more than a search finds, and deletes them', async () => {
    const files = Array.from({ length: 230 }, (_, index) => ({
      path: `${index}.md`,
      content: `# Note ${index}\n\n${index < 215 ? 'How to roll back.' : 'How to go on.'}`,
    }));
    await service.admin('POST', 'knowledge/import', { files });
    await page.goto('/admin/knowledge?q=roll%20back');
    const count = page.getByRole('status', { name: 'Number of documents' });
    await count.getByText('The 30 best matches; 215 of 230 documents have all the words', { exact: true }).waitFor();
    await button(page, 'Choose all 215 documents with all the words').click();
    await page.getByText('215 documents chosen', { exact: true }).waitFor();
    await button(page, 'Delete chosen').click();
    await dialog(page).getByRole('button', { name: 'Delete 215 documents' }).click();
    await page.getByText('215 documents are deleted.').waitFor();
    expect((await service.admin('GET', 'knowledge-documents/count')).body['documents']).toBe(15);
  });

  it('does not serialize a long document at each key, and continues a list while one types', async () => {
    const { body } = await write('Handbook', 'A line of the handbook.\n'.repeat(40_000));
    await page.goto(`/admin/knowledge/${String(body['id'])}/edit`);
    await content().click();
    await page.keyboard.press('Control+Home');
    await page.evaluate(`
      window.writtenOut = 0;
      const write = JSON.stringify;
      JSON.stringify = (...values) => {
        const text = write(...values);
        if (text?.length > 100_000) window.writtenOut += 1;
        return text;
      };
    `);
    await page.keyboard.type('- one');
    await page.keyboard.press('Enter');
    await page.keyboard.type('two');
    await page.locator('.cm-line', { hasText: '- two' }).waitFor();
    expect(await page.evaluate('window.writtenOut')).toBe(0);
    await button(page, 'Save').click();
    await heading(page, 'Handbook').waitFor();
    expect(await page.evaluate('window.writtenOut')).toBe(1); // the stored script ran
    const saved = (await service.admin('GET', `knowledge/${String(body['id'])}`)).body['content'];
    expect(String(saved).startsWith('- one\n- twoA line of the handbook.\nA line')).toBe(true);
  });

  it('shows the next page of a long list', async () => {
    for (let i = 0; i < 31; i += 1) await write(`Document ${i}`, `Text ${i}`);
    await page.reload();
    await link(page, 'Document 30').waitFor();
    expect(await link(page, 'Document 0').count()).toBe(0);
    await page.route(/\/admin\/api\/knowledge\?.*cursor=/, (route) => route.fulfill({ status: 429 }));
    await button(page, 'Show more').click();
    const problem = page.getByRole('alert').filter({ hasText: 'The answer was 429' });
    await problem.waitFor();
    expect(await page.evaluate<number>('scrollY')).toBeGreaterThan(500);
    const { y = 0 } = (await problem.boundingBox()) ?? {};
    expect(y).toBeGreaterThan(0);
    await page.unroute(/\/admin\/api\/knowledge\?.*cursor=/);
    await button(page, 'Show more').click();
    await link(page, 'Document 0').waitFor();
  });

  it('imports files, shows the outcome of each, and exports them', async () => {
    const input = page.locator('input[type=file]:not([webkitdirectory])');
    await input.setInputFiles([
      { name: 'deploy.md', mimeType: 'text/markdown', buffer: Buffer.from('# Deployment\n\nOn Tuesdays.') },
      { name: 'office.html', mimeType: 'text/html', buffer: Buffer.from('<h1>The office</h1><p>Is open.</p>') },
      { name: 'letter.txt', mimeType: 'text/plain', buffer: Buffer.from('{\\rtf1 Hello}') },
    ]);
    const plan = page.getByRole('region', { name: 'Import' });
    await plan.getByText('3 documents: 1 refused, 2 new. Nothing is saved yet.').waitFor();
    await plan.getByText(/^letter\.txt: refused: .*RTF/).waitFor();
    await plan.getByText('deploy.md: new: “Deployment”').waitFor();
    expect((await service.admin('GET', 'knowledge')).body['items']).toEqual([]);
    await button(page, 'Import 2 documents').click();
    const summary = page.getByRole('status').filter({ hasText: 'The import is done' });
    await summary.getByText('3 files: 2 created, 1 failed.').waitFor();
    await summary.getByText(/^letter\.txt: (?!created)/).waitFor();
    await page.getByRole('article', { name: 'Deployment' }).waitFor();

    const download = page.waitForEvent('download');
    await link(page, 'Export').click();
    const exported = JSON.parse(await readFile(await (await download).path(), 'utf8')) as { items: { path: string }[] };
    expect(exported.items.map(({ path }) => path).toSorted()).toEqual(['deploy.md', 'office.html']);

    await removeAll(service, 'knowledge');
    await input.setInputFiles([
      { name: 'knowledge.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(exported)) },
    ]);
    await button(page, 'Import 2 documents').click();
    await summary.getByText('2 files: 2 created.').waitFor();
    await page.getByRole('article', { name: 'Deployment' }).getByText('deploy.md').waitFor();
  });

  describe('with folders', () => {
    let folder: string;
    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), 'agent-service-'));
      for (const name of ['a', 'b', '.git']) await mkdir(join(folder, 'handbook', name), { recursive: true });
      await writeFile(join(folder, 'handbook/a/README.md'), '# First\n\nOf a.');
      await writeFile(join(folder, 'handbook/b/README.md'), '# Second\n\nOf b.');
      await writeFile(join(folder, 'handbook/.git/config.md'), 'hidden');
      await writeFile(join(folder, 'handbook/a/logo.png'), Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'));
    });
    afterEach(() => rm(folder, { recursive: true }));

    const plan = () => page.getByRole('region', { name: 'Import' });
    const drop = async (name: string) => {
      const devtools = await page.context().newCDPSession(page);
      const data = { items: [], files: [join(folder, name)], dragOperationsMask: 1 };
      for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
        await devtools.send('Input.dispatchDragEvent', { type, x: 300, y: 300, data });
      }
    };
    const paths = async () => {
      const { items } = (await service.admin('GET', 'knowledge')).body as { items: { path: string; title: string }[] };
      return items.map(({ path, title }) => `${path}: ${title}`).sort();
    };

    it('imports a folder that is chosen, in which two files have the same name', async () => {
      await page.locator('input[webkitdirectory]').setInputFiles(join(folder, 'handbook'));
      await plan().getByText('3 documents: 1 refused, 2 new.').waitFor();
      await plan()
        .getByText(/logo\.png: refused: .*PNG/)
        .waitFor();
      expect(await plan().getByLabel('Import as').inputValue()).toBe('handbook');
      await button(page, 'Import 2 documents').click();
      await page.getByText('The import is done').waitFor();
      expect(await paths()).toEqual(['handbook/a/README.md: First', 'handbook/b/README.md: Second']);

      await writeFile(join(folder, 'handbook/b/README.md'), '# Third\n\nOf b.');
      await page.locator('input[webkitdirectory]').setInputFiles(join(folder, 'handbook'));
      await plan().getByText('3 documents: 1 changed, 1 refused, 1 unchanged.').waitFor();
      await plan()
        .getByText(/b\/README\.md: changed: replaces “Second”, saved by admin/)
        .waitFor();
      await plan().getByLabel('Import as').fill('team');
      await button(page, 'Compare again').click();
      await plan().getByText('3 documents: 1 refused, 2 new.').waitFor();
      await button(page, 'Cancel').click();
      expect(await paths()).toEqual(['handbook/a/README.md: First', 'handbook/b/README.md: Second']);
    });

    it('compares all files of a folder that is dropped, of which browsers list a hundred at a time', async () => {
      for (let page = 0; page < 120; page += 1)
        await writeFile(join(folder, `handbook/a/${page}.md`), `# Page ${page}`);
      await drop('handbook');
      await plan().getByText('123 documents: 1 refused, 122 new.').waitFor();
    });

    it('imports a folder that is dropped, and replaces nothing that was changed after the comparison', async () => {
      const { body } = await service.admin('POST', 'knowledge/import', {
        files: [{ path: 'handbook/a/README.md', content: '# Old' }],
      });
      const [{ id = '' } = {}] = body['files'] as { id?: string }[];
      await drop('handbook');
      await plan().getByText('3 documents: 1 changed, 1 refused, 1 new.').waitFor();
      await service.admin('PUT', `knowledge/${id}`, { content: 'by an assistant' });
      await button(page, 'Import 2 documents').click();
      await page.getByText(/^handbook\/a\/README\.md: .*has changed since version 1/).waitFor();
      expect((await service.admin('GET', `knowledge/${id}`)).body).toMatchObject({ content: 'by an assistant' });
      expect(await paths()).toContain('handbook/b/README.md: Second');
    });
  });

  it('asks to log in when the session ends before an import, which is then made', async () => {
    const file = { name: 'deploy.md', mimeType: 'text/markdown', buffer: Buffer.from('# Deployment') };
    await page.locator('input[type=file]:not([webkitdirectory])').setInputFiles([file]);
    await page.getByText('1 document: 1 new.').waitFor();
    await loseSession();
    await button(page, 'Import 1 document').click();
    await enterPassword(page, ADMIN_PASSWORD);
    await page.unroute('**/admin/api/runs/questions');
    await button(page, 'Import 1 document').click();
    await page.getByText('1 file: 1 created.').waitFor();
  });

  it('imports files that are dropped on the page, and what fails keeps no other from it', async () => {
    await page.route('**/admin/api/knowledge/import', (route) =>
      route.request().postData()?.includes(Buffer.from('refuse me').toString('base64'))
        ? route.fulfill({ status: 502 })
        : route.continue(),
    );
    await page.evaluate(`{
      const held = new DataTransfer();
      for (let i = 0; i < 24; i += 1) held.items.add(new File(['# Page ' + i], i + '.md'));
      held.items.add(new File(['refuse me'], 'refused.md'));
      const gone = new File([], 'gone.md');
      held.items.add(gone);
      File.prototype.arrayBuffer = function () {
        return this.name === 'gone.md' ? Promise.reject(new Error()) : Blob.prototype.arrayBuffer.call(this);
      };
      window.held = held;
      window.dispatchEvent(new DragEvent('dragover', { dataTransfer: held, cancelable: true }));
    }`);
    await page.getByText('Drop files or folders to import them').waitFor();
    await page.evaluate("window.dispatchEvent(new DragEvent('drop', { dataTransfer: window.held, cancelable: true }))");
    await page.getByText('26 documents: 1 refused, 25 new.').waitFor();
    await button(page, 'Import 25 documents').click();
    const summary = page.getByRole('status').filter({ hasText: 'The import is done' });
    await summary.getByText(/^26 files: \d+ created, \d+ failed\.$/).waitFor();
    await summary.getByText(/^gone\.md: the browser could not read it/).waitFor();
    await summary.getByText(/^refused\.md: The answer was 502/).waitFor();
    await page.getByRole('article', { name: 'Page 0' }).waitFor();
    await page.unroute('**/admin/api/knowledge/import');
    expect(browser.problems.splice(0)).toEqual([expect.stringContaining('502')]);
  });

  it('says that the service does not answer, and shows the documents once it does, or when it is asked again', async () => {
    await write('Deployment', 'We deploy on Tuesdays.');
    await page.context().setOffline(true);
    await page.getByLabel('Search documents').fill('tuesdays');
    await page.getByRole('alert').getByText('The service does not answer').waitFor();
    await page.context().setOffline(false);
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
    await replaceText(content(), 'We deploy on Tuesdays.');
    await loseSession();
    await button(page, 'Save').click();
    await enterPassword(page, ADMIN_PASSWORD);
    expect(await content().innerText()).toBe('We deploy on Tuesdays.');
    await page.getByRole('alert').getByText('You were logged out before this was done: try again.').waitFor();
    await page.unroute('**/admin/api/runs/questions');
    await button(page, 'Save').click();
    await heading(page, 'Deployment').waitFor();
    await navigation(page).getByRole('link', { name: 'Memory' }).click();
    await heading(page, 'Memory').waitFor();
  });

  it('closes the question whether to delete a document when one goes back', async () => {
    await write('Deployment', 'We deploy on Tuesdays.');
    await page.reload();
    await link(page, 'Deployment').click();
    await heading(page, 'Deployment').waitFor();
    await button(page, 'Delete').click();
    await dialog(page).waitFor();
    await goBack();
    await heading(page, 'Knowledge').waitFor();
    await dialog(page).waitFor({ state: 'detached' });
  });

  it('asks before a half-written document is lost, however one leaves', async () => {
    await link(page, 'New document').click();
    await content().pressSequentially('We deploy on');
    await link(page, 'Cancel').click();
    await button(page, 'Stay').click();
    await goBack();
    await dialog(page).waitFor();
    await goBack();
    await button(page, 'Stay').click();
    await dialog(page).waitFor({ state: 'detached' });
    await navigation(page).getByRole('link', { name: 'Memory' }).click();
    await button(page, 'Stay').click();
    expect(await asksBeforeClosing(page)).toBe(true);
    expect(await content().innerText()).toBe('We deploy on');
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
    await replaceText(content(), 'We deploy on Tuesdays.');
    await button(page, 'Save').click();
    await heading(page, 'Deployment').waitFor();

    await link(page, 'Edit').click();
    await replaceText(content(), 'We deploy on Fridays.');
    await goBack();
    await button(page, 'Stay').click();
    await replaceText(content(), 'We deploy on Tuesdays.');
    await goBack();
    await heading(page, 'Deployment').waitFor();
    await link(page, 'Edit').click();
    await heading(page, 'Edit document').waitFor();
    await replaceText(content(), 'We deploy on Thursdays.');
    await button(page, 'Save').click();
    await heading(page, 'Deployment').waitFor();
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
    await button(page, 'Show the current text, without my changes').click();
    expect(await content().innerText()).toBe('We deploy on Fridays.');
    expect(await page.getByLabel('Title').inputValue()).toBe('Deployment');
  });

  it('shows both texts when somebody saved another one first, and saves only what is chosen', async () => {
    const { body } = await write('Days of deployment', 'We deploy on Tuesdays.');
    const path = `knowledge/${String(body['id'])}`;
    const saved = async () => (await service.admin('GET', path)).body;
    await page.goto(`/admin/${path}/edit`);
    await replaceText(content(), 'We deploy on Mondays.');
    await service.admin('PUT', path, { content: 'We deploy on Fridays.' });
    await button(page, 'Save').click();
    const notice = page.getByRole('alert').filter({ hasText: 'Somebody changed this document in the meantime' });
    for (const text of ['We deploy on Fridays.', 'We deploy on Mondays.']) await notice.getByText(text).waitFor();
    expect(await button(page, 'Save').isDisabled()).toBe(true);
    expect(await saved()).toMatchObject({ content: 'We deploy on Fridays.', version: 2 });

    // Overwriting one version does not cover later ones.
    await button(page, 'Overwrite with my version').click();
    await service.admin('PUT', path, { content: 'We deploy on Sundays.' });
    await button(page, 'Save').click();
    await notice.getByText('We deploy on Sundays.').waitFor();
    await button(page, 'Overwrite with my version').click();
    await button(page, 'Save').click();
    await heading(page, 'Days of deployment').waitFor();
    expect(await saved()).toMatchObject({ content: 'We deploy on Mondays.', version: 4 });

    await button(page, 'Compare version 2 with the current one').click();
    await page.getByText('We deploy on Fridays.').waitFor();
    await button(page, 'Restore version 2').click();
    await told(page, 'Version 2 is restored.');
    expect(await saved()).toMatchObject({ content: 'We deploy on Fridays.', version: 5 });
    await button(page, 'Compare version 4 with the current one').waitFor();
  });

  it('deletes no document that has changed since it was shown', async () => {
    const { body } = await write('A day of deployment', 'We deploy on Tuesdays.');
    const path = `knowledge/${String(body['id'])}`;
    await page.goto(`/admin/${path}`);
    await heading(page, 'A day of deployment').waitFor();
    await service.admin('PUT', path, { content: 'We deploy on Fridays.' });
    await button(page, 'Delete').click();
    await dialog(page).getByRole('button', { name: 'Delete document' }).click();
    await page.getByText(/has changed since version 1/).waitFor();
    await page.getByText('We deploy on Fridays.').waitFor();
  });

  it('renders a document, without anything in it that could do harm', async () => {
    const lines = [
      '# Rules',
      '',
      '| Day | Who |',
      '| --- | --- |',
      '| Monday | Ada |',
      '',
      '```js',
      'const day = "Monday";',
      '```',
    ];
    const harm = [
      '<script>document.title = "gone"</script><img src="https://example.com/x.png" alt="a map" onerror="alert(1)">',
      '<a href="javascript:alert(1)">press</a> [out](https://example.com/) <div style="position:fixed">box</div>',
    ];
    const { body } = await write('Rules', [...lines, '', ...harm].join('\n'));
    await page.goto(`/admin/knowledge/${String(body['id'])}`);
    const shown = page.getByRole('group', { name: 'Content', exact: true });
    await shown.getByRole('cell', { name: 'Ada' }).waitFor();
    expect(await shown.locator('code .hljs-keyword').allInnerTexts()).toEqual(['const']);
    await shown.getByText('[a map]').waitFor();
    expect(await shown.locator('script, img, [style*=position], [href^=javascript]').count()).toBe(0);
    expect(await shown.getByRole('link').count()).toBe(1);
    expect(await shown.getByRole('link', { name: 'out' }).getAttribute('href')).toBe('https://example.com/');
    await page.getByText('Side by side').click();
    await page.getByRole('group', { name: 'Content, Markdown' }).getByText('| Monday | Ada |').waitFor();
    await shown.getByRole('cell', { name: 'Ada' }).waitFor();
  });

  it('opens what a search found at its passage', async () => {
    const sections = Array.from({ length: 60 }, (_, i) => `## Part ${i}\n\nText of part ${i}, which says little.`);
    await write('Long', `${sections.join('\n\n')}\n\n## Zebra\n\nThe zebra sleeps at noon.`);
    await page.goto('/admin/knowledge?q=zebra');
    await link(page, 'Long').click();
    const marked = page.locator('[data-marked]', { hasText: 'The zebra sleeps at noon.' });
    await marked.waitFor();
    await until(async () => {
      const box = await marked.boundingBox();
      return box !== null && box.y > 0 && box.y < (page.viewportSize()?.height ?? 0);
    });
  });

  it('edits a document of a megabyte', async () => {
    const text = `${'A line of a long document, such as a log or a book.\n'.repeat(19_000)}The end.`;
    const { body } = await write('Book', text);
    await page.goto(`/admin/knowledge/${String(body['id'])}/edit`);
    await content().click();
    await page.keyboard.press('Control+Home');
    await page.keyboard.type('New words. ');
    await button(page, 'Save').click();
    await heading(page, 'Book').waitFor();
    const saved = (await service.admin('GET', `knowledge/${String(body['id'])}`)).body['content'];
    expect(saved).toBe(`New words. ${text}`);
  });

  it('colours Markdown, except while a block of it is too long to be parsed with each key', async () => {
    const coloured = page.locator('.cm-line span[class]', { hasText: 'bold' });
    const { body } = await write('Log', 'A **bold** line.\n'.repeat(4_000));
    await page.goto(`/admin/knowledge/${String(body['id'])}/edit`);
    await content().getByText('A **bold** line.').first().waitFor();
    expect(await coloured.count()).toBe(0);
    await replaceText(content(), 'One **bold** line.');
    await coloured.waitFor();
    await replaceText(content(), 'Another **bold** line. '.repeat(300));
    await coloured.waitFor({ state: 'detached' });
    await replaceText(content(), 'One **bold** line.');
    await coloured.first().waitFor();
  });

  it.each([
    ['a short text', ''],
    ['a long block', 'A line.\n'.repeat(10_000)],
  ])('continues lists and quotes at Enter, in %s', async (_, before) => {
    const typeAtEnd = async (text: string, typed: string) => {
      const { body } = await write('Lists', `${before}${text}`);
      await page.goto(`/admin/knowledge/${String(body['id'])}/edit`);
      await content().click();
      await page.keyboard.press('Control+End');
      await page.keyboard.press('Enter');
      await page.keyboard.type(typed);
    };
    await typeAtEnd('> 9. one', 'two');
    await page.locator('.cm-line', { hasText: /^> 10\. two$/ }).waitFor();
    await typeAtEnd('- one\n- ', 'after the list');
    await page.locator('.cm-line', { hasText: /^after the list$/ }).waitFor();
  });
}
