import type { Page } from 'playwright-core';
import { told } from '../browser.js';
import { ClientsService } from '../../../src/access/clients/clients.service.js';
import type { TestService } from '../../support/service.js';
import { button, dialog, heading, holdRequests, replaceText } from '../admin-pages.js';
import { openAdmin } from '../admin-suite.js';

export function clientsPage(): void {
  let service: TestService;
  let page: Page;

  openAdmin('/admin/clients', (opened) => ({ service, page } = opened));

  const ownerOf = (key: string) => service.app.get(ClientsService, { strict: false }).authenticate(`Bearer ${key}`);
  const field = (name: string) => page.getByRole('textbox', { name, exact: true });
  const shownKey = async () => {
    const key = (await page.getByTestId('shown-once').textContent()) ?? '';
    await button(page, 'Done').click();
    await dialog(page).waitFor({ state: 'detached' });
    return key;
  };
  let key = '';

  it('creates a client, shows its key once, and shows errors at their fields', async () => {
    await page.getByRole('row').filter({ hasText: 'default' }).waitFor();
    await button(page, 'New client').click();
    await field('Name').fill('Not Good');
    await button(page, 'Create client').click();
    await page.getByText('must be a name such as build-server').waitFor();
    expect(await field('Name').getAttribute('aria-invalid')).toBe('true');

    await field('Name').fill('ci');
    await field('Note').fill('The pipeline of the shop');
    await page.getByRole('combobox', { name: 'Groups' }).or(field('Groups')).fill('robots');
    await page.keyboard.press('Enter');
    await button(page, 'Create client').click();
    key = await shownKey();
    expect(ownerOf(key)).toMatchObject({ name: 'ci', groups: ['robots'] });
    const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: 'ci', exact: true }) });
    await row.getByText(key.slice(0, 12)).waitFor();
    await row.getByText('robots').waitFor();
    expect(await page.content()).not.toContain(key.slice(12));
  });

  it('keeps the table in the window when the names of a client and its group are long', async () => {
    const name = 'n'.repeat(60);
    await service.admin('POST', 'clients', { name, groups: ['g'.repeat(60)] });
    await page.goto('/admin/clients');
    await page.getByRole('link', { name }).waitFor();
    expect(await page.evaluate<boolean>('document.documentElement.scrollWidth > window.innerWidth')).toBe(false);
    await service.admin('DELETE', `clients/${name}`);
    await page.reload();
  });

  it('says at its field which limit is wrong, of a new client and of one that is there', async () => {
    const enterWrong = async () => {
      await field('Calls at once').fill('0');
      await page.keyboard.press('Enter');
      await page.getByText('calls must not be less than 1').waitFor();
      expect(await field('Calls at once').getAttribute('aria-invalid')).toBe('true');
      expect(await field('Calls at once').inputValue()).toBe('0');
    };
    await button(page, 'New client').click();
    await field('Name').fill('limited');
    await enterWrong();
    await page.goto('/admin/clients/ci');
    await enterWrong();
    await page.goto('/admin/clients');
  });

  it('takes each limit exactly as it is entered, or refuses it', async () => {
    await service.admin('POST', 'clients', { name: 'exact', limits: { calls: 60 } });
    const limits = async () => (await service.admin('GET', 'clients/exact')).body['limits'];
    const enter = (text: string) => replaceText(field('Calls at once'), text); // as if it was pasted
    await page.goto('/admin/clients/exact');
    for (const text of ['1,500', '5 calls', '1e']) {
      await enter(text);
      await page.getByText('Enter a number without units or separators').waitFor();
      expect(await field('Calls at once').inputValue()).toBe(text);
      expect(await button(page, 'Save').isDisabled()).toBe(true);
    }
    for (const [text, problem] of [
      ['-5', 'calls must not be less than 1'],
      ['1.5', 'calls must be an integer'],
    ] as const) {
      await enter(text);
      await page.keyboard.press('Enter');
      await page.getByText(problem).waitFor();
      expect(await field('Calls at once').getAttribute('aria-invalid')).toBe('true');
    }
    expect(await limits()).toMatchObject({ calls: 60 });
    await enter('1e3');
    await page.keyboard.press('Enter');
    await told(page, 'exact is saved.');
    expect(await limits()).toMatchObject({ calls: 1_000 });
    expect(await field('Calls at once').inputValue()).toBe('1000');
    await service.admin('DELETE', 'clients/exact');
    await page.goto('/admin/clients');
  });

  it('shows one client with its sessions, and makes a second key beside the first', async () => {
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'pipeline', version: '3' } };
    const headers = { authorization: `Bearer ${key}` };
    await service.post({ jsonrpc: '2.0', id: 1, method: 'initialize', params }, headers);
    const release = await holdRequests(page, 'GET', /\/admin\/api\/sessions\b/);
    await page.getByRole('link', { name: 'ci', exact: true }).click();
    await page.getByRole('region', { name: 'Sessions' }).waitFor();
    expect(await page.getByText('It has no open session.').count()).toBe(0);
    await release();
    await page.getByRole('region', { name: 'Sessions' }).getByText('pipeline 3').waitFor();
    await button(page, 'Create new key').click();
    const second = await shownKey();
    expect([ownerOf(key)?.name, ownerOf(second)?.name]).toEqual(['ci', 'ci']);
    await page.getByRole('region', { name: 'Keys' }).getByText(second.slice(0, 12)).waitFor();
    await button(page, `Revoke: ${key.slice(0, 12)}`).click();
    await dialog(page).getByRole('button', { name: 'Revoke key' }).click();
    await page.getByText('It has no open session.').waitFor();
    expect([ownerOf(key)?.name, ownerOf(second)?.name]).toEqual([undefined, 'ci']);
    key = second;
  });

  it('changes a client, and deletes it after a question', async () => {
    await field('Note').fill('Another pipeline');
    await button(page, 'Save').click();
    await told(page, 'ci is saved.');
    const missing: string[] = [];
    page.on('response', (response) => void (response.status() === 404 && missing.push(response.url())));
    await button(page, 'Delete').click();
    await dialog(page).getByRole('button', { name: 'Delete client' }).click();
    await heading(page, 'Clients').waitFor();
    expect(missing).toEqual([]); // the page does not request what was deleted
    await page.getByRole('row').filter({ hasText: 'Another pipeline' }).waitFor({ state: 'detached' });
    expect(ownerOf(key)).toBeNull();
  });

  it('says of the client default where its key is', async () => {
    await page.getByRole('link', { name: 'default', exact: true }).click();
    await heading(page, 'default').waitFor();
    await page.getByText('mcp.api_key').waitFor();
    expect(await button(page, 'Delete').count()).toBe(0);
  });

  it('shows a long list in parts, and finds a client by its note', async () => {
    for (let number = 100; number < 220; number += 1)
      await service.admin('POST', 'clients', { name: `robot-${number}`, note: `The robot of hall ${number}` });
    await page.goto('/admin/clients');
    const row = (name: string) => page.getByRole('row').filter({ hasText: name });
    await row('robot-100').waitFor();
    expect(await row('robot-').count()).toBeLessThan(120);
    await button(page, 'Show more').click();
    await row('robot-219').waitFor();
    expect(await row('robot-').count()).toBe(120);
    await button(page, 'Show more').waitFor({ state: 'detached' });

    await page.getByRole('searchbox', { name: 'Search clients' }).fill('HALL 217');
    await row('robot-100').waitFor({ state: 'detached' });
    expect(await row('robot-').count()).toBe(1);
    await row('robot-217').waitFor();
    await page.getByRole('searchbox', { name: 'Search clients' }).fill('nobody');
    await page.getByText('No client found').waitFor();
  });
}
