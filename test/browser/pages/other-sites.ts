import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { KEY, type TestService } from '../../support/service.js';
import { until } from '../../support/until.js';
import { openAdmin } from '../admin-suite.js';
import { type TestBrowser } from '../browser.js';

const GENERATE = '/admin/api/config/mcp.api_key/generate';

export function pageOfAnotherSite(): void {
  let browser: TestBrowser;
  let service: TestService;
  let foreignSite: Server;
  let page: Page;
  let content = '';

  openAdmin('/admin/', (opened) => ({ browser, service, page } = opened), { env: { MCP_API_KEY: '' } });
  beforeAll(async () => {
    await service.admin('PUT', 'config/mcp.api_key', { value: KEY });
    foreignSite = createServer((_req, res) => {
      res.setHeader('content-type', 'text/html').end(`<!doctype html><title>Elsewhere</title>${content}`);
    });
    await once(foreignSite.listen(0, '127.0.0.1'), 'listening');
  });
  afterAll(() => foreignSite.close());

  // Another port of the same host is the same site, so its requests carry the cookie; another host name is another site.
  describe.each(['127.0.0.1', 'localhost'])('at %s', (host) => {
    const visit = async (html: string) => {
      content = html;
      const foreign = await page.context().newPage();
      await foreign.goto(`http://${host}:${(foreignSite.address() as AddressInfo).port}/`);
      return foreign;
    };
    const keyStillWorks = async () => {
      const response = await service.postStateless('tools/list');
      await response.body?.cancel();
      return response.status === 200;
    };

    it('cannot make the browser of an administrator send a form', async () => {
      const foreign = await visit(
        `<form method="post" action="${service.origin}${GENERATE}"><button>Win</button></form>`,
      );
      const answered = foreign.waitForResponse((response) => response.url().endsWith(GENERATE));
      await foreign.getByRole('button').click();
      expect([401, 403]).toContain((await answered).status());
      expect(await keyStillWorks()).toBe(true);
      await foreign.close();
    });

    it('cannot make it send a request from a script, nor read an answer', async () => {
      const foreign = await visit('');
      const outcomes = await foreign.evaluate(async (target) => {
        const attempt = (mode: 'cors' | 'no-cors') =>
          fetch(target, { method: 'POST', credentials: 'include', mode }).then(
            () => 'answered',
            () => 'refused',
          );
        return [await attempt('cors'), await attempt('no-cors')];
      }, service.origin + GENERATE);
      expect(outcomes).toEqual(['refused', 'refused']);
      expect(await keyStillWorks()).toBe(true);
      await foreign.close();
    });

    it('cannot show the admin interface inside itself', async () => {
      const foreign = await visit(`<iframe src="${service.origin}/admin/"></iframe>`);
      const { headers } = await fetch(new URL('/admin/', service.origin));
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
      await until(() => foreign.frames().some((frame) => frame.url() === 'chrome-error://chromewebdata/'));
      await foreign.close();
    });
  });

  it('is refused by name when the cookie comes along', async () => {
    const cookies = await page.context().cookies();
    const response = await fetch(service.origin + GENERATE, {
      method: 'POST',
      headers: {
        cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; '),
        'sec-fetch-site': 'cross-site',
      },
    });
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ code: 'admin.cross_site_request' });
  });

  it('gets nothing without a login, like every page', async () => {
    const stranger = await browser.open(service.origin);
    await stranger.goto('/admin/');
    const statuses = await stranger.evaluate(() =>
      Promise.all(
        ['config', 'skills', 'sessions', 'overview'].map(async (path) => (await fetch(`/admin/api/${path}`)).status),
      ),
    );
    expect(statuses).toEqual([401, 401, 401, 401]);
    await stranger.context().close();
  });
}
