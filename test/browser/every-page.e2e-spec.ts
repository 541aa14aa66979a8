import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { FeedServer } from '../feeds/feed-server.js';
import { KEY, TestService } from '../support/service.js';
import { TestSkillsModule } from '../support/test-skills.module.js';
import { until } from '../support/until.js';
import { follow, heading, logIn, replaceText, setting } from './admin-pages.js';
import { openService } from './admin-suite.js';
import { describeInBrowser, settled, type TestBrowser } from './browser.js';
import { giveKeysAsATeamWould } from './demo-clients.js';
import { instructAsATeamWould } from './demo-packages.js';
import { decideAsATeamWould } from './demo-policies.js';
import { linkOfAProgram, signInAsATeamWould } from './demo-programs.js';
import { administerAsATeamWould, readAsATeamWould, rememberAsATeamWould, useAsATeamWould } from './demo-use.js';
import { connectAsATeamWould, REPORT, runAsATeamWould, writeWorkflows } from './demo-workflows.js';
import { Screenshots } from './screenshots.js';

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const SHOWN: readonly [name: string, path: string, title: string, shows?: 'tables'][] = [
  ['Overview', '/admin/', 'Overview', 'tables'],
  ['Connect', '/admin/connect', 'Connect'],
  ['Config locked', '/admin/config', 'Config'],
  ['Skills', '/admin/skills', 'Skills'],
  ['Skills of modules', '/admin/skills?source=module', 'Skills'],
  ['one skill', '/admin/skills/slowly', 'slowly'],
  ['Skill packages', '/admin/skill-packages', 'Skill packages', 'tables'],
  ['one skill package', '/admin/skill-packages/release-notes', 'release-notes', 'tables'],
  ['edited skill package', '/admin/skill-packages/release-notes/edit', 'Edit release-notes', 'tables'],
  ['new skill package', '/admin/skill-packages/new', 'New skill package'],
  ['Skill modules', '/admin/skill-modules', 'Skill modules', 'tables'],
  ['one skill module', '/admin/skill-modules/weather', 'weather'],
  ['Workflows', '/admin/workflows', 'Workflows', 'tables'],
  ['one workflow', '/admin/workflows/weekly_report', 'weekly_report', 'tables'],
  ['edited workflow', '/admin/workflows/weekly_report/edit', 'Edit weekly_report'],
  ['new workflow', '/admin/workflows/new', 'New workflow'],
  ['Runs', '/admin/runs', 'Runs', 'tables'],
  ['Webhooks', '/admin/webhooks', 'Webhooks', 'tables'],
  ['Secrets', '/admin/secrets', 'Secrets', 'tables'],
  ['Knowledge', '/admin/knowledge?q=deploy', 'Knowledge'],
  ['all documents', '/admin/knowledge', 'Knowledge'],
  ['new document', '/admin/knowledge/new', 'New document'],
  ['removed documents', '/admin/knowledge-trash', 'Removed documents', 'tables'],
  ['Memory', '/admin/memory', 'Memory', 'tables'],
  ['one entry', '/admin/memory/team/deploy-day', 'deploy-day'],
  ['nothing remembered', '/admin/memory?q=nothing+of+the+kind', 'Memory'],
  ['Feeds', '/admin/feeds', 'Feeds', 'tables'],
  ['one feed', '/admin/feeds/runtime-releases', 'Runtime releases'],
  ['items of feeds', '/admin/feed-items', 'Feed items'],
  ['Clients', '/admin/clients', 'Clients', 'tables'],
  ['one client', '/admin/clients/ada', 'ada', 'tables'],
  ['rotated client', '/admin/clients/deploy-bot', 'deploy-bot', 'tables'],
  ['Programs', '/admin/programs', 'Programs', 'tables'],
  ['Policies', '/admin/policies', 'Policies', 'tables'],
  ['one policy', '/admin/policies/memory-of-the-team', 'memory-of-the-team'],
  ['new policy', '/admin/policies/new', 'New policy'],
  ['Sessions', '/admin/sessions', 'Sessions', 'tables'],
  ['Audit', '/admin/audit', 'Audit', 'tables'],
  ['one audit entry', '/admin/audit/1', 'Entry 1'],
  ['Overview of a week', '/admin/?period=week', 'Overview', 'tables'],
  ['Accounts', '/admin/administrators', 'Accounts', 'tables'],
  ['one account', '/admin/administrators/admin', 'admin', 'tables'],
  ['Single sign-on', '/admin/single-sign-on', 'Single sign-on', 'tables'],
  ['your account', '/admin/account', 'Your account', 'tables'],
];
const WINDOWS = { desktop: { width: 1280, height: 800 }, phone: { width: 375, height: 812 } };
const WIDE = { width: 1440, height: 900 };
const TABLET = { width: 820, height: 1180 };

/** Words in table cells that are broken across lines. */
const TORN_WORDS = `[...document.querySelectorAll('th, td')].flatMap((cell) => {
  const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
  const torn = [];
  while (texts.nextNode()) {
    for (const { index, 0: word } of texts.currentNode.data.matchAll(/[\\p{L}\\p{M}\\p{N}]+/gu)) {
      const range = document.createRange();
      range.setStart(texts.currentNode, index);
      range.setEnd(texts.currentNode, index + word.length);
      const lines = new Set([...range.getClientRects()].filter(({ width }) => width > 0).map(({ top }) => Math.round(top)));
      if (lines.size > 1) torn.push(word);
    }
  }
  return torn;
})`;

// Checks accessibility and layout of every page, and takes screenshots.
describeInBrowser('every page', () => {
  let browser: TestBrowser;
  let service: TestService;
  let publisher: FeedServer;
  let page: Page;
  let screenshots: Screenshots;
  let axe: string;

  let isLoggedIn = false;

  openService(
    async (opened) => {
      ({ browser, service, page } = opened);
      await page.setViewportSize(WINDOWS.desktop);
      if (isLoggedIn) await logIn(page);
    },
    { imports: [TestSkillsModule], signsIn: true },
  );
  beforeAll(async () => {
    [screenshots, axe] = await Promise.all([Screenshots.create(), readFile(AXE, 'utf8')]);
    publisher = await FeedServer.start();
    await useAsATeamWould(service);
    await rememberAsATeamWould(service);
    await readAsATeamWould(service, publisher);
    await instructAsATeamWould(service);
    await writeWorkflows(service);
    await connectAsATeamWould(service);
    await runAsATeamWould(service);
    await administerAsATeamWould(service);
    await giveKeysAsATeamWould(service);
    await decideAsATeamWould(service);
    await signInAsATeamWould(service);
  });
  afterAll(() => publisher.stop());

  /** Returns the violations of axe's accessibility rules. */
  const barriers = async (about: 'all' | 'colors' | 'all but colors') => {
    if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(axe);
    // Passes are only counted: collecting their elements takes most of the time.
    const options = {
      resultTypes: ['violations'],
      preload: false,
      ...(about === 'colors' && { runOnly: ['color-contrast'] }),
      ...(about === 'all but colors' && { rules: { 'color-contrast': { enabled: false } } }),
    };
    const { violations } = await page.evaluate<AxeResults>(`axe.run(${JSON.stringify(options)})`);
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`);
  };
  const isTooWide = () => page.evaluate<boolean>('document.documentElement.scrollWidth > window.innerWidth');

  /** Switches between light and dark, and waits until color transitions have ended: axe would measure wrong colors. */
  const show = async (colorScheme: 'light' | 'dark') => {
    await page.emulateMedia({ colorScheme });
    await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor({ state: 'attached' });
    // Transitions start in the next frame.
    await page.evaluate('new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next)))');
    await until(() =>
      page.evaluate<boolean>('document.getAnimations().every((one) => !(one instanceof CSSTransition))'),
    );
  };

  /** Returns the words that tables break on a usual screen. */
  const tornWords = async () => {
    await page.setViewportSize(WIDE);
    await page.getByRole('table').first().waitFor();
    await settled(page);
    const words = await page.evaluate<string[]>(TORN_WORDS);
    await page.setViewportSize(WINDOWS.desktop);
    return words;
  };

  const look = async (name: string) => {
    for (const [device, viewport] of Object.entries(WINDOWS)) {
      // A phone shows other elements and layouts, but the same colors: only the frame around each page has colors of its own.
      const hasOwnColors = device === 'desktop' || name === 'Overview';
      await page.setViewportSize(viewport);
      await show('light');
      await screenshots.take(page, name, device, 'light');
      expect(await barriers(hasOwnColors ? 'all' : 'all but colors')).toEqual([]);
      expect(await isTooWide()).toBe(false);
      if (!hasOwnColors) continue;
      // The dark page differs only in its colors, so they are all that is checked.
      await show('dark');
      await screenshots.take(page, name, device, 'dark');
      expect(await barriers('colors')).toEqual([]);
      await show('light');
    }
    await page.setViewportSize(TABLET);
    expect(await isTooWide()).toBe(false);
    await page.setViewportSize(WINDOWS.desktop);
  };

  it('the login page is for everybody', async () => {
    await page.goto('/admin'); // as the first start prints it
    await page.getByRole('button', { name: 'Log in' }).waitFor();
    await look('Login');
    await logIn(page);
    isLoggedIn = true;
  });

  it.each(SHOWN.map((row) => [row[0], row] as const))('the page %s is for everybody', async (_name, row) => {
    const [name, path, title, shows] = row;
    await follow(page, path);
    await heading(page, title).waitFor();
    await settled(page);
    await look(name);
    if (shows) expect(await tornWords()).toEqual([]);
  });

  it('a question, a running skill, its result and a failed test are, too', async () => {
    await page.goto('/admin/skills/slowly');
    await page.getByLabel('steps').fill('3');
    await page.getByLabel('stepMs').fill('1');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByRole('region', { name: 'Result', exact: true }).getByText('3 steps, slowly').waitFor();
    await look('Skill result');

    await page.goto('/admin/connect');
    await page.getByRole('textbox', { name: 'API key' }).fill(KEY);
    await page.getByRole('button', { name: 'Run test' }).click();
    await page.getByText('OK', { exact: true }).nth(5).waitFor();
    await look('Test');
    await page.getByRole('textbox', { name: 'API key' }).fill('not-the-key');
    await page.getByRole('button', { name: 'Run test' }).click();
    await page
      .getByText(/Invalid API key/)
      .first()
      .waitFor();
    await look('Failed test');

    await page.goto('/admin/sessions');
    await page
      .getByRole('button', { name: /^End session/ })
      .first()
      .click();
    await page.getByRole('dialog').waitFor();
    await look('Question');
  });

  it('an item of a feed is, too', async () => {
    await page.goto('/admin/feed-items?feed=runtime-releases&q=security');
    await page.getByRole('link', { name: 'Security release 26.9.1', exact: true }).click();
    await heading(page, 'Security release 26.9.1').waitFor();
    await page.getByRole('group', { name: 'Content' }).waitFor();
    await look('Feed item');
  });

  it('chosen documents and suggested tags are, too', async () => {
    await page.goto('/admin/knowledge');
    await page.getByLabel('Choose Deploying to production', { exact: true }).check();
    const tags = page.getByRole('combobox', { name: 'Tags to add or remove' });
    await tags.fill('o');
    await page.getByRole('option', { name: 'ops' }).waitFor();
    await look('Chosen documents');
    await tags.fill('');
  });

  it('a document, and a refused feed are, too', async () => {
    await page.goto('/admin/knowledge');
    await page.getByRole('link', { name: 'Deploying to production', exact: true }).click();
    await heading(page, 'Deploying to production').waitFor();
    await page.getByText(/We deploy/).waitFor();
    await look('Document');
    await page.goto('/admin/memory/new');
    await page.getByLabel('Key').waitFor();
    await look('New entry');
    await page.goto('/admin/feeds');
    await page.getByLabel('Address of a feed').fill('http://10.0.0.1/');
    await page.getByRole('button', { name: 'Add feed' }).click();
    await page.getByText(/http\.allowed_hosts/).waitFor();
    await look('Refused feed');
  });

  it('a run with a question, a step of it, and a definition with mistakes are, too', async () => {
    await page.goto('/admin/runs?state=asking');
    await page.getByRole('link', { name: 'weekly_report' }).first().click();
    await page.getByRole('region', { name: 'Diagram' }).locator('.node.asking').waitFor();
    await look('Run');
    await page.getByRole('list', { name: 'Steps' }).getByRole('button').first().click();
    await page.getByText('Run again from here').waitFor();
    await look('Step');
    await page.goto('/admin/workflows/weekly_report/edit');
    await replaceText(page.getByRole('textbox', { name: 'Definition, YAML' }), REPORT.replace('call:', 'cal:'));
    await page.locator('.cm-lint-marker-error').first().waitFor();
    await page
      .getByRole('button', { name: /^Line / })
      .first()
      .click();
    await page.keyboard.press('Control+Space');
    await look('Mistake');
    await page.getByRole('link', { name: 'Cancel' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click();
  });

  it('a policy with a mistake, a refusal and a dry run are, too', async () => {
    await page.goto('/admin/policies/robots-read-only');
    const test = page.getByRole('region', { name: 'Test', exact: true });
    await test.getByLabel('Client').fill('deploy-bot');
    await page.keyboard.press('Escape');
    await test.getByLabel('Tool').fill('memory_save');
    await page.keyboard.press('Escape');
    await test.getByLabel('namespace').waitFor();
    await test.getByRole('button', { name: 'Test', exact: true }).click();
    await test.getByText('Refused', { exact: true }).waitFor();
    await look('Refusal');
    const text = page.getByRole('textbox', { name: 'Policy, Cedar' });
    await text.fill('forbid (principal, action, resource);');
    await page.getByRole('button', { name: 'Run with this text' }).click();
    await page.getByRole('table', { name: 'Calls decided differently' }).waitFor();
    await look('Dry run');
    await text.fill('@advise("No.")\nforbid (principal in Group::"robot", action, resource)\nwhen { resource.read };');
    await page.locator('.cm-lint-marker-error').first().waitFor();
    await look('Policy with a mistake');
    await page.getByRole('button', { name: 'Discard changes' }).click();
  });

  it('the question whether a program may act for somebody is, too', async () => {
    await page.goto(await linkOfAProgram(service));
    await page.getByRole('button', { name: 'Allow', exact: true }).waitFor();
    await look('Sign-in');
    await page.locator('summary').press('Enter');
    await look('Tools of a sign-in');
    await page.goto('/admin/sign-in/nothing');
    await heading(page, 'This sign-in is over').waitFor();
    await look('Sign-in over');
    await page.goto('/admin/connect');
    await page.getByText('Sign in', { exact: true }).click();
    await page.getByRole('tab', { name: 'ChatGPT' }).click();
    await look('Connect by signing in');
    await page.getByRole('button', { name: 'Test the sign-in' }).click();
    await page.getByRole('button', { name: 'Allow', exact: true }).click();
    await page.getByText('People can sign in', { exact: true }).waitFor();
    await look('Test of the sign-in');
  });

  it('a page that does not exist is, too', async () => {
    await page.goto('/admin/nothing/here');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await look('Not found');
  });

  it('a service without a key is, too, and says what to do', async () => {
    const unconfigured = await TestService.start({ env: { MCP_API_KEY: '', OAUTH_ENABLED: 'off' } });
    try {
      await page.context().close();
      page = await browser.open(unconfigured.origin, { colorScheme: 'light', viewport: WINDOWS.desktop });
      await logIn(page);
      await page.getByText('MCP is unconfigured').waitFor();
      await look('Unconfigured');
      await page.goto('/admin/config');
      await setting(page, 'mcp.api_key').getByText('Not set', { exact: true }).waitFor();
      await look('Config unset');
      await unconfigured.admin('PUT', 'config/mcp.api_key', { value: KEY });
      await unconfigured.admin('PUT', 'config/mcp.tool_timeout_ms', { value: 60_000 });
      await page.reload();
      await page.getByText('Changed', { exact: true }).waitFor();
      await look('Config');
      await page.context().close();
    } finally {
      await unconfigured.stop();
    }
  });
});
