import type { Page } from 'playwright-core';
import { WorkflowSecrets } from '../../../src/features/workflows/secrets/workflow-secrets.service.js';
import type { TestService } from '../../support/service.js';
import { button, dialog } from '../admin-pages.js';
import { openAdmin } from '../admin-suite.js';

export function secretsPage(): void {
  let service: TestService;
  let page: Page;

  openAdmin('/admin/secrets', (opened) => ({ service, page } = opened));

  const valueOf = (name: string) => service.app.get(WorkflowSecrets, { strict: false }).resolve(name);
  const field = (name: string) => page.getByRole('textbox', { name, exact: true });
  const name = () => field('Name');
  const save = () => button(page, 'Save secret').click();

  it('keeps a text, which is not shown again', async () => {
    await page.getByText('No secrets yet').waitFor();
    await name().fill('weather');
    await field('Value').fill('two\nlines');
    await save();
    await page.getByRole('row').filter({ hasText: 'weather' }).waitFor();
    expect(await field('Value').inputValue()).toBe('');
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

  it('replaces a value, refuses a wrong name at its field, and deletes after a question', async () => {
    await name().fill('weather');
    await field('Value').fill('three');
    await save();
    await page.getByText('weather is saved.').first().waitFor();
    expect(await valueOf('weather')).toBe('three');

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
