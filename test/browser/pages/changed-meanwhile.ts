import type { Page } from 'playwright-core';
import { FeedServer, rssDocument } from '../../feeds/feed-server.js';
import type { TestService } from '../../support/service.js';
import { button, comeBackLater, heading, replaceText } from '../admin-pages.js';
import { openAdmin } from '../admin-suite.js';
import { until } from '../../support/until.js';
import { told } from '../browser.js';

const FORBIDS = (tool: string) => `forbid (principal, action, resource == Tool::"${tool}");`;

const GREETS = (text: string) => `document:
  dsl: '1.0.3'
  namespace: default
  name: greet
  version: '1.0.0'
do:
  - say:
      set: { text: ${text} }
`;

export function changedMeanwhile(): void {
  let service: TestService;
  let page: Page;

  openAdmin('/admin/', (opened) => ({ service, page } = opened));

  const field = (name: string) => page.getByRole('textbox', { name, exact: true });
  const save = () => button(page, 'Save').click();
  const notice = (what: string) =>
    page.getByRole('alert').filter({ hasText: `Somebody changed this ${what} in the meantime` });
  const open = async (path: string, title: string) => {
    await page.goto(`/admin/${path}`);
    await heading(page, title).waitFor();
  };
  const present = async (path: string) => (await service.admin('GET', path)).body;
  /** Acts as another administrator. */
  const other = async (method: string, path: string, body?: object) => {
    const answer = await service.admin(method, path, body);
    expect([path, answer.status < 300, answer.status < 300 || answer.body]).toEqual([path, true, true]);
  };

  it('is not overwritten in a policy: both texts are shown, and one is chosen', async () => {
    await other('POST', 'policies', { name: 'robots', policy: FORBIDS('memory_remove') });
    await open('policies/robots', 'robots');
    const editor = page.getByRole('textbox', { name: 'Policy, Cedar' });
    await replaceText(editor, `// mine\n${FORBIDS('memory_remove')}`);
    await other('PUT', 'policies/robots', { policy: FORBIDS('memory_save') });
    await save();
    for (const text of [/memory_save/, /mine/]) await notice('policy').getByText(text).first().waitFor();
    expect(await button(page, 'Save').isDisabled()).toBe(true);
    expect(await present('policies/robots')).toMatchObject({ policy: FORBIDS('memory_save') });

    await button(page, 'Overwrite with my version').click();
    await other('PUT', 'policies/robots', { enabled: false });
    await save();
    // It is disabled now, and the page says so before anything is saved.
    await page
      .getByRole('alert')
      .getByText(/Nothing was saved/)
      .waitFor();
    await page.getByRole('switch', { name: 'Enabled', checked: false }).waitFor();
    await save();
    await told(page, 'robots is saved.');
    expect(await present('policies/robots')).toMatchObject({
      policy: `// mine\n${FORBIDS('memory_remove')}`,
      enabled: false,
    });
    await other('DELETE', 'policies/robots');
  });

  it('is said of others only: a policy can be saved, edited and saved again', async () => {
    await other('POST', 'policies', { name: 'mine', policy: FORBIDS('memory_remove') });
    await open('policies/mine', 'mine');
    for (const comment of ['once', 'twice']) {
      const policy = `// ${comment}\n${FORBIDS('memory_remove')}`;
      await replaceText(page.getByRole('textbox', { name: 'Policy, Cedar' }), policy);
      await save();
      await told(page, 'mine is saved, and in force.');
      await until(async () => (await present('policies/mine'))['policy'] === policy);
    }
    await other('DELETE', 'policies/mine');
  });

  it('is not overwritten in a workflow: both texts are shown, and one is chosen', async () => {
    await other('POST', 'workflows', { definition: GREETS('first') });
    await open('workflows/greet/edit', 'Edit greet');
    await replaceText(page.getByRole('textbox', { name: 'Definition, YAML' }), GREETS('mine'));
    await other('PUT', 'workflows/greet', { definition: GREETS('theirs') });
    await save();
    for (const text of [/theirs/, /mine/]) await notice('workflow').getByText(text).first().waitFor();
    expect(await button(page, 'Save').isDisabled()).toBe(true);
    expect(await present('workflows/greet')).toMatchObject({ definition: GREETS('theirs') });
    await button(page, 'Overwrite with my version').click();
    await save();
    await told(page, 'Version 1.0.0 is saved.');
    expect(await present('workflows/greet')).toMatchObject({ definition: GREETS('mine') });
    await other('DELETE', 'workflows/greet');
  });

  it('stays in a client of which another field is saved', async () => {
    await other('POST', 'clients', { name: 'ci', groups: ['robots'], limits: { calls: 3 } });
    await open('clients/ci', 'ci');
    await field('Note').fill('mine');
    const expiresAt = '2035-01-01T00:00:00.000Z';
    await other('PUT', 'clients/ci', { groups: ['robots', 'restricted'], expiresAt, limits: { requestsPerMinute: 5 } });
    await field('Calls at once').fill('7');
    await save();
    await told(page, 'ci is saved.');
    const limits = { requestsPerMinute: 5, calls: 7, streams: null, sessions: null };
    expect(await present('clients/ci')).toMatchObject({
      note: 'mine',
      groups: ['robots', 'restricted'],
      expiresAt,
      limits,
    });
  });

  it('shows in the form of a client at once where nothing was typed, and as a notice where something was', async () => {
    await open('clients/ci', 'ci');
    expect(await button(page, 'Save').isDisabled()).toBe(true);
    await other('PUT', 'clients/ci', { note: 'theirs' });
    await comeBackLater(page);
    await page.getByRole('textbox', { name: 'Note', exact: true }).and(page.getByText('theirs')).waitFor();
    await field('Note').fill('mine');
    await other('PUT', 'clients/ci', { note: 'theirs again' });
    await comeBackLater(page);
    for (const text of [/theirs again/, /mine/]) await notice('client').getByText(text).first().waitFor();
    expect(await button(page, 'Save').isDisabled()).toBe(true);
    await button(page, 'Overwrite with my version').click();
    await save();
    await told(page, 'ci is saved.');
    expect(await present('clients/ci')).toMatchObject({ note: 'mine', groups: ['robots', 'restricted'] });
    await other('DELETE', 'clients/ci');
  });

  it('stays in an account of which another field is saved', async () => {
    await other('POST', 'administrators', { name: 'ada', role: 'viewer' });
    await open('administrators/ada', 'ada');
    await page.getByRole('combobox', { name: 'Groups' }).fill('ops');
    await page.keyboard.press('Enter');
    await other('PUT', 'administrators/ada', { disabled: true });
    await save();
    await told(page, 'ada is saved.');
    expect(await present('administrators/ada')).toMatchObject({ groups: ['ops'], disabled: true });
    await page.getByRole('switch', { name: 'Disabled', checked: true }).waitFor();
    await other('DELETE', 'administrators/ada');
  });

  it('stays in the limits of a skill of which another one is saved', async () => {
    await open('skills/memory_save', 'memory_save');
    await page.getByLabel('Size of a result').fill('2048');
    await other('PUT', 'skills/memory_save', { timeoutMs: 5_000 });
    await page.getByRole('region', { name: 'Limits' }).getByRole('button', { name: 'Save' }).click();
    await told(page, 'The limits of memory_save are saved.');
    expect(await present('skills/memory_save')).toMatchObject({ timeoutMs: 5_000, maxResultBytes: 2_048 });
    await other('PUT', 'skills/memory_save', { timeoutMs: null, maxResultBytes: null });
  });

  it('stays in a feed of which another field is saved', async () => {
    const publisher = await FeedServer.start();
    await other('PUT', 'config/http.allowed_hosts', { value: ['127.0.0.1'] });
    publisher.publish('/feed.xml', rssDocument('Daily News', [{ id: 'a' }]));
    await other('POST', 'feeds', { url: publisher.url('/feed.xml') });
    await open('feeds/daily-news', 'Daily News');
    await page.getByLabel('Minutes between fetches').fill('30');
    await other('PATCH', 'feeds/daily-news', { title: 'News of the day' });
    await save();
    await told(page, 'The feed is saved.');
    expect(await present('feeds/daily-news')).toMatchObject({ title: 'News of the day', intervalMinutes: 30 });
    await other('DELETE', 'feeds/daily-news');
    publisher.stop();
  });

  it('stays in a provider of single sign-on of which another field is saved', async () => {
    const rules = [{ group: 'Admins', role: 'admin', groups: [] }];
    const issuer = 'https://login.example.com';
    await other('POST', 'login-providers', { name: 'company', title: 'Company', issuer, clientId: 'agent', rules });
    await open('single-sign-on', 'Single sign-on');
    await button(page, 'Change: company').click();
    await field('Title').fill('Our company');
    await other('PUT', 'login-providers/company', { rules: [], enabled: false });
    await button(page, 'Save provider').click();
    await told(page, 'company is saved.');
    const { items } = await present('login-providers');
    expect(items).toMatchObject([{ title: 'Our company', rules: [], enabled: false }]);
    await other('DELETE', 'login-providers/company');
  });
}
