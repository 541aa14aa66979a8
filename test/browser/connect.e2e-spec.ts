import type { Page } from 'playwright-core';
import { KEY, type TestService } from '../support/service.js';
import { heading } from './admin-pages.js';
import { openAdmin } from './admin-suite.js';
import { describeInBrowser } from './browser.js';

describeInBrowser('the Connect page', () => {
  let service: TestService;
  let page: Page;

  openAdmin('/admin/connect', (opened) => ({ service, page } = opened));
  beforeAll(async () => {
    await heading(page, 'Connect').waitFor();
  });

  const results = () => page.getByRole('list', { name: 'Test results' });
  const test = async (key: string) => {
    await page.getByRole('textbox', { name: 'API key' }).fill(key);
    await page.getByRole('button', { name: 'Run test' }).click();
    await results().getByRole('listitem').first().waitFor();
    await page
      .getByRole('button', { name: 'Run test' })
      .and(page.locator(':not([data-loading]):not(:disabled)'))
      .waitFor();
  };

  it('tests the connection as clients of both protocol eras make it', async () => {
    await test(KEY);
    const steps = await results().getByRole('listitem').allInnerTexts();
    expect(steps.filter((step) => !step.startsWith('OK'))).toEqual([]);
    expect(steps.filter((step) => /\b2025-\d\d-\d\d\b/.test(step) && step.includes('tools/call'))).toHaveLength(1);
    expect(steps.filter((step) => step.includes('2026-07-28') && step.includes('tools/call'))).toHaveLength(1);
    expect((await service.admin('GET', 'sessions')).body['items']).toEqual([]);
  });

  it('says what to do when the key is wrong', async () => {
    await test('not-the-key');
    expect(await results().innerText()).toMatch(/Invalid API key/);
  });

  it('shows the address of the endpoint, ready to be copied into a client', async () => {
    await page.getByText(service.mcpUrl.href).first().waitFor();
    await page.getByRole('button', { name: /^Copy/ }).first().waitFor();
  });
});
