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

// What the suites of one file share: each has a page of its own profile.
let browser: Promise<TestBrowser> | undefined;
let service: Promise<TestService> | undefined;
afterAll(async () => {
  await (await browser)?.close();
  await (await service)?.stop();
});

/** For the tests of a suite: a service, and a page of it with the administrator logged in at `path`. */
export function openAdmin(path: string, take: (opened: Opened) => void, options?: StartOptions): void {
  openService(async (opened) => {
    take(opened);
    await logIn(opened.page, path);
  }, options);
}

/**
 * For the tests of a suite: a service, and a page that has not been anywhere.
 * @param take gets them once, and again with a new page where the browser hung
 * @param options of a service of its own; without them it is the one that the suites of the file share
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

/** For the tests of a suite: a service of its own, and for each of them a page that has not been anywhere. */
export function pageForEach(take: (opened: Opened) => void): void {
  let opened: Opened;
  openService((first) => (opened = first), {});
  beforeEach(async () => take({ ...opened, page: await opened.browser.open(opened.service.origin) }));
  afterEach(() => opened.browser.closePages());
}

/** Returns what each test starts a service of its own with, and a page of it. */
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

/** Empties a list of the administration, such as `feeds`. */
export async function removeAll(service: TestService, list: 'feeds' | 'knowledge'): Promise<void> {
  for (const { id } of (await service.admin('GET', list)).body['items'] as { id: string }[]) {
    await service.admin('DELETE', `${list}/${id}`);
  }
}
