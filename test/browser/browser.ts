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

/** The headless shell has no windows, and takes half the time; either works. */
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
  // A page is left before it has run often enough for optimized code to pay.
  '--js-flags=--no-opt --no-maglev',
];
const isRequired = process.env['REQUIRE_BROWSER'] === '1' || process.env['REQUIRE_ALL'] === '1';
const canRun = isRequired || CHROMIUM !== undefined;
if (!canRun) process.stderr.write('Left out: tests in a browser; on Debian: apt-get install chromium-headless-shell\n');

/** A suite that needs a browser; skipped on machines without one. */
export const describeInBrowser = canRun ? describe : describe.skip;

/** Upper limit of the random delay of each API request of a page: reveals tests that do not wait. */
const LATE_MS = Number(process.env['LATE_MS'] ?? 0);

async function askLate(route: Route): Promise<void> {
  await setTimeout(Math.random() * LATE_MS);
  // The page may have been left and its request aborted.
  await route.continue().catch(() => undefined);
}

/** A browser whose page does not respond within this time counts as hung. */
const HANGS_AFTER_MS = 30_000;

/** Resolves to true if `work` settles within the time. */
const within = (ms: number, work: Promise<unknown>): Promise<boolean> =>
  Promise.race([
    work.then(
      () => true,
      () => true,
    ),
    setTimeout(ms, false, { ref: false }),
  ]);

/** Chromium with a fresh profile. Forbidden requests and console messages of its pages are collected in `problems`. */
export class TestBrowser {
  readonly problems: string[] = [];

  private constructor(private readonly browser: Browser) {}

  static async launch(): Promise<TestBrowser> {
    return new TestBrowser(
      await chromium.launch({ executablePath: CHROMIUM ?? 'chromium', args: FLAGS, chromiumSandbox: false }),
    );
  }

  /** Opens a page in a new profile. Its requests must stay on `origin`, and its console must stay clean. */
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
      // Chromium logs every 4xx response, such as that to the session query; that is no bug of the page.
      const isRefusal =
        /^Failed to load resource: .* 4\d\d /.test(message.text()) && /\/(?:admin\/api|mcp)\b/.test(url);
      if (message.type() !== 'error' || isRefusal) return;
      this.problems.push(`console of ${page.url()}: ${message.text()} (${url})`);
    });
    return page;
  }

  /** Returns diagnostics of the browser if one of its pages does not respond; null if all respond. */
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

/** Records the notices of a page: they vanish after some seconds, which is too soon for a test on a busy machine. */
const KEEP_NOTICES = `
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes)
      for (const node of addedNodes)
        if (node instanceof Element && node.closest('.mantine-Notifications-root'))
          document.documentElement.dataset.notices = (document.documentElement.dataset.notices ?? '') + node.textContent;
  }).observe(document, { childList: true, subtree: true });
`;

/** Waits until a notice with this text has appeared since the page was loaded. */
export async function told(page: Page, text: string): Promise<void> {
  await page.locator(`html[data-notices*=${JSON.stringify(text)}]`).waitFor({ state: 'attached' });
}

/** The pending requests of each page. */
const asked = new WeakMap<Page, Set<Request>>();

function watchRequests(page: Page): void {
  const requests = new Set<Request>();
  asked.set(page, requests);
  let document: Request | null = null; // null = the previous document has been left
  page.on('request', (request) => {
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) document = request;
    requests.add(request);
  });
  page.on('framenavigated', (frame) => {
    if (document === null || frame !== page.mainFrame()) return;
    // Pending requests of the previous document do not matter, and may never finish.
    for (const request of requests) if (request !== document) requests.delete(request);
    document = null;
  });
  page.on('requestfinished', (request) => requests.delete(request));
  page.on('requestfailed', (request) => requests.delete(request));
}

/** Number of checks in a row without pending requests before a page counts as ready: a response may trigger more requests. */
const QUIET_LOOKS = 3;

/** Waits until a page has loaded and rendered everything: like `networkidle`, without its half second. */
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
