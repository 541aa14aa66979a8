import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Page } from 'playwright-core';
import { KEY, type TestService } from '../../support/service.js';
import { until } from '../../support/until.js';
import { dialog, heading } from '../admin-pages.js';
import { openAdmin } from '../admin-suite.js';

export function sessionsPage(): void {
  let service: TestService;
  let page: Page;

  openAdmin('/admin/sessions', (opened) => ({ service, page } = opened));
  beforeAll(() => heading(page, 'Sessions').waitFor());

  it('lists a connected client, and ends its session', async () => {
    const transport = new StreamableHTTPClientTransport(service.mcpUrl, {
      requestInit: { headers: { Authorization: `Bearer ${KEY}` } },
    });
    const client = new Client({ name: `my-editor-${'x'.repeat(150)}`, version: '4.2.0' });
    await client.connect(transport);
    await page.reload();
    await page.getByText('my-editor').first().waitFor();
    await page.getByText('4.2.0').first().waitFor();
    await page.getByText('2025-11-25').first().waitFor();
    expect(await page.evaluate<boolean>('document.documentElement.scrollWidth > window.innerWidth')).toBe(false);

    await page
      .getByRole('row')
      .filter({ hasText: 'my-editor' })
      .getByRole('button', { name: /^End session/ })
      .click();
    await dialog(page).getByRole('button', { name: /^End/ }).click();
    await page.getByText('my-editor').first().waitFor({ state: 'detached' });
    const session = { 'mcp-session-id': transport.sessionId ?? '' };
    await until(
      async () => (await service.post({ jsonrpc: '2.0', id: 1, method: 'tools/list' }, session)).status === 404,
    );
    await client.close();
  });
}
