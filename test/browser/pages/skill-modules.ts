import { mkdtempSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { strToU8, zipSync } from 'fflate';
import type { Page } from 'playwright-core';
import type { TestService } from '../../support/service.js';
import { dialog, heading } from '../admin-pages.js';
import { openAdmin } from '../admin-suite.js';
import { until } from '../../support/until.js';

export function skillModulesPage(): void {
  const folder = mkdtempSync(join(tmpdir(), 'skills-'));
  let service: TestService;
  let page: Page;

  openAdmin('/admin/skill-modules', (opened) => ({ service, page } = opened), { env: { SKILLS_DIR: folder } });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const region = (name: string) => page.getByRole('region', { name, exact: true });
  const row = (name: string) => page.getByRole('row').filter({ hasText: name });
  const codeOf = (hosts: string, answer: string) =>
    `export default {\n  name: 'weather_today',\n  description: 'Says the weather.',\n  uses: { hosts: [${hosts}] },\n  execute: () => '${answer}',\n};\n`;
  const upload = (name: string, code: string) =>
    page
      .getByLabel('Upload', { exact: true })
      .setInputFiles([{ name, mimeType: 'text/plain', buffer: Buffer.from(code) }]);
  const offered = async () => (await service.admin('GET', 'skill-modules/weather')).body['offered'];

  it('says what to do when there is none, and what is wrong with an upload', async () => {
    await page.getByText('No skill modules').waitFor();
    await upload('weather.ts', 'export default {\n  name: ,\n};');
    await region('weather.ts was not accepted')
      .getByText(/weather\.ts:2/)
      .waitFor();
  });

  it('adds one that comes with the service, and then says that it is there', async () => {
    const open = () => page.getByRole('button', { name: 'Add one that comes with the service' }).click();
    const sample = dialog(page).getByRole('region', { name: 'github_issue', exact: true });
    await open();
    await sample.getByText('It sends requests to api.github.com.').waitFor();
    await dialog(page).getByText('It uses no hosts, skills, secrets or databases.').first().waitFor();
    await dialog(page).getByRole('button', { name: 'Add github_issue' }).click();
    await heading(page, 'github_issue').waitFor();
    await page.getByText('Version 1 waits for approval').waitFor();
    await page.goto(`${service.origin}/admin/skill-modules`);
    await open();
    await sample.getByText('There is a module github_issue').waitFor();
    await service.admin('DELETE', 'skill-modules/github_issue');
    await page.goto(`${service.origin}/admin/skill-modules`);
  });

  it('shows what an upload uses, and has it approved', async () => {
    await upload('weather.ts', codeOf(`'api.example.com'`, 'Sun\u202E'));
    await page.getByText('weather is saved as version 1, and waits for approval.').waitFor();
    await row('weather').getByText('Waits for approval').waitFor();
    await page.getByRole('link', { name: 'weather', exact: true }).click();
    await heading(page, 'weather').waitFor();
    await page.getByText('It sends requests to api.example.com.').waitFor();
    await region('Code').getByRole('img', { name: 'Hidden character U+202E' }).waitFor();
    expect(await offered()).toBeNull();
    await page.getByRole('button', { name: 'Approve version 1' }).click();
    await page.getByText('Clients get version 1 of weather.').waitFor();
    expect(await offered()).toBe(1);
    await page.getByRole('link', { name: 'weather_today' }).waitFor();
  });

  it('shows what is different in a version that uses more', async () => {
    await upload('weather.ts', codeOf(`'api.example.com', 'b.example.com'`, 'Rain'));
    await page.getByText('weather is saved as version 2, and waits for approval.').waitFor();
    await page.getByText('It sends requests to b.example.com.').waitFor();
    await page.getByText('Until then, clients get version 1.').waitFor();
    await page.getByRole('combobox', { name: 'Compare with' }).click();
    await page.getByRole('option', { name: 'Version 1 (clients get it)' }).click();
    await page.getByLabel('Changes of weather').getByText('Rain').waitFor();
    expect(await offered()).toBe(1);
  });

  it('takes a folder as an archive, and compares its files', async () => {
    const archive = (word: string) => ({
      name: 'folder.zip',
      mimeType: 'application/zip',
      buffer: Buffer.from(
        zipSync({
          'index.ts': strToU8(
            `import { word } from './lib/word.ts';\nexport default { name: 'said', description: 'Says it.', execute: () => word };`,
          ),
          'lib/word.ts': strToU8(`export const word: string = '${word}';`),
        }),
      ),
    });
    await page.goto(`${service.origin}/admin/skill-modules`);
    for (const [index, word] of ['one', 'two'].entries()) {
      await page.getByLabel('Upload', { exact: true }).setInputFiles([archive(word)]);
      await page.getByText(`folder is saved as version ${index + 1}.`).waitFor();
    }
    await page.getByRole('link', { name: 'folder', exact: true }).click();
    await page.getByLabel('folder/index.ts', { exact: true }).waitFor();
    await page.getByLabel('folder/lib/word.ts', { exact: true }).getByText("'two'").waitFor();
    await page.getByRole('combobox', { name: 'Compare with' }).click();
    await page.getByRole('option', { name: 'Version 1' }).click();
    await page.getByLabel('Changes of folder/lib/word.ts').getByText("'one'").waitFor();
    expect(await page.getByLabel('Changes of folder/index.ts').count()).toBe(0);
    await service.admin('DELETE', 'skill-modules/folder');
  });

  it('asks for settings by their types, and says what no longer fits', async () => {
    const code = (most: number) => `export default {
      name: 'set_up', description: 'Has settings.', execute: () => 1, uses: { settings: {
        limit: { type: 'integer', description: 'Most results.', minimum: 1, maximum: ${most}, default: 5 },
        mode: { type: 'string', enum: ['fast', 'exact'] }, on: { type: 'boolean', default: true } } } };`;
    const saved = async () => (await service.admin('GET', 'skill-modules/setup/settings')).body;
    await service.admin('POST', 'skill-modules', { file: 'setup.js', code: code(10) });
    await page.goto(`${service.origin}/admin/skill-modules/setup`);
    const form = region('Settings');
    await form.getByText('Most results. At least 1, at most 10. Default: 5.').waitFor();
    const save = form.getByRole('button', { name: 'Save settings' });
    expect(await save.isDisabled()).toBe(true);
    await form.getByLabel('limit').fill('11');
    await form.getByText(/^Enter .* from 1 to 10\.$/).waitFor();
    expect(await save.isDisabled()).toBe(true);
    await form.getByLabel('limit').fill('8');
    await form.getByLabel('mode').selectOption('exact');
    await form.getByLabel('on', { exact: true }).selectOption('false');
    await save.click();
    await page.getByText('The settings of setup are saved.').waitFor();
    expect(await saved()).toMatchObject({ values: { limit: 8, mode: 'exact', on: false }, version: 1 });

    await service.admin('PUT', 'skill-modules/setup/settings', { values: { limit: 3, mode: 'exact', on: false } });
    await until(async () => (await form.getByLabel('limit').inputValue()) === '3');
    await form.getByLabel('limit').fill('9');
    await page.route('**/setup/settings', (route) => route.fulfill({ status: 429 }));
    await page.getByRole('alert').getByText('The answer was 429').waitFor();
    expect(await form.getByLabel('limit').inputValue()).toBe('9');
    await page.unroute('**/setup/settings');
    await service.admin('PUT', 'skill-modules/setup/settings', { values: { limit: 2 } });
    await page.getByText("Somebody changed this module's settings in the meantime").waitFor();
    await page.getByRole('button', { name: 'Overwrite with my version' }).click();
    await save.click();
    await until(async () => (await saved())['version'] === 4);
    expect(await saved()).toMatchObject({ values: { limit: 9, mode: 'exact', on: false } });

    await service.admin('POST', 'skill-modules', { file: 'setup.js', code: code(6) });
    await form.getByText(/limit was set to 9, but must be at most 6 in this version/).waitFor();
    await form.getByRole('button', { name: 'Reset settings' }).click();
    await dialog(page).getByRole('button', { name: 'Reset them' }).click();
    await until(async () => (await saved())['version'] === 5);
    expect(await saved()).toMatchObject({ values: {}, misfits: [] });
    await service.admin('DELETE', 'skill-modules/setup');
    await page.goto(`${service.origin}/admin/skill-modules/weather`);
    await heading(page, 'weather').waitFor();
  });

  it('disables a module, and removes it after a question', async () => {
    await page.getByRole('switch', { name: 'Enabled: weather' }).click({ force: true });
    await page.getByText('Disabled', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Remove' }).click();
    await dialog(page).getByRole('button', { name: 'Remove module' }).click();
    await heading(page, 'Skill modules').waitFor();
    await page.getByText('No skill modules').waitFor();
  });

  it('shows files of the folder by themselves, with their mistakes', async () => {
    await writeFile(
      join(folder, 'good.js'),
      `export default { name: 'good', description: 'Good.', execute: () => 1 };`,
    );
    await writeFile(join(folder, 'bad.js'), `import 'node:fs';`);
    await region('bad.js')
      .getByText(/cannot import "node:fs"/)
      .waitFor();
    await row('good').getByText('SKILLS_DIR').waitFor();
    await row('good').getByText('Offered').waitFor();
    await page.getByRole('link', { name: 'good', exact: true }).click();
    await page.getByText('good.js in SKILLS_DIR: change it there').waitFor();
    expect(await page.getByRole('button', { name: 'Remove' }).count()).toBe(0);
  });

  it('removes the module of a file that is missing, such as after a move', async () => {
    await rename(folder, `${folder}-away`);
    await page.reload();
    await page.getByText('good.js, which is no longer in SKILLS_DIR').waitFor();
    await page.getByRole('button', { name: 'Remove' }).click();
    await dialog(page)
      .getByText(/unless its file comes back/)
      .waitFor();
    await dialog(page).getByRole('button', { name: 'Remove module' }).click();
    await page.getByText('good is removed.').waitFor();
    await rename(`${folder}-away`, folder);
  });
}
