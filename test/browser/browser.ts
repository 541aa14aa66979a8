import { existsSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import {
  type Browser,
  type BrowserContextOptions,
  chromium,
  type Page,
  type Request,
  type Route,
} from 'playwright-core';
import { until } from '../support/until.js';

/** The shell does without the windows and pages of a browser, which cost half of the time; either will do. */
const CHROMIUM = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find((program) => existsSync(program));
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
const isRequired = process.env['REQUIRE_BROWSER'] === '1' || process.env['REQUIRE_ALL'] === '1';
const canRun = isRequired || CHROMIUM !== undefined;
if (!canRun) process.stderr.write('Left out: tests in a browser; on Debian: apt-get install chromium-headless-shell\n');

/** A suite that needs a browser; skipped on machines without one. */
export const describeInBrowser = canRun ? describe : describe.skip;

/** How long each request of a page to the API waits at most: what a test does not wait for then shows. */
const LATE_MS = Number(process.env['LATE_MS'] ?? 0);

async function askLate(route: Route): Promise<void> {
  await setTimeout(Math.random() * LATE_MS);
  // A page that has gone on asks no longer.
  await route.continue().catch(() => undefined);
}

/** How long a page may take to answer before its browser is said to hang. */
const HANGS_AFTER_MS = 30_000;

/** Whether something ends within a time, well or not. */
const within = (ms: number, work: Promise<unknown>): Promise<boolean> =>
  Promise.race([
    work.then(
      () => true,
      () => true,
    ),
    setTimeout(ms, false, { ref: false }),
  ]);

/** Chromium with a fresh profile. What its pages should not have done is noted in `problems`. */
export class TestBrowser {
  readonly problems: string[] = [];

  private constructor(private readonly browser: Browser) {}

  static async launch(): Promise<TestBrowser> {
    return new TestBrowser(
      await chromium.launch({ executablePath: CHROMIUM ?? 'chromium', args: FLAGS, chromiumSandbox: false }),
    );
  }

  /** A page of its own profile. Every request of it has to stay with `origin`, and its console has to stay clean. */
  async open(origin: string, options: BrowserContextOptions = {}): Promise<Page> {
    const context = await this.browser.newContext({ baseURL: origin, reducedMotion: 'reduce', ...options });
    context.setDefaultTimeout(150_000);
    if (LATE_MS > 0) await context.route(/\/(?:admin\/api|mcp)\b/, askLate);
    await context.addInitScript({ content: KEEP_NOTICES });
    const page = await context.newPage();
    watchRequests(page);
    page.on('request', (request) => {
      if (!request.url().startsWith(`${origin}/`) && !/^(?:data|blob):/.test(request.url())) {
        this.problems.push(`request to ${request.url()}`);
      }
    });
    page.on('pageerror', (error) => this.problems.push(`error in ${page.url()}: ${error.message}`));
    page.on('console', (message) => {
      const { url } = message.location();
      // Chromium reports what the service refuses, such as to say who is logged in; that is no mistake of the page.
      const isRefusal =
        /^Failed to load resource: .* 4\d\d /.test(message.text()) && /\/(?:admin\/api|mcp)\b/.test(url);
      if (message.type() !== 'error' || isRefusal) return;
      this.problems.push(`console of ${page.url()}: ${message.text()} (${url})`);
    });
    return page;
  }

  /** Returns what is known of the browser where one of its pages answers nothing; null where all answer. */
  async reportHang(): Promise<string | null> {
    const pages = this.browser.contexts().flatMap((context) => context.pages());
    const answers = await Promise.all(pages.map((page) => within(HANGS_AFTER_MS, page.evaluate('1'))));
    const silent = pages.filter((page, index) => !page.isClosed() && !answers[index]);
    if (silent.length === 0) return null;
    const cdp = await this.browser.newBrowserCDPSession();
    const { processInfo } = await cdp.send('SystemInfo.getProcessInfo');
    await cdp.detach();
    const processes = processInfo.map(({ type, cpuTime }) => `${type} ${cpuTime.toFixed(1)} s of CPU`).join(', ');
    return `Chromium hangs at ${silent.map((page) => page.url()).join(', ')} (${processes})`;
  }

  async closePages(): Promise<void> {
    await Promise.all(this.browser.contexts().map((context) => context.close()));
  }

  close(): Promise<void> {
    return this.browser.close();
  }
}

/** Notes in a page what its notices say: they vanish after some seconds, which on a busy machine is too soon to look. */
const KEEP_NOTICES = `
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes)
      for (const node of addedNodes)
        if (node instanceof Element && node.closest('.mantine-Notifications-root'))
          document.documentElement.dataset.notices = (document.documentElement.dataset.notices ?? '') + node.textContent;
  }).observe(document, { childList: true, subtree: true });
`;

/** Waits until a notice has said a text, since the page was loaded. */
export async function told(page: Page, text: string): Promise<void> {
  await page.locator(`html[data-notices*=${JSON.stringify(text)}]`).waitFor({ state: 'attached' });
}

/** What each page waits for. */
const asked = new WeakMap<Page, Set<Request>>();

function watchRequests(page: Page): void {
  const requests = new Set<Request>();
  asked.set(page, requests);
  let document: Request | null = null; // null = the page before is left
  page.on('request', (request) => {
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) document = request;
    requests.add(request);
  });
  page.on('framenavigated', (frame) => {
    if (document === null || frame !== page.mainFrame()) return;
    // What the page before still waited for is of no interest, and need not end.
    for (const request of requests) if (request !== document) requests.delete(request);
    document = null;
  });
  page.on('requestfinished', (request) => requests.delete(request));
  page.on('requestfailed', (request) => requests.delete(request));
}

/** How often in a row a page asks for nothing before it is taken to be ready: what arrives may ask for more. */
const QUIET_LOOKS = 3;

/** Waits until a page has got all that it asks for, and shows it: like `networkidle`, without the half second. */
export async function settled(page: Page): Promise<void> {
  let quiet = 0;
  const isQuiet = async () => {
    await page.evaluate('new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next)))');
    quiet = asked.get(page)?.size === 0 ? quiet + 1 : 0;
    return quiet === QUIET_LOOKS;
  };
  await until(isQuiet).catch((error: unknown) => {
    const urls = [...(asked.get(page) ?? [])].map((request) => request.url());
    throw new Error(`the page ${page.url()} still waits for ${urls.join(', ')}`, { cause: error });
  });
}
