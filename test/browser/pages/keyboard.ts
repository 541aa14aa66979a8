import type { Locator, Page } from 'playwright-core';
import type { TestService } from '../../support/service.js';
import { button, comeBackLater, dialog, enterPassword, holdRequests } from '../admin-pages.js';
import { openAdmin } from '../admin-suite.js';
import { settled, told } from '../browser.js';

export function keyboard(): void {
  let service: TestService;
  let page: Page;

  openAdmin('/admin/', (opened) => ({ service, page } = opened));

  const hasFocus = (element: Locator) => element.and(page.locator(':focus')).waitFor();
  const press = async (key: string, element: Locator) => {
    await element.focus();
    await page.keyboard.press(key);
  };

  it('stays at a button that is disabled during its request', async () => {
    await page.goto('/admin/skills/system_info');
    const release = await holdRequests(page, 'POST', /\/try$/);
    await press('Enter', button(page, 'Run'));
    await button(page, 'Run').and(page.locator(':disabled')).waitFor();
    await page.waitForFunction('document.activeElement === document.body');
    await release();
    await hasFocus(button(page, 'Run'));
  });

  it('stays around a button that has nothing to do after its request', async () => {
    await service.admin('POST', 'clients', { name: 'saved' });
    await page.goto('/admin/clients/saved');
    await page.getByRole('textbox', { name: 'Note', exact: true }).fill('one');
    await press('Enter', button(page, 'Save'));
    await told(page, 'saved is saved.');
    await button(page, 'Save').and(page.locator(':disabled:not([data-loading])')).waitFor();
    await hasFocus(page.locator('div', { has: button(page, 'Save') }).last());
    await page.keyboard.press('Shift+Tab');
    await hasFocus(page.getByRole('textbox', { name: 'Sessions', exact: true }));
  });

  it('goes from a deleted row to the one that took its place, or to the last', async () => {
    for (const name of ['one', 'two', 'three']) await service.admin('POST', 'webhooks', { name, eventType: 'a.b' });
    await page.goto('/admin/webhooks');
    const row = (name: string) => page.getByRole('row', { name: new RegExp(`^${name} `) });
    const remove = async (name: string) => {
      await press('Enter', button(page, `Delete: ${name}`));
      await dialog(page).locator(':focus').waitFor(); // a dialog takes the focus when it opens
      await press('Enter', dialog(page).getByRole('button').last());
    };
    await remove('three');
    await hasFocus(row('two'));
    await remove('two');
    await hasFocus(row('one'));
  });

  it('returns from the login form to the field where somebody was typing', async () => {
    await page.goto('/admin/knowledge/new');
    const title = page.getByRole('textbox', { name: 'Title' });
    await title.fill('Half a ti');
    await title.focus();
    await page.context().clearCookies();
    await comeBackLater(page);
    await enterPassword(page, 'test-password');
    await hasFocus(title);
    await page.keyboard.type('tle');
    expect(await title.inputValue()).toBe('Half a title');
    await title.fill('');
    await settled(page);
  });

  it('is in the login form, and not in a dialog over it, when the session ends', async () => {
    await page.goto('/admin/webhooks');
    await button(page, 'Delete: one').click();
    await dialog(page).waitFor();
    await page.context().clearCookies();
    await comeBackLater(page);
    await dialog(page).waitFor({ state: 'detached' });
    await enterPassword(page, 'test-password');
    await button(page, 'Delete: one').waitFor();
  });
}
