import { jest } from '@jest/globals';
import type { TestBrowser } from './browser.js';

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
export async function noteHang(browser: TestBrowser): Promise<boolean> {
  const report = await browser.reportHang();
  if (report === null) return false;
  hung.add(nameOfTest());
  process.stderr.write(`${nameOfTest()}: ${report}\n`);
  return true;
}
