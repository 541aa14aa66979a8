import type { Page } from 'playwright-core';
import type { TestService } from '../../support/service.js';
import { button, comeBackLater, dialog, goTo, heading, link, navigation, type PageName } from '../admin-pages.js';
import { openAdmin } from '../admin-suite.js';
import { settled } from '../browser.js';

const WORKFLOW = `document:
  dsl: '1.0.3'
  namespace: default
  name: one
  version: '1.0.0'
do:
  - say:
      set: { text: hello }
`;

export function whatIsGone(): void {
  let service: TestService;
  let page: Page;

  openAdmin('/admin/', (opened) => ({ service, page } = opened));

  const notFound = () => page.getByRole('alert').filter({ hasText: 'Not found' });
  const isSaidOnce = async (list: string) => {
    await notFound().waitFor();
    await settled(page);
    expect(await page.getByRole('main').getByRole('alert').count()).toBe(1);
    await notFound().getByRole('link', { name: 'back to the list' }).click();
    await heading(page, list).waitFor();
  };
  const LISTS: [PageName, string, object][] = [
    ['Knowledge', 'knowledge', { title: 'one', content: 'text' }],
    ['Memory', 'memory', { key: 'one', content: 'text' }],
    ['Workflows', 'workflows', { definition: WORKFLOW }],
    ['Policies', 'policies', { name: 'one', policy: 'forbid (principal, action, resource == Tool::"memory_remove");' }],
    ['Clients', 'clients', { name: 'one' }],
  ];
  const ADDRESSES = LISTS.map(([, path]) => (path === 'memory' ? 'memory/shared/one' : `${path}/one`));

  it.each(LISTS)('leaves no address of what is deleted in the history: %s', async (list, path, body) => {
    await service.admin('POST', path, body);
    await page.goto('/admin/');
    await goTo(page, list);
    await link(page, 'one').click();
    await heading(page, 'one').waitFor();
    await button(page, 'Delete').click();
    await dialog(page)
      .getByRole('button', { name: /^Delete / })
      .click();
    await heading(page, list).waitFor();
    await page.goBack();
    await heading(page, list).waitFor();
    await page.goBack();
    await heading(page, 'Overview').waitFor();
  });

  it.each(LISTS)('is said once, and has left the list: %s', async (list, path, body) => {
    await service.admin('POST', path, body);
    await page.goto(`/admin/${path}`);
    await link(page, 'one').waitFor();
    await service.admin('DELETE', ADDRESSES[LISTS.findIndex(([one]) => one === list)] ?? '');
    await link(page, 'one').click();
    await isSaidOnce(list);
    await link(page, 'one').waitFor({ state: 'detached', timeout: 3_000 });
  });

  it.each(LISTS)('is no longer shown by a page that is open: %s', async (list, path, body) => {
    const address = ADDRESSES[LISTS.findIndex(([one]) => one === list)] ?? '';
    await service.admin('POST', path, body);
    await page.goto(`/admin/${address}`);
    await button(page, 'Delete').waitFor();
    await service.admin('DELETE', address);
    await comeBackLater(page);
    await isSaidOnce(list);
  });

  it.each([
    ['feeds/none', 'Feeds'],
    ['runs/none', 'Runs'],
    ['skills/none', 'Skills'],
    ['skill-packages/none', 'Skill packages'],
    ['skill-modules/none', 'Skill modules'],
    ['administrators/none', 'Accounts'],
    ['knowledge/none', 'Knowledge'],
    ['knowledge/none/edit', 'Knowledge'],
  ])('is said once where an address never existed: %s', async (address, list) => {
    await page.goto(`/admin/${address}`);
    await navigation(page).waitFor();
    await isSaidOnce(list);
  });

  it('stays while one is changing it, so that nothing that was typed is lost', async () => {
    await service.admin('POST', 'memory', { key: 'mine', content: 'text' });
    await page.goto('/admin/memory/shared/mine');
    await page.getByLabel('Text').fill('typed for an hour');
    await service.admin('DELETE', 'memory/shared/mine');
    await comeBackLater(page);
    await notFound().first().waitFor();
    expect(await page.getByLabel('Text').inputValue()).toBe('typed for an hour');
  });
}
