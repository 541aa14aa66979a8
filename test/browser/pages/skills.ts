import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import type { Page } from 'playwright-core';
import { told } from '../browser.js';
import { type TestService } from '../../support/service.js';
import { Hang, TestSkillsModule } from '../../support/test-skills.module.js';
import { until } from '../../support/until.js';
import { button, heading, link, replaceText } from '../admin-pages.js';
import { openAdmin } from '../admin-suite.js';

export function skillsPage(): void {
  let service: TestService;
  let page: Page;

  openAdmin('/admin/skills', (opened) => ({ service, page } = opened), { imports: [TestSkillsModule] });
  beforeEach(async () => {
    await page.goto('/admin/skills');
    await heading(page, 'Skills').waitFor();
  });

  const openSkill = async (name: string) => {
    await page.getByLabel('Search skills').fill(name); // the first page of the list does not contain all skills
    await link(page, name).click();
    await heading(page, name).waitFor();
  };
  const run = () => button(page, 'Run').click();
  const region = (name: string) => page.getByRole('region', { name, exact: true });

  it('finds skills by what they are called and what they do', async () => {
    await link(page, 'echo').waitFor();
    await page.getByLabel('Search skills').fill('time limit');
    await link(page, 'echo').waitFor({ state: 'detached' });
    await link(page, 'hang').waitFor();
    await page.getByLabel('Search skills').fill('ECHO');
    await link(page, 'echo').waitFor();
  });

  it('shows where skills come from, of one source or state, with what is wrong and a way there', async () => {
    const code = `export default { name: 'weather_now', description: 'Says it.', uses: { hosts: ['a.example'] }, execute: () => 1 };`;
    await service.admin('POST', 'skill-modules', { file: 'weather.ts', code });
    await page.getByLabel('Source', { exact: true }).selectOption('Module');
    const card = page.getByRole('article', { name: 'weather_now' });
    await card.getByText('Waits for approval').waitFor();
    await link(page, 'echo').waitFor({ state: 'detached' });
    await page.getByLabel('State', { exact: true }).selectOption('Off');
    await page.getByText('No skill found').waitFor();
    await page.getByLabel('State', { exact: true }).selectOption('Waits for approval');
    await card.getByRole('link', { name: 'weather', exact: true }).click();
    await heading(page, 'weather').waitFor();
    await button(page, 'Approve version 1').click();
    await told(page, 'Clients get version 1 of weather.');
    await link(page, 'Skills').click();
    await page.getByLabel('Source', { exact: true }).selectOption('Module');
    await page.getByLabel('State', { exact: true }).selectOption('Waits for approval');
    await page.getByText('No skill found').waitFor();
    await service.admin('DELETE', 'skill-modules/weather');
  });

  it('sets the limits of one skill, and says which values they take', async () => {
    await openSkill('echo');
    const limits = region('Limits');
    const timeout = limits.getByLabel('Time limit of a call');
    await timeout.fill('99999999999');
    await button(page, 'Save').click();
    await limits.getByText('3600000').waitFor();
    for (const text of ['1,500', '1500 ms']) {
      await replaceText(timeout, text);
      await limits.getByText('Enter a number without units or separators').waitFor();
      expect(await button(page, 'Save').isDisabled()).toBe(true);
    }
    await timeout.fill('1500');
    await button(page, 'Save').click();
    await told(page, 'The limits of echo are saved.');
    const state = async () => (await service.admin('GET', 'skills/echo')).body;
    expect(await state()).toMatchObject({ enabled: true, timeoutMs: 1_500, maxResultBytes: null });
    await timeout.fill('');
    await button(page, 'Save').click();
    await until(async () => (await state())['timeoutMs'] === null);
  });

  it('takes a disabled skill away from connected clients, and gives it back', async () => {
    const client = new Client({ name: 'ide', version: '1.0.0' });
    const changes: string[] = [];
    client.setNotificationHandler(ToolListChangedNotificationSchema, ({ method }) => void changes.push(method));
    await service.connect(client);
    await until(async () => (await service.admin('GET', 'overview')).body['streams'] === 1);
    const names = async () => (await client.listTools()).tools.map((tool) => tool.name);
    // A switch is disabled while its change is being saved.
    const enabled = page.getByRole('switch', { name: 'Enabled: echo' }).and(page.locator(':enabled'));
    const toggle = () => enabled.click({ force: true });

    await toggle();
    await until(() => changes.length === 1);
    expect(await names()).not.toContain('echo');
    await toggle();
    await until(() => changes.length === 2);
    expect(await names()).toContain('echo');
    await client.close();
  });

  it('runs a skill, showing how far it is, its result, and the messages on the wire', async () => {
    await openSkill('slowly');
    await page.getByLabel('steps').fill('4');
    await page.getByLabel('stepMs').fill('200');
    await run();
    const bar = page.getByRole('progressbar');
    await bar.waitFor();
    await until(async () => Number(await bar.first().getAttribute('aria-valuenow')) > 0);
    await region('Result').getByText('4 steps, slowly').waitFor();
    await region('JSON-RPC exchange').getByText('notifications/progress').first().waitFor();
    const exchange = await region('JSON-RPC exchange').innerText();
    expect(exchange).toContain('notifications/message');
    expect(exchange).toContain('tools/call');
  });

  it('runs only valid input, shows errors at the field, and sends what it shows', async () => {
    await openSkill('feed_items');
    const since = page.getByLabel('since');
    await since.fill('last week');
    await page.getByText('This does not have the required form: Only items published then or later').waitFor();
    expect(await button(page, 'Run').isDisabled()).toBe(true);
    await since.fill('2026-01-01');
    await region('Try it').getByLabel('limit').fill('1.5');
    await page.getByText('Enter a whole number.').waitFor();
    expect(await button(page, 'Run').isDisabled()).toBe(true);
    await region('Try it').getByLabel('limit').fill('5');
    await run();
    await region('JSON-RPC exchange').getByText('"since": "2026-01-01"').waitFor();
    await region('JSON-RPC exchange').getByText('"limit": 5').waitFor();
    await page.goto('/admin/skills/knowledge_search');
    await page.getByLabel('query').fill('people');
    await page.getByRole('combobox', { name: 'tags' }).pressSequentially('Doe, Jane');
    await page.keyboard.press('Enter');
    await run();
    await region('JSON-RPC exchange').getByText('"Doe, Jane"').first().waitFor();
  });

  it('says what is still to be filled in', async () => {
    await openSkill('feed_unsubscribe');
    await page.getByText('Still missing: feed').waitFor();
    expect(await button(page, 'Run').isDisabled()).toBe(true);
  });

  it('asks before it runs what may destroy something', async () => {
    await openSkill('feed_unsubscribe');
    await region('Try it').getByLabel('feed').fill('nothing');
    await run();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Run feed_unsubscribe?').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await region('JSON-RPC exchange').count()).toBe(0);
    await run();
    await dialog.getByRole('button', { name: 'Run it' }).click();
    await region('Result')
      .getByText(/nothing/)
      .first()
      .waitFor();
  });

  it('cancels a skill that takes too long', async () => {
    const hang = service.app.get(Hang);
    await openSkill('hang');
    await run();
    await until(() => hang.running === 1);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await until(() => hang.running === 0);
    await button(page, 'Run').waitFor();
  });

  it('shows a failure as an assistant would receive it', async () => {
    await openSkill('explode');
    await run();
    await region('Result').getByText('The tool explode failed: the fuse was lit').waitFor();
  });
}
