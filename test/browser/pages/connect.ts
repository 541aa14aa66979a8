import type { Page } from 'playwright-core';
import { KEY, type TestService } from '../../support/service.js';
import { button, heading, link, logInByForm } from '../admin-pages.js';
import { openAdmin, serviceForEach } from '../admin-suite.js';
import type { TestBrowser } from '../browser.js';

export function connectPage(): void {
  let service: TestService;
  let page: Page;

  openAdmin('/admin/connect', (opened) => ({ service, page } = opened));
  beforeAll(async () => {
    await heading(page, 'Connect').waitFor();
  });

  const test = (key: string) => runTest(page, key);
  const results = () => resultsOn(page);

  it('tests the connection as clients of both protocol eras make it', async () => {
    const sessions = async () => (await service.admin('GET', 'sessions')).body['items'];
    const before = await sessions();
    await test(KEY);
    const steps = await results().getByRole('listitem').allInnerTexts();
    expect(steps.filter((step) => !step.startsWith('OK'))).toEqual([]);
    expect(steps.filter((step) => /\b2025-\d\d-\d\d\b/.test(step) && step.includes('tools/call'))).toHaveLength(1);
    expect(steps.filter((step) => step.includes('2026-07-28') && step.includes('tools/call'))).toHaveLength(1);
    expect(await sessions()).toEqual(before);
  });

  it('says what to do when the key is wrong', async () => {
    await test('not-the-key');
    expect(await results().innerText()).toMatch(/Invalid API key/);
  });

  it('finds nothing wrong with the connection when the skill that it would call is disabled', async () => {
    await service.admin('PUT', 'skills/system_info', { enabled: false });
    await test(KEY);
    const steps = await results().getByRole('listitem').allInnerTexts();
    await service.admin('PUT', 'skills/system_info', { enabled: true });
    expect(steps.filter((step) => !step.startsWith('OK'))).toEqual([]);
    expect(steps.filter((step) => step.includes('it is disabled under Skills'))).toHaveLength(2);
  });

  it('has a new key filled in once, right after it was made', async () => {
    await page.goto('/admin/clients');
    await button(page, 'New client').click();
    await page.getByLabel('Name').fill('laptop');
    await button(page, 'Create client').click();
    const key = await page.getByTestId('shown-once').innerText();
    await button(page, 'Connect an assistant').click();
    await page.getByText('Your new key is filled in below').waitFor();
    await page.getByLabel('For Claude Code', { exact: true }).getByText(key).waitFor();
    await button(page, 'Run test').click();
    await results().getByRole('listitem').nth(7).waitFor();
    await page.getByRole('tab', { name: 'Cursor' }).click();
    expect(await link(page, 'Install in Cursor').getAttribute('href')).toMatch(/^cursor:/);
    await page.reload();
    await heading(page, 'Connect').waitFor();
    expect(await page.content()).not.toContain(key);
  });

  it('shows the address of the endpoint, ready to be copied into a client', async () => {
    await page.getByText(service.mcpUrl.href).first().waitFor();
    await page.getByRole('button', { name: /^Copy/ }).first().waitFor();
  });
}

export function connectPageOnTheNetwork(): void {
  let browser: TestBrowser;
  let service: TestService;
  const start = serviceForEach((opened) => ({ browser, service } = opened));

  it('tests the connection under the name that it was opened with, which foreign pages cannot use', async () => {
    await start({ env: { HOST: '0.0.0.0' } });
    const origin = service.origin.replace('127.0.0.1', 'agents.localhost');
    const page = await browser.open(origin);
    await logInByForm(page, '/admin/connect');
    await heading(page, 'Connect').waitFor();
    await runTest(page, KEY);
    const steps = await resultsOn(page).getByRole('listitem').allInnerTexts();
    expect(steps.filter((step) => !step.startsWith('OK'))).toEqual([]);
    expect(steps.filter((step) => step.includes('tools/call'))).toHaveLength(2);
    const foreign = await service.postStateless('tools/list', {}, { origin });
    expect([foreign.status, await foreign.text()]).toEqual([403, expect.stringContaining('mcp.allowed_origins')]);
  });
}

const resultsOn = (page: Page) => page.getByRole('list', { name: 'Test results' });

async function runTest(page: Page, key: string): Promise<void> {
  await page.getByRole('textbox', { name: 'API key' }).fill(key);
  await page.getByRole('button', { name: 'Run test' }).click();
  await resultsOn(page).getByRole('listitem').first().waitFor();
  await page
    .getByRole('button', { name: 'Run test' })
    .and(page.locator(':not([data-loading]):not(:disabled)'))
    .waitFor();
}
