import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Page } from 'playwright-core';
import { KEY, TestService } from '../support/service.js';
import { until } from '../support/until.js';
import { heading, logIn } from './admin-pages.js';
import { describeInBrowser, TestBrowser } from './browser.js';

describeInBrowser('the Sessions page', () => {
  let browser: TestBrowser;
  let service: TestService;
  let page: Page;

  beforeAll(async () => {
    browser = await TestBrowser.launch();
    service = await TestService.start();
    page = await browser.open(service.origin);
    await logIn(page, '/admin/sessions');
    await heading(page, 'Sessions').waitFor();
  });
  afterEach(() => expect(browser.problems.splice(0)).toEqual([]));
  afterAll(async () => {
    await browser.close();
    await service.stop();
  });

  it('lists a connected client, and ends its session', async () => {
    const transport = new StreamableHTTPClientTransport(service.mcpUrl, {
      requestInit: { headers: { Authorization: `Bearer ${KEY}` } },
    });
    const client = new Client({ name: 'my-editor', version: '4.2.0' });
    await client.connect(transport);
    await page.reload();
    await page.getByText('my-editor').first().waitFor();
    await page.getByText('4.2.0').first().waitFor();
    await page.getByText('2025-11-25').first().waitFor();

    await page.getByRole('button', { name: /^End session/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: /^End/ }).click();
    await page.getByText('my-editor').first().waitFor({ state: 'detached' });
    const session = { 'mcp-session-id': transport.sessionId ?? '' };
    await until(
      async () => (await service.post({ jsonrpc: '2.0', id: 1, method: 'tools/list' }, session)).status === 404,
    );
    await client.close();
  });
});
