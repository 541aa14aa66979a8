import type { Page } from 'playwright-core';
import { KEY, TestService } from '../support/service.js';
import { heading, logIn } from './admin-pages.js';
import { describeInBrowser, TestBrowser } from './browser.js';

describeInBrowser('the Connect page', () => {
  let browser: TestBrowser;
  let service: TestService;
  let page: Page;

  beforeAll(async () => {
    browser = await TestBrowser.launch();
    service = await TestService.start();
    page = await browser.open(service.origin);
    await logIn(page, '/admin/connect');
    await heading(page, 'Connect').waitFor();
  });
  afterEach(() => expect(browser.problems.splice(0)).toEqual([]));
  afterAll(async () => {
    await browser.close();
    await service.stop();
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
