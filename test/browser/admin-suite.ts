import type { Page } from 'playwright-core';
import { jest } from '@jest/globals';
import { TestService } from '../support/service.js';
import { logIn } from './admin-pages.js';
import { TestBrowser } from './browser.js';

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

/*
 * Chromium hangs now and then, once in some hundred runs of these suites: a page does not respond any more, not even to `1 +
 * 1`. That is no failure of what is tested, so such a test is retried once, in a new page. A page that hangs because of a bug
 * of ours hangs again, and every other failure counts.
 */
jest.retryTimes(1, { retryImmediately: true, logErrorsBeforeRetry: true });

const begun = new Set<string>();
const hung = new Set<string>();
const nameOfTest = () => expect.getState().currentTestName ?? '';

beforeEach(() => {
  const name = nameOfTest();
  if (begun.has(name) && !hung.has(name)) throw new Error('The page answered: what failed above is not tried again.');
  begun.add(name);
});

/** After a test: returns true if its browser hangs, so that the test is retried if it failed. */
async function noteHang(browser: TestBrowser): Promise<boolean> {
  const report = await browser.reportHang();
  if (report === null) return false;
  hung.add(nameOfTest());
  process.stderr.write(`${nameOfTest()}: ${report}\n`);
  return true;
}
