import type { Page } from 'playwright-core';
import { KEY, type TestService } from '../../support/service.js';
import { until } from '../../support/until.js';
import { button, goTo, heading, link, logInByForm } from '../admin-pages.js';
import { openAdmin, serviceForEach } from '../admin-suite.js';
import type { TestBrowser } from '../browser.js';

export function connectPage(): void {
  let service: TestService;
  let page: Page;

  openAdmin('/admin/connect', (opened) => ({ service, page } = opened));
  beforeAll(() => heading(page, 'Connect').waitFor());

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
    await page.getByRole('textbox', { name: 'API key' }).fill('agent_1234…');
    await page.getByText('This is not a whole key').waitFor();
    expect(await button(page, 'Run test').isDisabled()).toBe(true);
  });

  it('finds nothing wrong with the connection when the skill that it would call is disabled', async () => {
    await service.admin('PUT', 'skills/system_info', { enabled: false });
    await test(KEY);
    const steps = await results().getByRole('listitem').allInnerTexts();
    await service.admin('PUT', 'skills/system_info', { enabled: true });
    expect(steps.filter((step) => !step.startsWith('OK'))).toEqual([]);
    expect(steps.filter((step) => step.includes('it is disabled under Skills'))).toHaveLength(2);
  });

  const makeKey = async (client: string) => {
    await page.goto('/admin/clients');
    await button(page, 'New client').click();
    await page.getByLabel('Name').fill(client);
    await button(page, 'Create client').click();
    const key = await page.getByTestId('shown-once').innerText();
    await button(page, 'Connect an assistant').click();
    await page.getByTestId('new-key').getByText(key, { exact: true }).waitFor();
    return key;
  };

  it('has a new key in each snippet that is said to hold it, and in no other', async () => {
    const key = await makeKey('laptop');
    const clients = await page.getByRole('tablist', { name: 'Clients' }).getByRole('tab').allInnerTexts();
    const holds: Record<string, string[]> = { file: [], environment: [], prompt: [] };
    for (const client of clients) {
      await page.getByRole('tab', { name: client, exact: true }).click();
      const panel = page.getByRole('tabpanel', { name: client, exact: true });
      const said = await panel.innerText();
      const snippet = await panel.getByLabel(`For ${client}`, { exact: true }).innerText();
      expect(said).not.toMatch(/\bKEY\b/);
      if (said.includes('Your new key is filled in.')) {
        expect([client, snippet]).toEqual([client, expect.stringContaining(`Bearer ${key}`)]);
        holds['file']?.push(client);
        continue;
      }
      expect([client, snippet]).toEqual([client, expect.not.stringContaining(key)]);
      const isSet = said.includes('The key is read from the environment variable AGENT_KEY.');
      if (isSet) {
        expect(snippet).toContain('AGENT_KEY');
        const line = panel.getByLabel(`Key for ${client}`, { exact: true });
        expect(await line.innerText()).toBe(`export AGENT_KEY='${key}'`);
      } else expect(said).toContain('It asks for the key when it first connects: copy your new key from above.');
      holds[isSet ? 'environment' : 'prompt']?.push(client);
    }
    expect(holds['environment']).toContain('Claude Code, for a project');
    expect(holds['file']).toContain('Claude Code');
    expect(holds['prompt']).toEqual(['VS Code']);
    for (const client of ['Cursor', 'VS Code']) {
      await page.getByRole('tab', { name: client, exact: true }).click();
      const href = await link(page, `Install in ${client}`).getAttribute('href');
      expect(decodeURIComponent(href ?? '')).not.toContain(key);
    }
    await button(page, 'Run test').click();
    await results().getByRole('listitem').nth(7).waitFor();
  });

  it('keeps a new key while other pages are shown, in memory only, and until it is told to forget it', async () => {
    const key = await makeKey('desktop');
    await goTo(page, 'Overview');
    await goTo(page, 'Connect');
    await page.getByTestId('new-key').getByText(key, { exact: true }).waitFor();
    const stored = '[localStorage, sessionStorage].map((storage) => JSON.stringify({ ...storage })).join()';
    expect(await page.evaluate<string>(stored)).not.toContain(key);
    await button(page, 'Forget it').click();
    await page.getByTestId('new-key').waitFor({ state: 'detached' });
    // Hidden content, such as the snippets of other clients, is rendered a little later.
    await until(async () => !(await page.content()).includes(key));

    const other = await makeKey('tablet');
    await page.reload();
    await heading(page, 'Connect').waitFor();
    expect(await page.content()).not.toContain(other);
  });

  it('says how people sign in with each program, and before that what is missing', async () => {
    const signIn = page.getByText('Sign in', { exact: true });
    await page.goto('/admin/connect');
    await signIn.click();
    await page.getByText('Signing in is off').waitFor();
    await service.admin('PUT', 'config/oauth.enabled', { value: 'on' });
    await page.reload();
    await signIn.click();
    await page.getByText('Signing in needs PUBLIC_URL').waitFor();
    await service.admin('DELETE', 'config/oauth.enabled');
  });

  it('shows the address of the endpoint, ready to be copied into a client', async () => {
    await page.getByText(service.mcpUrl.href).first().waitFor();
    await page.evaluate('delete Navigator.prototype.clipboard'); // as on a page that came without TLS
    await button(page, 'Copy: address').click();
    await page.getByText('Select the text, and copy it').waitFor();
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
