import type { Locator, Page } from 'playwright-core';
import type { TestService } from '../../support/service.js';
import { until } from '../../support/until.js';
import {
  button,
  comeBackLater,
  dialog,
  goTo,
  heading,
  holdRequests,
  link,
  logIn,
  replaceText,
  setting,
} from '../admin-pages.js';
import { openAdmin } from '../admin-suite.js';
import { settled, type TestBrowser, told } from '../browser.js';

const FORBIDS = (comment: string) => `// ${comment}\nforbid (principal, action, resource == Tool::"memory_remove");`;

const SAYS = `document:
  dsl: '1.0.3'
  namespace: default
  name: says
  version: '1.0.0'
do:
  - say:
      set: { text: hello }
`;

export function repeatedUse(): void {
  let service: TestService;
  let page: Page;
  let browser: TestBrowser;

  openAdmin('/admin/', (opened) => ({ service, page, browser } = opened));

  const field = (name: string) => page.getByRole('textbox', { name, exact: true });
  const isSaving = () => page.locator('button[data-loading]').waitFor();
  const save = () => button(page, 'Save').click();
  const policy = () => page.getByRole('textbox', { name: 'Policy, Cedar' });
  const open = async (path: string, title: string) => {
    await page.goto(`/admin/${path}`);
    await heading(page, title).waitFor();
    await settled(page);
  };
  const present = async (path: string) => (await service.admin('GET', path)).body;
  /** Acts as another administrator. */
  const other = async (method: string, path: string, body?: object) => {
    const answer = await service.admin(method, path, body);
    expect([path, answer.status < 300, answer.status < 300 || answer.body]).toEqual([path, true, true]);
    return answer.body;
  };
  /** Clicks at the position of a button; the second click of a double click hits whatever is there by then. */
  const doubleClick = async (what: Locator, meanwhile: () => Promise<unknown>) => {
    await what.scrollIntoViewIfNeeded();
    const { x, y, width, height } = (await what.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    await page.mouse.click(x + width / 2, y + height / 2);
    await meanwhile();
    await page.mouse.down({ clickCount: 2 });
    await page.mouse.up({ clickCount: 2 });
  };

  it('does not take line breaks of Windows for a change', async () => {
    await other('POST', 'policies', { name: 'windows', policy: FORBIDS('one').replaceAll('\n', '\r\n') });
    await open('policies/windows', 'windows');
    await policy().getByText('// one').waitFor();
    expect(await button(page, 'Discard changes').isDisabled()).toBe(true);
    await goTo(page, 'Skills');
    await other('DELETE', 'policies/windows');
  });

  it('shows what others save, one change after another, to those who have typed nothing', async () => {
    await other('POST', 'policies', { name: 'watched', policy: FORBIDS('one') });
    await open('policies/watched', 'watched');
    await policy().press('Control+Home');
    await page.keyboard.type('x');
    await page.keyboard.press('Backspace');
    for (const comment of ['two', 'three']) {
      await other('PUT', 'policies/watched', { policy: FORBIDS(comment) });
      await comeBackLater(page);
      await policy().getByText(`// ${comment}`).waitFor();
    }
    expect(await page.getByText('Somebody changed this policy').count()).toBe(0);
    await other('DELETE', 'policies/watched');
  });

  it('keeps what is typed into an entry of the memory while it is saved, without a conflict with itself', async () => {
    await other('POST', 'memory', { key: 'typed', content: 'one' });
    await open('memory/shared/typed', 'typed');
    const release = await holdRequests(page, 'PUT', /\/admin\/api\/memory\//);
    await page.getByLabel('Expires in days').fill('5');
    await save();
    await isSaving();
    await field('Text').fill('two');
    await release();
    await told(page, 'The entry is saved.');
    expect(await page.getByText('Somebody changed this entry').count()).toBe(0);
    await save();
    await until(async () => (await present('memory/shared/typed'))['content'] === 'two');
    await other('DELETE', 'memory/shared/typed');
  });

  it('keeps what is typed into the settings of a module while they are saved', async () => {
    await other('POST', 'skill-module-samples/sql');
    await open('skill-modules/sql', 'sql');
    const release = await holdRequests(page, 'PUT', /\/settings$/);
    await field('most_rows').fill('11');
    await button(page, 'Save settings').click();
    await isSaving();
    await field('most_rows').fill('12');
    await release();
    await told(page, 'The settings of sql are saved.');
    await button(page, 'Save settings').click();
    await until(async () => JSON.stringify(await present('skill-modules/sql/settings')).includes('"most_rows":12'));
    expect(await page.getByText('Somebody changed').count()).toBe(0);
    await other('DELETE', 'skill-modules/sql');
  });

  it('keeps what is typed for a setting while it is saved', async () => {
    await open('config', 'Config');
    const interval = setting(page, 'rss.poll_interval_minutes');
    const release = await holdRequests(page, 'PUT', /\/admin\/api\/config\//);
    await interval.getByRole('textbox').fill('61');
    await interval.getByRole('button', { name: 'Save' }).click();
    await isSaving();
    await interval.getByRole('textbox').fill('62');
    await release();
    await told(page, 'rss.poll_interval_minutes is saved.');
    expect(await interval.getByRole('textbox').inputValue()).toBe('62');
    await interval.getByRole('button', { name: 'Discard' }).click();
    await other('DELETE', 'config/rss.poll_interval_minutes');
  });

  it('asks before leaving a page with text typed while a document was being saved', async () => {
    await other('POST', 'knowledge', { title: 'Typed', content: 'one' });
    await open('knowledge/typed/edit', 'Edit document');
    const release = await holdRequests(page, 'PUT', /\/admin\/api\/knowledge\//);
    await replaceText(field('Content'), 'two');
    await save();
    await isSaving();
    await replaceText(field('Content'), 'three');
    await release();
    await dialog(page).getByRole('button', { name: 'Stay' }).click();
    expect(await present('knowledge/typed')).toMatchObject({ content: 'two' });
    await dialog(page).waitFor({ state: 'detached' });
    await save();
    await heading(page, 'Typed').waitFor();
    expect(await present('knowledge/typed')).toMatchObject({ content: 'three' });
  });

  it('shows what is created under the name of something deleted, and the latter in the trash', async () => {
    await open('knowledge-trash', 'Removed documents');
    await link(page, 'All documents').click();
    await link(page, 'Typed').click();
    await button(page, 'Delete').click();
    await button(page, 'Delete document').click();
    await link(page, 'New document').click();
    await field('Title').fill('Typed');
    await replaceText(field('Content'), 'anew');
    await save();
    await heading(page, 'Typed').waitFor();
    await page.getByRole('region', { name: 'Content' }).getByText('anew').waitFor();
    await link(page, 'All documents').click();
    await link(page, 'Removed documents').click();
    await button(page, 'Restore: Typed').waitFor();
  });

  it('does once what is confirmed with a double click', async () => {
    await other('POST', 'administrators', { name: 'bob', role: 'viewer' });
    await open('administrators', 'Accounts');
    const sent: string[] = [];
    page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()));
    await button(page, 'New password: bob').click();
    await button(page, 'Create new password').waitFor();
    await page.evaluate(`{
      const confirm = [...document.querySelectorAll('[role=dialog] button')].at(-1);
      confirm.click();
      confirm.click();
    }`);
    await button(page, 'Done').click();
    await dialog(page).waitFor({ state: 'detached' });
    await settled(page);
    expect(sent).toHaveLength(1);
  });

  it('asks after a double click, too', async () => {
    await open('administrators', 'Accounts');
    await doubleClick(button(page, 'Delete: bob'), () => button(page, 'Delete account').waitFor());
    await button(page, 'Delete account').click();
    await told(page, 'bob is deleted.');
  });

  it('restores one document with a double click, not the next one as well', async () => {
    const names = ['restored', 'not restored'];
    for (const title of names) await other('POST', 'knowledge', { title, content: title });
    for (const id of ['not-restored', 'restored']) await other('DELETE', `knowledge/${id}`);
    await open('knowledge-trash', 'Removed documents');
    const [first, next] = names.map((name) => button(page, `Restore: ${name}`)) as [Locator, Locator];
    await doubleClick(first, () => first.waitFor({ state: 'detached' }));
    await settled(page);
    expect(await next.isVisible()).toBe(true);
  });

  it('starts one run with a double click, although its page has such a button, too', async () => {
    await other('POST', 'workflows', { definition: SAYS });
    const { id } = await other('POST', 'workflows/says/start', { input: {} });
    await page.goto(`/admin/runs/${String(id)}`);
    await doubleClick(button(page, 'Run again'), async () => {
      await page.waitForURL((url) => !url.pathname.endsWith(`/${String(id)}`));
      await button(page, 'Run again').waitFor();
    });
    await settled(page);
    expect((await present('runs?name=says'))['items']).toHaveLength(2);
    await other('DELETE', 'workflows/says');
  });

  it('says how long ago something was, as time goes by', async () => {
    await other('POST', 'policies', { name: 'old', policy: FORBIDS('one') });
    const watching = await browser.open(service.origin);
    await watching.clock.install();
    await logIn(watching, '/admin/policies/old');
    await watching.getByText('Changed just now').waitFor();
    await watching.clock.runFor(5 * 60_000);
    await watching.getByText('Changed 5 minutes ago').waitFor();
    await watching.context().close();
    await other('DELETE', 'policies/old');
  });

  it('accepts no years of five digits for a client', async () => {
    await open('clients', 'Clients');
    await button(page, 'New client').click();
    await field('Name').fill('half');
    await page.getByLabel('Expires').focus();
    await page.keyboard.type('01022031');
    await button(page, 'Create client').click();
    await settled(page);
    expect((await service.admin('GET', 'clients/half')).status).toBe(404);
    await page.getByLabel('Expires').press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.type('20271');
    // A browser that accepts such years, or a script.
    await page.evaluate(`{
      const expires = document.querySelector('[type=datetime-local]');
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(expires, '20271-01-02T03:00');
      expires.dispatchEvent(new Event('input', { bubbles: true }));
    }`);
    await field('Name').fill('late');
    await button(page, 'Create client').click();
    await page.getByText(/expiresAt/).waitFor();
    await button(page, 'Cancel').click();
  });

  it('keeps the focus in a file of a package from the first letter on', async () => {
    const skill = '---\nname: kept\ndescription: Use this to test the editor of files.\n---\n\n1. Read it.\n';
    const files = [
      { path: 'SKILL.md', kind: 'text', content: skill },
      { path: 'GUIDE.md', kind: 'text', content: 'one' },
    ];
    await service.admin('PUT', 'skill-packages/kept', { files }, { 'If-None-Match': '*' });
    await open('skill-packages/kept/edit', 'Edit kept');
    await button(page, 'Edit GUIDE.md').click();
    await field('Text of GUIDE.md').press('Control+End');
    await page.keyboard.type(', two');
    await field('Text of GUIDE.md').getByText('one, two').waitFor();
    await save();
    await told(page, 'kept is saved as version 2.');
  });

  it('takes back what policies decided about other arguments', async () => {
    await open('policies', 'Policies');
    await page.getByRole('combobox', { name: 'Tool', exact: true }).fill('memory_save');
    await field('content').fill('one');
    await button(page, 'Test').click();
    await page.getByText('Decided by').waitFor();
    await field('content').fill('two');
    await page.getByText('Decided by').waitFor({ state: 'detached' });
  });

  it('leaves the form of a provider that is deleted to a new one', async () => {
    const issuer = 'https://login.example.com';
    await other('POST', 'login-providers', { name: 'firm', title: 'Firm', issuer, clientId: 'agent', rules: [] });
    await open('single-sign-on', 'Single sign-on');
    await button(page, 'Change: firm').click();
    await field('Client ID').fill('half');
    await button(page, 'Delete: firm').click();
    await button(page, 'Delete provider').click();
    await page.getByRole('heading', { name: 'Add a provider' }).waitFor();
    expect(await field('Client ID').inputValue()).toBe('');
  });

  it('removes the error of a field when it is corrected', async () => {
    await open('memory/new', 'New entry');
    await field('Key').fill('Not a key');
    await field('Text').fill('one');
    await save();
    await page.getByText(/key must be a name/).waitFor();
    await field('Key').fill('key');
    await page.getByText(/key must be a name/).waitFor({ state: 'detached' });
    await link(page, 'Cancel').click();
    await button(page, 'Leave').click();
  });
}
