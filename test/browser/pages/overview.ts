import type { Page } from 'playwright-core';
import { ConnectedClients } from '../../../src/access/clients/connected-clients.service.js';
import { AuditLog } from '../../../src/access/audit/audit-log.service.js';
import type { TestService } from '../../support/service.js';
import { TestSkillsModule } from '../../support/test-skills.module.js';
import { button, heading, navigation } from '../admin-pages.js';
import { openAdmin } from '../admin-suite.js';
import { type TestBrowser } from '../browser.js';

const PROGRAM = { version: '1.0.0', protocolVersion: '2026-07-28' };
const FIFTEEN_MINUTES_MS = 15 * 60_000;

export function overviewPage(): void {
  let browser: TestBrowser;
  let service: TestService;
  let page: Page;

  openAdmin('/admin/', (opened) => ({ browser, service, page } = opened), { imports: [TestSkillsModule] });

  it('stays short with many programs and errors, and forgets programs that have gone', async () => {
    const programs = service.app.get(ConnectedClients, { strict: false });
    const client = { name: 'default', groups: [] };
    const now = Date.now();
    for (let i = 0; i < 500; i += 1) programs.seen(client, { ...PROGRAM, name: `program ${i}` }, now);
    programs.seen(client, { ...PROGRAM, name: 'gone' }, now - FIFTEEN_MINUTES_MS);
    for (let i = 0; i < 50; i += 1) await service.postStateless('tools/call', { name: 'explode', arguments: {} });
    await service.postStateless('tools/call', { name: 'no/such?tool', arguments: {} });
    await service.app.get(AuditLog, { strict: false }).flush();
    await page.goto('/admin/');
    await heading(page, 'Overview').waitFor();
    const errors = page.getByRole('table', { name: 'Latest errors' });
    await errors.getByRole('row').nth(5).waitFor();
    expect(await page.evaluate<number>('document.documentElement.scrollHeight')).toBeLessThan(2_000);
    await page.getByRole('button', { name: 'Show all 50' }).click();
    expect(await errors.getByRole('row').count()).toBe(51);
    // A tool that does not exist has no page.
    await errors.getByText('no/such?tool', { exact: true }).waitFor();
    expect(await errors.getByRole('link', { name: 'no/such?tool' }).count()).toBe(0);
    expect(await errors.getByRole('link', { name: 'explode' }).first().getAttribute('href')).toBe(
      '/admin/skills/explode',
    );
    await page.getByRole('button', { name: 'Show all 100' }).click();
    const names = await page.getByRole('table', { name: 'Connected programs' }).innerText();
    expect(names).not.toContain('gone');
  });

  it('says in the charts what each bar stands for', async () => {
    const chart = page.getByRole('img', { name: /^\d+ calls? in the last hour/ });
    expect(await chart.locator('title').count()).toBe(60);
    expect(await chart.locator('title').allTextContents()).toContainEqual(
      expect.stringMatching(/^\d\d:\d\d: \d+ calls?, \d+ errors?$/),
    );
  });

  it('hides the navigation on a phone until it is opened, and again with the next page', async () => {
    await page.setViewportSize({ width: 375, height: 812 });
    await navigation(page).waitFor({ state: 'hidden' });
    await button(page, 'Open navigation').click();
    await navigation(page).getByRole('link', { name: 'Config' }).click();
    await heading(page, 'Config').waitFor();
    await navigation(page).waitFor({ state: 'hidden' });
    await button(page, 'Open navigation').click();
    await navigation(page).waitFor();
    await page.goBack();
    await heading(page, 'Overview').waitFor();
    await navigation(page).waitFor({ state: 'hidden' });
    await page.setViewportSize({ width: 1280, height: 720 });
  });

  it('does not say that the endpoint runs while the service does not answer', async () => {
    await page.getByText('MCP is running').waitFor();
    await page.context().setOffline(true);
    await page.getByRole('alert').getByText('The service does not answer').waitFor();
    expect(await page.getByText('MCP is running').count()).toBe(0);
    await page.context().setOffline(false);
    await page.getByText('MCP is running').waitFor();
    expect(browser.problems.splice(0).filter((problem) => !problem.includes('DISCONNECTED'))).toEqual([]);
  });
}
