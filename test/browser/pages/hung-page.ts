import type { Page } from 'playwright-core';
import { openService } from '../admin-suite.js';

export function hungPage(): void {
  let page: Page;
  let tries = 0;

  openService((opened) => (page = opened.page));

  it('is no failure of what is tested: the test runs again, in a new page', async () => {
    tries += 1;
    if (tries === 1) {
      const cdp = await page.context().newCDPSession(page);
      await cdp.send('Debugger.enable');
      page.evaluate('debugger').catch(() => undefined); // hangs like an endless loop, without using the CPU
      throw new Error('This page hangs on purpose.');
    }
    expect(await page.evaluate('1 + 1')).toBe(2);
    expect(tries).toBe(2);
  });
}
