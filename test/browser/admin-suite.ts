import type { Page } from 'playwright-core';
import { TestService } from '../support/service.js';
import { logIn } from './admin-pages.js';
import { TestBrowser } from './browser.js';
import { noteHang } from './hung-browser.js';

interface Opened {
  browser: TestBrowser;
  service: TestService;
  page: Page;
}

type StartOptions = Parameters<typeof TestService.start>[0];

// Shared by the suites of one file; each suite has a page with its own profile.
let browser: Promise<TestBrowser> | undefined;
let service: Promise<TestService> | undefined;
afterAll(async () => {
  await (await browser)?.close();
  await (await service)?.stop();
});

/** For the tests of a suite: a service, and a page at `path` where the administrator is logged in. */
export function openAdmin(path: string, take: (opened: Opened) => void, options?: StartOptions): void {
  openService(async (opened) => {
    take(opened);
    await logIn(opened.page, path);
  }, options);
}

/**
 * For the tests of a suite: a service, and a blank page.
 * @param take called once, and again with a new page after the browser hung
 * @param options starts a separate service; without them the suites of the file share one
 */
export function openService(take: (opened: Opened) => unknown, options?: StartOptions): void {
  let opened: Opened;
  beforeAll(async () => {
    opened = await open(options ? TestService.start(options) : (service ??= TestService.start()));
    await take(opened);
  });
  afterEach(async () => {
    if (await noteHang(opened.browser)) {
      await opened.browser.closePages();
      opened.page = await opened.browser.open(opened.service.origin);
      await take(opened);
    }
    expect(opened.browser.problems.splice(0)).toEqual([]);
  });
  afterAll(async () => {
    await opened.browser.closePages();
    if (options) await opened.service.stop();
  });
}

/** For the tests of a suite: one service of their own, and a new blank page for each test. */
export function pageForEach(take: (opened: Opened) => void): void {
  let opened: Opened;
  openService((first) => (opened = first), {});
  beforeEach(async () => take({ ...opened, page: await opened.browser.open(opened.service.origin) }));
  afterEach(() => opened.browser.closePages());
}

/** Returns a function with which each test starts its own service and a page. */
export function serviceForEach(take: (opened: Opened) => void): (options?: StartOptions) => Promise<void> {
  let opened: Opened;
  afterEach(async () => {
    await noteHang(opened.browser);
    await opened.browser.closePages();
    await opened.service.stop();
    expect(opened.browser.problems.splice(0)).toEqual([]);
  });
  return async (options = {}) => take((opened = await open(TestService.start(options))));
}

async function open(starting: Promise<TestService>): Promise<Opened> {
  const [launched, started] = await Promise.all([(browser ??= TestBrowser.launch()), starting]);
  return { browser: launched, service: started, page: await launched.open(started.origin) };
}

/** Deletes all items of an admin list, such as `feeds`. */
export async function removeAll(service: TestService, list: 'feeds' | 'knowledge'): Promise<void> {
  for (const { id } of (await service.admin('GET', list)).body['items'] as { id: string }[]) {
    await service.admin('DELETE', `${list}/${id}`);
  }
}
