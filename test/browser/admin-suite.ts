import type { Page } from 'playwright-core';
import { TestService } from '../support/service.js';
import { logIn } from './admin-pages.js';
import { TestBrowser } from './browser.js';

interface Opened {
  browser: TestBrowser;
  service: TestService;
  page: Page;
}

type StartOptions = Parameters<typeof TestService.start>[0];

/** For the tests of a suite: one service, and a page of it with the administrator logged in at `path`. */
export function openAdmin(path: string, take: (opened: Opened) => void, options: StartOptions = {}): void {
  openService(async (opened) => {
    take(opened);
    await logIn(opened.page, path);
  }, options);
}

/** For the tests of a suite: one service, and a page that has not been anywhere. */
export function openService(take: (opened: Opened) => unknown, options: StartOptions = {}): void {
  let opened: Opened;
  beforeAll(async () => {
    const browser = await TestBrowser.launch();
    const service = await TestService.start(options);
    opened = { browser, service, page: await browser.open(service.origin) };
    await take(opened);
  });
  afterEach(() => expect(opened.browser.problems.splice(0)).toEqual([]));
  afterAll(async () => {
    await opened.browser.close();
    await opened.service.stop();
  });
}

/** Returns what each test starts a service of its own with, and a page of it. */
export function serviceForEach(take: (opened: Opened) => void): (options?: StartOptions) => Promise<void> {
  let browser: TestBrowser;
  let opened: Opened;
  beforeAll(async () => {
    browser = await TestBrowser.launch();
  });
  afterEach(async () => {
    await opened.page.context().close();
    await opened.service.stop();
    expect(browser.problems.splice(0)).toEqual([]);
  });
  afterAll(() => browser.close());
  return async (options = {}) => {
    const service = await TestService.start(options);
    opened = { browser, service, page: await browser.open(service.origin) };
    take(opened);
  };
}

/** Empties a list of the administration, such as `feeds`. */
export async function removeAll(service: TestService, list: 'feeds' | 'knowledge'): Promise<void> {
  for (const { id } of (await service.admin('GET', list)).body['items'] as { id: string }[]) {
    await service.admin('DELETE', `${list}/${id}`);
  }
}
