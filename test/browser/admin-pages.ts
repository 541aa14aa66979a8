import type { Locator, Page } from 'playwright-core';
import { ADMIN_PASSWORD } from '../support/service.js';

export type PageName =
  | 'Overview'
  | 'Connect'
  | 'Config'
  | 'Skills'
  | 'Skill packages'
  | 'Workflows'
  | 'Runs'
  | 'Webhooks'
  | 'Secrets'
  | 'Knowledge'
  | 'Memory'
  | 'Feeds'
  | 'Clients'
  | 'Programs'
  | 'Policies'
  | 'Sessions'
  | 'Audit'
  | 'Accounts';

/** Logs in through the API, because the form takes seconds, and opens a path of the admin interface. */
export async function logIn(page: Page, path = '/admin/', password = ADMIN_PASSWORD, user = 'admin'): Promise<void> {
  const answer = await page.context().request.post('/admin/api/session', { data: { user, password } });
  if (!answer.ok()) throw new Error(`${user} cannot log in: ${answer.status()}`);
  await page.goto(path);
  await navigation(page).waitFor();
}

/** Opens a path of the admin interface and logs in through the form. */
export async function logInByForm(page: Page, path = '/admin/', password = ADMIN_PASSWORD): Promise<void> {
  await page.goto(path);
  await page.getByRole('textbox', { name: 'Name' }).fill('admin');
  await enterPassword(page, password);
  await navigation(page).waitFor();
}

/** Logs out, and waits until the page has reloaded. */
export async function logOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.getByRole('textbox', { name: 'Name' }).waitFor();
}

export async function enterPassword(page: Page, password: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
}

export const navigation = (page: Page): Locator => page.getByRole('navigation', { name: 'Main' });

export const heading = (page: Page, name: string): Locator =>
  page.getByRole('heading', { level: 1, name, exact: true });

/** Follows a link in the navigation. */
export async function goTo(page: Page, name: PageName): Promise<void> {
  await navigation(page).getByRole('link', { name }).click();
  await heading(page, name).waitFor();
}

/** Navigates to another path like a link: reloading the whole administration costs a browser eight times as much. */
export const follow = (page: Page, path: string): Promise<void> =>
  page.evaluate(`history.pushState(null, '', ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent('popstate'))`);

export const setting = (page: Page, key: string): Locator => page.getByRole('region', { name: key, exact: true });

export const control = (page: Page, key: string): Locator =>
  setting(page, key).getByRole('textbox', { name: key, exact: true });

export const button = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true });

export const link = (page: Page, name: string): Locator => page.getByRole('link', { name, exact: true });

/**
 * Replaces the text of an editor, as if pasted. Selects it with the editor's own shortcut: an editor that is rendering may
 * not yet have noticed another selection, such as by `fill`, and then the text is inserted before the old one.
 */
export async function replaceText(editor: Locator, text: string): Promise<void> {
  await editor.press('Control+a');
  await editor.page().keyboard.insertText(text);
}

export const dialog = (page: Page): Locator => page.getByRole('dialog');

/** Closes the tab. Returns true if the page asks for confirmation, in which case the tab stays open. */
export function asksBeforeClosing(page: Page): Promise<boolean> {
  const asks = new Promise<boolean>((resolve) => {
    page.once('dialog', (question) => void question.dismiss().then(() => resolve(question.type() === 'beforeunload')));
    page.once('close', () => resolve(false));
  });
  return page.close({ runBeforeUnload: true }).then(() => asks);
}

/** Simulates a return after a minute in another tab: the page refetches what it shows. Lasts until the page is reloaded. */
export const comeBackLater = (page: Page): Promise<void> =>
  page.evaluate(`
    const later = Date.now() + 60_000;
    Date.now = () => later;
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
  `);

/** Holds back requests of a page until the returned function is called. */
export async function holdRequests(page: Page, method: string, path: RegExp): Promise<() => Promise<void>> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(path, async (route) => {
    if (route.request().method() === method) await promise;
    await route.continue().catch(() => undefined);
  });
  return async () => {
    resolve();
    await page.unroute(path);
  };
}
