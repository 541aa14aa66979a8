import type { Page } from 'playwright-core';
import type { TestService } from '../../support/service.js';
import { until } from '../../support/until.js';
import { asksBeforeClosing, button, comeBackLater, dialog, heading, link } from '../admin-pages.js';
import { openAdmin } from '../admin-suite.js';

export function memoryPage(): void {
  let service: TestService;
  let page: Page;

  openAdmin('/admin/memory', (opened) => ({ service, page } = opened));
  beforeAll(() => heading(page, 'Memory').waitFor());

  const remember = (entry: object) => service.admin('POST', 'memory', entry);

  it('says what to do while nothing is remembered', async () => {
    await page.getByText('Nothing is remembered yet').waitFor();
  });

  it('finds entries by what they say and by their namespace', async () => {
    await remember({ key: 'deploy-day', content: 'We deploy on Tuesdays.', tags: ['ops'] });
    await remember({ namespace: 'web', key: 'colors', content: 'Blue.', expiresInDays: 30 });
    await page.reload();
    const row = page.getByRole('row').filter({ hasText: 'colors' });
    await row.getByText('in 30 days').waitFor();
    await row.getByText('admin', { exact: true }).waitFor();
    await page.getByLabel('Search memory').fill('tuesdays');
    await link(page, 'colors').waitFor({ state: 'detached' });
    await link(page, 'deploy-day').waitFor();

    await page.getByLabel('Search memory').fill('');
    await page.getByRole('combobox', { name: 'Namespace' }).click();
    await page.getByRole('option', { name: 'web' }).click();
    await link(page, 'deploy-day').waitFor({ state: 'detached' });
    await link(page, 'colors').waitFor();
    await page.getByRole('combobox', { name: 'Namespace' }).click();
    await page.getByRole('option', { name: 'All' }).click();
    await link(page, 'deploy-day').waitFor();
  });

  it('keeps the table in the window when an entry has a word longer than that', async () => {
    await remember({ key: 'wiki', content: `https://wiki.example/${'a'.repeat(260)}` });
    await remember({ key: 'k'.repeat(100), content: 'Long.', tags: ['t'.repeat(40)] });
    await page.goto('/admin/memory');
    await link(page, 'wiki').waitFor();
    expect(await page.evaluate<boolean>('document.documentElement.scrollWidth > window.innerWidth')).toBe(false);
  });

  it('writes a new entry, and asks before a half-written one is lost', async () => {
    await page.goto('/admin/memory');
    await link(page, 'New entry').click();
    await page.getByLabel('Key').fill('lunch');
    await link(page, 'Cancel').click();
    await button(page, 'Stay').click();
    await page.getByLabel('Text', { exact: true }).fill('The canteen closes at two.');
    await button(page, 'Save').click();
    await heading(page, 'lunch').waitFor();
    await page.getByText('memory://shared/lunch').waitFor();

    await page.goto('/admin/memory/new');
    await page.getByLabel('Key').fill('not a key');
    await page.getByLabel('Text', { exact: true }).fill('x');
    await button(page, 'Save').click();
    await page.getByText('key must be a name such as deploy-day').waitFor();
    await page.getByLabel('Key').fill('dinner');
    await page.getByLabel('Text', { exact: true }).fill('The canteen closes at two.');
    await button(page, 'Save').click();
    await page.getByText('The entry lunch says the same.').waitFor();
    await heading(page, 'dinner').waitFor();

    await page.goto('/admin/memory/new');
    await page.getByLabel('Key').fill('dinner');
    await page.getByLabel('Text', { exact: true }).fill('At eight.');
    await button(page, 'Save').click();
    await page.getByRole('alert').getByText('exists already').waitFor();
    await link(page, 'Open dinner').click();
    await button(page, 'Leave').click();
    await heading(page, 'dinner').waitFor();
    expect(await page.getByLabel('Text', { exact: true }).inputValue()).toBe('The canteen closes at two.');
    for (const key of ['lunch', 'dinner']) await service.admin('DELETE', `memory/shared/${key}`);
  });

  it('asks before a half-written entry is lost, and not when nothing is', async () => {
    await page.goto('/admin/memory/shared/deploy-day');
    const text = page.getByLabel('Text', { exact: true });
    await text.click();
    await text.pressSequentially(' Or on Fri');
    expect(await asksBeforeClosing(page)).toBe(true);
    await link(page, 'All memory').click();
    await button(page, 'Stay').click();
    expect(await text.inputValue()).toBe('We deploy on Tuesdays. Or on Fri');

    await text.fill('We deploy on Tuesdays.');
    await link(page, 'All memory').click();
    await link(page, 'deploy-day').click();
    await text.fill('We deploy on Fridays.');
    await link(page, 'All memory').click();
    await button(page, 'Leave').click();
    await link(page, 'deploy-day').waitFor();
    expect((await service.admin('GET', 'memory/shared/deploy-day')).body['content']).toBe('We deploy on Tuesdays.');
  });

  it('keeps a half-written entry when an assistant changes it in the meantime, and asks nothing once it is saved', async () => {
    await remember({ key: 'lunch', content: 'At noon.' });
    await page.goto('/admin/memory/shared/lunch');
    await page.getByLabel('Text', { exact: true }).fill('At one.');
    await remember({ key: 'lunch', content: 'At two.' });
    await comeBackLater(page);
    await page
      .getByRole('alert')
      .getByText(/Somebody changed this entry/)
      .waitFor();
    expect(await page.getByLabel('Text', { exact: true }).inputValue()).toBe('At one.');
    await page.getByRole('alert').getByText('At two.').waitFor();
    await button(page, 'Overwrite with my version').click();
    await button(page, 'Save').click();
    await page.getByRole('region', { name: 'History' }).getByText('At two.').waitFor();
    await page.getByLabel('Text', { exact: true }).fill('At three.');
    await button(page, 'Delete').click();
    await dialog(page).getByRole('button', { name: 'Delete entry' }).click();
    await heading(page, 'Memory').waitFor();
    expect(await dialog(page).count()).toBe(0);
  });

  it('does not overwrite what somebody saved first', async () => {
    await remember({ key: 'supper', content: 'At six.' });
    await page.goto('/admin/memory/shared/supper');
    await page.getByLabel('Text', { exact: true }).fill('At seven.');
    await remember({ key: 'supper', content: 'At eight.' });
    await button(page, 'Save').click();
    await page.getByRole('alert').getByText('At eight.').waitFor();
    expect((await service.admin('GET', 'memory/shared/supper')).body['content']).toBe('At eight.');
    await button(page, 'Show the current text, without my changes').click();
    expect(await page.getByLabel('Text', { exact: true }).inputValue()).toBe('At eight.');
    await service.admin('DELETE', 'memory/shared/supper');
  });

  it('changes an entry, shows what it said before, and forgets it', async () => {
    await page.goto('/admin/memory/shared/deploy-day');
    await heading(page, 'deploy-day').waitFor();
    await page.getByText('There are no previous versions.').waitFor();
    await page.getByLabel('Text', { exact: true }).fill('We deploy on Thursdays.');
    await page.getByLabel('Importance').selectOption('5');
    await button(page, 'Save').click();
    const history = page.getByRole('region', { name: 'History' });
    await history.getByText('We deploy on Tuesdays.').waitFor();
    expect((await service.admin('GET', 'memory/shared/deploy-day')).body).toMatchObject({
      content: 'We deploy on Thursdays.',
      importance: 5,
      tags: ['ops'],
    });

    await button(page, 'Delete').click();
    await dialog(page).getByRole('button', { name: 'Delete entry' }).click();
    await heading(page, 'Memory').waitFor();
    await link(page, 'colors').waitFor();
    expect(await link(page, 'deploy-day').count()).toBe(0);
  });

  it('offers every namespace, however many there are, and the one for everybody', async () => {
    for (let n = 100; n < 400; n += 1) await remember({ namespace: `team-${n}`, key: 'lead', content: `Person ${n}.` });
    await page.goto('/admin/memory?namespace=team-100');
    await link(page, 'lead').waitFor();
    const namespaces = page.getByRole('combobox', { name: 'Namespace' });
    expect(await namespaces.inputValue()).toBe('team-100');
    await namespaces.click();
    await page.getByRole('option', { name: 'team-100' }).waitFor();
    expect(await page.getByRole('option').count()).toBe(100); // drawing thousands takes a second
    await namespaces.fill('shar');
    await page.getByRole('option', { name: 'shared' }).click();
    await link(page, 'lead').waitFor({ state: 'detached' });
    await namespaces.fill('399');
    await page.getByRole('option', { name: 'team-399' }).waitFor();
    await namespaces.press('ArrowDown');
    await namespaces.press('Enter');
    await until(() => page.url().endsWith('?namespace=team-399'));
    await page.getByText('Person 399.').waitFor();
    await namespaces.fill('nobody');
    await page.getByText('There is no such namespace').waitFor();
  });

  it('changes when an entry expires, and restores a previous version', async () => {
    await remember({ key: 'rota', content: 'Ada is on call.', tags: ['ops'], expiresInDays: 30 });
    await remember({ key: 'rota', content: 'Bob is on call.', tags: [] });
    await page.goto('/admin/memory/shared/rota');
    const days = page.getByLabel('Expires in days from now');
    await days.fill('soon');
    await page.getByText('Enter a number of days from 0 to 36,500.').waitFor();
    expect(await button(page, 'Save').isDisabled()).toBe(true);
    await days.fill('0');
    await button(page, 'Save').click();
    await page.getByText('It never expires.').waitFor();
    await button(page, 'Restore version 1').click();
    await dialog(page).getByRole('button', { name: 'Restore it' }).click();
    const entry = async () => (await service.admin('GET', 'memory/shared/rota')).body;
    await until(async () => (await entry())['content'] === 'Ada is on call.');
    expect(await entry()).toMatchObject({ tags: ['ops'], expiresAt: null });
  });
}
