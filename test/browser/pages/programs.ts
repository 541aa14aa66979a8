import type { Page } from 'playwright-core';
import { ADMIN_PASSWORD, type TestService } from '../../support/service.js';
import { ProgramMemory, SignInBrowser } from '../../support/sign-in-browser.js';
import { until } from '../../support/until.js';
import { button, dialog, goTo, heading } from '../admin-pages.js';
import { openAdmin } from '../admin-suite.js';
import { told } from '../browser.js';
import { linkOf } from '../program.js';

const DOCUMENT = 'https://claude.ai/oauth/claude-code-client-metadata';
const ADDRESS = 'https://assistant.example.com/callback';

export function programsPage(): void {
  let service: TestService;
  let page: Page;

  openAdmin('/admin/', (opened) => ({ service, page } = opened), { signsIn: true });
  beforeEach(() => goTo(page, 'Programs'));

  const row = (table: string, name: string) =>
    page.getByRole('table', { name: table, exact: true }).getByRole('row').filter({ hasText: name });
  const registered = (name: string) => row('Registered programs', name);
  const removeProgram = async (name: string) => {
    await button(page, `Remove: ${name}`).click();
    await dialog(page).getByRole('button', { name: 'Remove program' }).click();
    await registered(name).waitFor({ state: 'detached' });
  };

  it('enters a program by its metadata document, and removes it', async () => {
    await page.getByRole('textbox', { name: 'Name' }).fill('Claude Code');
    await page.getByLabel('URL of its metadata document').fill('http://claude.ai/');
    await button(page, 'Register program').click();
    await page.getByText('must be a URL that begins with https://').waitFor();
    await page.getByLabel('URL of its metadata document').fill(DOCUMENT);
    await button(page, 'Register program').click();
    await told(page, `Its client_id is ${DOCUMENT}.`);
    await registered('Claude Code').getByText(DOCUMENT).waitFor();
    await removeProgram('Claude Code');
  });

  it('enters a program by its addresses, shows its secret once, and takes it', async () => {
    await page.getByText('Addresses', { exact: true }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Assistant');
    await page.getByLabel('Redirect URIs').fill('http://assistant.example.com/callback');
    await page.getByLabel('Confidential: it runs on a server, and keeps a secret').check();
    await button(page, 'Register program').click();
    await page.getByText('has the scheme http').waitFor();
    await page.getByLabel('Redirect URIs').fill(ADDRESS);
    await button(page, 'Register program').click();
    const shown = (await dialog(page).getByTestId('shown-once').innerText()).split('\n');
    const [client_id = '', client_secret = ''] = shown.map((line) => line.replace(/^.*: /, ''));
    await dialog(page).getByRole('button', { name: 'Done' }).click();
    await registered('Assistant').getByText(client_id).waitFor();
    expect(await page.content()).not.toContain(client_secret);

    const redeem = async (secret: string) => {
      const memory = new ProgramMemory(ADDRESS);
      memory.registration = { client_id, client_secret: secret };
      const back = await new SignInBrowser(service.origin, 'admin', ADMIN_PASSWORD).signIn(
        await linkOf(service, memory),
      );
      const body = new URLSearchParams({
        grant_type: 'authorization_code',
        code: back.searchParams.get('code') ?? '',
        redirect_uri: ADDRESS,
        code_verifier: memory.codeVerifier(),
      });
      const authorization = `Basic ${Buffer.from(`${client_id}:${secret}`).toString('base64')}`;
      return fetch(new URL('/oauth/token', service.origin), { method: 'POST', headers: { authorization }, body });
    };
    expect((await redeem('another-secret')).status).toBe(401);
    expect((await redeem(client_secret)).status).toBe(200);

    await page.reload();
    await removeProgram('Assistant');
    await page.getByText('Nobody has signed in yet').waitFor();
  });

  it('shows many programs in parts, and finds one by its address', async () => {
    for (let number = 100; number < 220; number += 1)
      await service.admin('POST', 'programs', {
        name: `Robot ${number}`,
        redirectUris: [`https://r${number}.example/`],
      });
    await page.reload();
    await registered('Robot').first().waitFor();
    expect(await registered('Robot').count()).toBe(100);
    await button(page, 'Show more').click();
    await until(async () => (await registered('Robot').count()) === 120);
    await page.getByRole('searchbox', { name: 'Search programs' }).fill('R300.');
    await page.getByText('No program found').waitFor();
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Delete');
    await registered('Robot').first().waitFor();
    await page.keyboard.type('R217.');
    await until(async () => (await registered('Robot').count()) === 1);
    await registered('Robot 217').waitFor();
  });

  it('revokes what somebody has allowed a program', async () => {
    const memory = new ProgramMemory('http://127.0.0.1:33418/callback', { client_name: 'Code editor' });
    await new SignInBrowser(service.origin, 'admin', ADMIN_PASSWORD).signIn(await linkOf(service, memory));
    await page.reload();
    await row('Programs', 'Code editor').getByText('not proven; at 127.0.0.1').waitFor();
    await button(page, 'Revoke: Code editor of admin').click();
    await dialog(page).getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('Nobody has signed in yet').waitFor();
    expect((await service.admin('GET', 'grants')).body['items']).toEqual([]);
    await heading(page, 'Programs').waitFor();
  });
}
