import { jest } from '@jest/globals';
import type { TestBrowser } from './browser.js';

/*
 * Chromium hangs now and then, once in some hundred runs of these suites: a page answers nothing any more, not even what
 * one plus one is. That says nothing of what is tested, so such a test runs once more, in a new page. A page that hangs by
 * a mistake of ours hangs again, and every other failure stands.
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

/** After a test: says whether its browser hangs, so that the test runs again if it failed. */
export async function noteHang(browser: TestBrowser): Promise<boolean> {
  const report = await browser.reportHang();
  if (report === null) return false;
  hung.add(nameOfTest());
  process.stderr.write(`${nameOfTest()}: ${report}\n`);
  return true;
}
