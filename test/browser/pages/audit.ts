import type { Page } from 'playwright-core';
import { sql } from 'kysely';
import { forge } from '../../../src/access/audit/testing.js';
import { AuditLog } from '../../../src/access/audit/audit-log.service.js';
import { Database } from '../../../src/platform/database/database.js';
import type { TestService } from '../../support/service.js';
import { until } from '../../support/until.js';
import { button, dialog, goTo, heading, holdRequests } from '../admin-pages.js';
import { openAdmin } from '../admin-suite.js';

export function auditPage(): void {
  let service: TestService;
  let page: Page;

  openAdmin('/admin/audit', (opened) => ({ service, page } = opened));

  const rows = () => page.getByRole('table', { name: 'Audit log' }).getByRole('row');
  const reload = async () => {
    await service.app.get(AuditLog).flush();
    await page.reload();
    await heading(page, 'Audit').waitFor();
  };

  it('lists calls, refusals and changes, and keeps the filter in the address', async () => {
    await service.postStateless('tools/call', { name: 'memory_search', arguments: { query: 'blue' } });
    await service.postStateless('tools/call', { name: 'no_such_tool', arguments: { password: 'hidden' } });
    await service.admin('PUT', 'config/mcp.tool_timeout_ms', { value: 12_345 });
    await reload();
    await rows().filter({ hasText: 'Set setting' }).waitFor();
    await page.getByLabel('Outcome').selectOption('unknown');
    await rows().filter({ hasText: 'no_such_tool' }).waitFor();
    await rows().filter({ hasText: 'Set setting' }).waitFor({ state: 'detached' });
    expect(page.url()).toContain('outcome=unknown');
    await page.reload();
    await rows().filter({ hasText: 'no_such_tool' }).getByRole('link').click();
    await page.getByText('[redacted]').waitFor();
  });

  it('shows all entries again when one follows the link in the navigation', async () => {
    await page.goto('/admin/audit?kind=change&q=timeout');
    const text = page.getByLabel('Text', { exact: true });
    await until(async () => (await text.inputValue()) === 'timeout');
    await goTo(page, 'Audit');
    await until(async () => (await text.inputValue()) === '');
    await text.fill('setting');
    await until(() => new URL(page.url()).search === '?q=setting');
  });

  it('filters by every outcome that an entry can have', async () => {
    const outcomes = await page.getByLabel('Outcome').locator('option').allTextContents();
    expect(outcomes).toEqual(expect.arrayContaining(['Started', 'No key', 'Too many']));
  });

  it('shows what a change made different', async () => {
    await page.goto('/admin/audit?kind=change');
    await rows().filter({ hasText: 'Set setting' }).first().getByRole('link').click();
    const changes = page.getByRole('table', { name: 'What changed' });
    await changes.getByRole('row').filter({ hasText: 'value' }).getByText('12345').waitFor();
    expect(await changes.getByText('description').count()).toBe(0);
  });

  it('verifies the log, and exports what the filter leaves', async () => {
    await page.goto('/admin/audit?kind=change');
    const href = await page.getByRole('link', { name: 'Export' }).getAttribute('href');
    expect(href).toBe('/admin/api/audit/export?kind=change');
    const asked: string[] = [];
    page.on('request', (request) => request.url().includes('/audit/verify') && asked.push(request.url()));
    const release = await holdRequests(page, 'GET', /\/audit\/verify/);
    for (let opened = 0; opened < 2; opened += 1) {
      await button(page, 'Verify').click();
      await dialog(page).getByText('Entries checked').waitFor();
      await page.keyboard.press('Escape');
      await dialog(page).waitFor({ state: 'detached' });
    }
    expect(asked).toHaveLength(1);
    await button(page, 'Verify').click();
    await release();
    await dialog(page).getByText('Nothing was changed or removed').waitFor();
    await page.keyboard.press('Escape');
    const database = service.app.get(Database);
    await sql`drop trigger audit_batches_unchangeable`.execute(database);
    const changes = database.selectFrom('audit_terms').where('term', '=', 's:config/mcp.tool_timeout_ms');
    const { first_seq: firstSeq } = await changes.select('first_seq').executeTakeFirstOrThrow();
    await forge(database, { firstSeq: Number(firstSeq), change: (text) => text.replace('12345', '1') });
    await button(page, 'Verify').click();
    await dialog(page)
      .getByText(/Broken at entry \d/)
      .waitFor();
  });
}
