import type { Page } from 'playwright-core';
import { told } from '../browser.js';
import { WorkflowSecrets } from '../../../src/features/workflows/secrets/workflow-secrets.service.js';
import type { TestService } from '../../support/service.js';
import { button, dialog } from '../admin-pages.js';
import { openAdmin } from '../admin-suite.js';
import { until } from '../../support/until.js';

export function secretsPage(): void {
  let service: TestService;
  let page: Page;

  openAdmin('/admin/secrets', (opened) => ({ service, page } = opened));

  const secrets = () => service.app.get(WorkflowSecrets, { strict: false });
  const valueOf = async (name: string) => (await secrets().resolve(name)).value;
  const limitsOf = async (name: string) => (await secrets().list()).find((secret) => secret.name === name);
  const field = (name: string) => page.getByRole('textbox', { name, exact: true });
  const name = () => field('Name');
  const save = () => button(page, 'Save secret').click();
  const row = (name: string) => page.getByRole('row').filter({ hasText: name });
  const choose = (list: string) => page.getByLabel(list, { exact: true }).selectOption('Only these');
  const allow = async (list: string, entry: string) => {
    const entries = page.getByRole('combobox', { name: list }).or(field(list));
    await entries.fill(entry);
    await entries.press('Enter');
  };

  it('keeps a text, which is not shown again', async () => {
    await page.getByText('No secrets yet').waitFor();
    await name().fill('weather');
    await field('Value').fill('two\nlines');
    await save();
    await row('weather').getByText('Anywhere').waitFor();
    await until(async () => (await field('Value').inputValue()) === '');
    expect(await valueOf('weather')).toBe('two\nlines');
    await page.reload();
    await page.getByRole('row').filter({ hasText: 'weather' }).waitFor();
    expect(await page.content()).not.toContain('two\nlines');
  });

  it('keeps parts that belong together, and says what is missing', async () => {
    await name().fill('mail');
    await save();
    await page.getByRole('alert').getByText('Enter a value.').waitFor();
    await button(page, 'Add a part').click();
    await field('Part 1').fill('username');
    await field('Value 1').fill('ada');
    await field('Value 2').fill('s3cret');
    await save();
    await page.getByRole('alert').getByText('Give each part a name.').waitFor();
    await field('Part 2').fill('password');
    await save();
    await page.getByRole('row').filter({ hasText: 'mail' }).waitFor();
    expect(await valueOf('mail')).toEqual({ username: 'ada', password: 's3cret' });
  });

  it('says where a secret may go, and changes that without its value', async () => {
    await page.getByRole('button', { name: 'Change: mail' }).click();
    expect(await name().inputValue()).toBe('mail');
    await choose('Hosts');
    await allow('Allowed hosts', 'https://smtp.example.com');
    await save();
    await page.getByText('"https://smtp.example.com" must be a host').waitFor();
    await button(page, 'Cancel').click();
    await page.getByRole('button', { name: 'Change: mail' }).click();
    await choose('Hosts');
    await allow('Allowed hosts', '*.Example.com');
    await choose('Skills');
    await page.getByRole('combobox', { name: 'Allowed skills' }).or(field('Allowed skills')).fill('knowledge_s');
    await page.getByRole('option', { name: 'knowledge_search' }).click();
    await save();
    await row('mail').getByText('Hosts: *.example.com').waitFor();
    await row('mail').getByText('Skills: knowledge_search').waitFor();
    expect(await valueOf('mail')).toEqual({ username: 'ada', password: 's3cret' });
    expect(await limitsOf('mail')).toMatchObject({ hosts: ['*.example.com'], skills: ['knowledge_search'] });
  });

  it('replaces a value, refuses a wrong name at its field, and deletes after a question', async () => {
    await name().fill('mail');
    await page.getByText('*.example.com', { exact: true }).waitFor();
    await field('Value').fill('three');
    await save();
    await until(async () => (await valueOf('mail')) === 'three');
    expect(await limitsOf('mail')).toMatchObject({ hosts: ['*.example.com'] });
    await until(async () => (await name().inputValue()) === '');
    await told(page, 'mail is saved.');

    await name().fill('no name!');
    await field('Value').fill('four');
    await save();
    await page.getByText('must be a name such as weather_api').waitFor();
    expect(await name().getAttribute('aria-invalid')).toBe('true');

    await page.getByRole('button', { name: 'Delete: weather' }).click();
    await dialog(page).getByRole('button', { name: 'Delete secret' }).click();
    await page.getByRole('row').filter({ hasText: 'weather' }).waitFor({ state: 'detached' });
    await page.getByRole('row').filter({ hasText: 'mail' }).waitFor();
  });
}
