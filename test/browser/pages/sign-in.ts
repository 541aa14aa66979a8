import { jest } from '@jest/globals';
import type { Page } from 'playwright-core';
import { Administrators } from '../../../src/access/accounts/administrators.service.js';
import { OutgoingHttp } from '../../../src/platform/outgoing-http/outgoing-http.service.js';
import { CLIENT_ID, CLIENT_SECRET, CompanyProvider } from '../../support/company-provider.js';
import { OAuthProgram } from '../../support/oauth-program.js';
import type { TestService } from '../../support/service.js';
import { ProgramMemory } from '../../support/sign-in-browser.js';
import { until } from '../../support/until.js';
import { button, comeBackLater, dialog, heading, logIn } from '../admin-pages.js';
import { openService } from '../admin-suite.js';
import { settled, type TestBrowser } from '../browser.js';
import { linkOf, LocalProgram } from '../program.js';

const PASSWORD = 'a-long-password-of-ada';

export function signInPage(): void {
  let browser: TestBrowser;
  let service: TestService;
  let page: Page;
  let program: LocalProgram;

  openService((opened) => ({ browser, service } = opened), { signsIn: true });
  beforeAll(() => service.app.get(Administrators).create('ada', 'member', PASSWORD));
  beforeEach(async () => {
    page = await browser.open(service.origin);
    program = await LocalProgram.start(service, 'Code editor');
  });
  afterEach(async () => {
    await page.context().close();
    await program.stop();
  });

  /** Waits until the browser has reached the callback of the program. */
  const isBack = async () => {
    await page.getByText('You can close this tab').waitFor();
    expect(browser.problems.splice(0)).toEqual([expect.stringContaining(`request to ${program.memory.redirectUrl}?`)]);
  };
  const question = () => heading(page, 'Let “Code editor” act for you?');
  /** Follows the link of a program, and logs in. Returns what the page then asks. */
  const logInBy = async (link: URL) => {
    await page.goto(link.href);
    await page.getByText('A program asks to work for you.').waitFor();
    await page.keyboard.type('ada');
    await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
    await page.keyboard.press('Enter');
    await question().waitFor();
    return page.getByRole('main').innerText();
  };

  it('leads a member from the link of the program over the login form and the question back to the program', async () => {
    const asked = await logInBy(await program.link());
    expect(asked).toContain('You are ada.');
    expect(asked).toContain('Nothing proves which program this is');
    expect(asked).toContain('127.0.0.1');
    expect(asked).toContain(`${service.origin}/mcp/oauth`);

    await page.locator('summary').focus();
    await page.keyboard.press('Enter');
    await page.getByText('system_info', { exact: true }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await isBack();

    const client = await program.connect();
    const { content } = await client.callTool({ name: 'system_info', arguments: {} });
    expect(content).toHaveLength(1);
    await client.close();
  });

  it.each([
    ['http://localhost:49160/callback', 'It says that it belongs to editor.example', 'any program on this computer'],
    ['https://editor.example/callback', 'It belongs to editor.example', 'says that this is its program'],
  ])('says how far the document of a program proves who is at %s', async (address, title, text) => {
    const id = `https://editor.example/${new URL(address).protocol}`;
    const document = { client_id: id, client_name: 'Code editor', redirect_uris: [address] };
    const answer = { status: 200, headers: {}, url: id, redirects: [], body: Buffer.from(JSON.stringify(document)) };
    jest.spyOn(service.app.get(OutgoingHttp, { strict: false }), 'fetch').mockResolvedValueOnce(answer);
    const documented = Object.assign(new OAuthProgram(service.origin, address), { id });
    const asked = await logInBy(documented.link());
    expect(asked).toContain(title);
    expect(asked).toContain(text);
  });

  it('leads somebody over the provider of the company and the question back to the program', async () => {
    const company = await CompanyProvider.start([service.origin]);
    try {
      await service.admin('PUT', 'config/http.allowed_hosts', { value: ['127.0.0.1'] });
      const { issuer } = company;
      const provider = { name: 'company', title: 'Company', issuer, clientId: CLIENT_ID, secret: CLIENT_SECRET };
      expect((await service.admin('POST', 'login-providers', provider)).status).toBe(201);
      await company.set({ person: { sub: 'grace-1', preferred_username: 'grace' } });

      await page.goto((await program.link()).href);
      await page.getByRole('link', { name: 'Log in with Company' }).click();
      await question().waitFor();
      await page.getByText('You are grace.').waitFor();
      await button(page, 'Allow').click();
      await page.getByText('You can close this tab').waitFor();
      const isElsewhere = (problem: string) =>
        [`${issuer}/`, `${program.memory.redirectUrl}?`].some((url) => problem.startsWith(`request to ${url}`));
      expect(browser.problems.splice(0).filter((problem) => !isElsewhere(problem))).toEqual([]);

      const client = await program.connect();
      const { content } = await client.callTool({ name: 'system_info', arguments: {} });
      expect(content).toHaveLength(1);
      await client.close();
      await page.goto('/admin/account');
      await page.getByRole('button', { name: 'Revoke: Code editor' }).waitFor();
      const log = (await service.admin('GET', 'audit?client=person:grace')).body['items'];
      expect(log).toContainEqual(expect.objectContaining({ client: 'person:grace', subject: 'system_info' }));
    } finally {
      await service.admin('DELETE', 'login-providers/company');
      await company.stop();
    }
  });

  it('ends under Your account, and the program has to ask again', async () => {
    await page.context().request.post('/admin/api/session', { data: { user: 'ada', password: PASSWORD } });
    await page.goto((await program.link()).href);
    await button(page, 'Allow').click();
    await isBack();
    await (await program.connect()).close();

    await page.goto('/admin/account');
    const revoke = page.getByRole('button', { name: 'Revoke: Code editor' });
    await revoke.first().click();
    const before = await revoke.count();
    await dialog(page).getByRole('button', { name: 'Revoke' }).click();
    await until(async () => (await revoke.count()) === before - 1);
    program.memory.link = null;
    await expect(program.reconnect()).rejects.toThrow();
    expect(program.memory.link).not.toBeNull();
  });

  it('makes people appear by their name, with a link to their account for those who may see it', async () => {
    await page.context().request.post('/admin/api/session', { data: { user: 'ada', password: PASSWORD } });
    await page.goto((await program.link()).href);
    await button(page, 'Allow').click();
    await isBack();
    const client = await program.connect();
    const entry = { namespace: 'shared', key: 'lunch', content: 'At noon.' };
    await client.callTool({ name: 'memory_save', arguments: entry });
    await client.callTool({ name: 'memory_search', arguments: { query: 7 } }).catch(() => undefined);
    const person = () => page.getByRole('main').getByRole('link', { name: 'Person ada', exact: true }).first();

    await service.app.get(Administrators).create('vera', 'viewer', PASSWORD);
    for (const [user, password, role] of [
      ['admin', undefined, 'admin'],
      ['vera', PASSWORD, 'viewer'],
    ] as const) {
      await logIn(page, '/admin/memory', password, user);
      await page.getByText('lunch').waitFor();
      if (role === 'admin') expect(await person().getAttribute('href')).toBe('/admin/administrators/ada');
      else {
        await page.getByRole('img', { name: 'Person' }).first().waitFor();
        expect(await person().count()).toBe(0);
      }
      for (const path of [
        '/admin/',
        '/admin/audit?client=person:ada',
        '/admin/memory/shared/lunch',
        '/admin/programs',
      ]) {
        await page.goto(path);
        await page.getByRole('img', { name: 'Person' }).first().waitFor();
      }
    }
    await client.close();
  });

  it('notifies the program when the person denies access, and ends', async () => {
    await logIn(page);
    await page.goto((await program.link()).href);
    await question().waitFor();
    const address = page.url();
    await button(page, 'Do not allow').click();
    await isBack();
    const back = await program.returned();
    expect([back.get('error'), back.get('code')]).toEqual(['access_denied', null]);
    await page.goto(address);
    await heading(page, 'This sign-in is over').waitFor();
  });

  it('says that the program goes on, when the browser only passes the answer to it', async () => {
    await logIn(page);
    const memory = new ProgramMemory('com.example.editor:/callback', { client_name: 'Code editor' });
    await page.goto((await linkOf(service, memory)).href);
    await button(page, 'Allow').click();
    await heading(page, 'Go back to your program').waitFor();
    await comeBackLater(page);
    await settled(page);
    await heading(page, 'Go back to your program').waitFor();
    expect(browser.problems.splice(0)).toEqual([expect.stringContaining(`request to ${memory.redirectUrl}?code=`)]);
  });

  it('asks the new user once they have logged in, when it began with another account', async () => {
    await logIn(page);
    await page.goto((await program.link()).href);
    await button(page, 'Use another account').click();
    await page.getByRole('textbox', { name: 'Name' }).fill('ada');
    await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
    await button(page, 'Log in').click();
    await question().waitFor();
    await page.getByText('You are ada.').waitFor();
  });

  it('asks nothing in a browser that did not begin it', async () => {
    await page.goto((await program.link()).href);
    await button(page, 'Log in').waitFor();
    const other = await browser.open(service.origin);
    await logIn(other);
    await other.goto(page.url());
    await heading(other, 'This sign-in is over').waitFor();
    await other.context().close();
  });
}
