import type { Page, Response } from 'playwright-core';
import { RunsService } from '../../../src/features/workflows/runs/runs.service.js';
import { ADMIN_CLIENT } from '../../../src/access/audit/audit-entry.js';
import type { NewRun, Run } from '../../../src/features/workflows/runs/run.js';
import type { TestService } from '../../support/service.js';
import { until } from '../../support/until.js';
import { button, dialog, heading, holdRequests, link, navigation } from '../admin-pages.js';
import { openAdmin } from '../admin-suite.js';
import { told } from '../browser.js';
import { writeWorkflows } from '../demo-workflows.js';

const OFTEN = `
document: { dsl: 1.0.3, namespace: test, name: often, version: 1.0.0, summary: Waits often. }
do:
  - all:
      for: { each: number, in: '[range(0; 150)]' }
      do:
        - rest: { wait: { milliseconds: 0 } }
`;

export function runsPage(): void {
  let service: TestService;
  let page: Page;

  openAdmin('/admin/runs', (opened) => ({ service, page } = opened));
  beforeAll(() => writeWorkflows(service));

  const start = (name: string, input: NewRun['input'], change: Partial<NewRun> = {}): Promise<Run> =>
    service.app.get(RunsService, { strict: false }).start({
      program: 'workflow',
      name,
      version: '1.0.0',
      input,
      origin: 'call',
      client: ADMIN_CLIENT,
      idempotencyKey: null,
      isTest: false,
      ...change,
    });
  const region = (name: string) => page.getByRole('region', { name, exact: true });
  const step = (name: RegExp) => page.getByRole('list', { name: 'Steps' }).getByRole('button', { name });
  const open = async (id: string) => {
    await page.goto(`/admin/runs/${id}`);
    await heading(page, 'Run of weekly_report').or(heading(page, 'Run of check_number')).waitFor();
  };
  const statusOf = async (id: string) => (await service.admin('GET', `runs/${id}`)).body['status'];

  it('says that there are none, and lists runs as they begin', async () => {
    await page.getByText('No runs yet').waitFor();
    await start('weekly_report', { week: 7 });
    await link(page, 'weekly_report').waitFor();
    await page.getByRole('cell').getByText('Waits for an answer', { exact: true }).waitFor();
  });

  it('shows a hundred of the steps of a long run at once, the latest first', async () => {
    await service.admin('POST', 'workflows', { definition: OFTEN });
    const { id } = await start('often', null);
    await until(async () => (await statusOf(id)) === 'completed');
    await page.goto(`/admin/runs/${id}`);
    await step(/iteration 149/).waitFor();
    expect(await step(/^rest/).count()).toBe(100);
    await button(page, 'Show earlier steps').click();
    await step(/iteration 0\b/).waitFor();
    expect(await step(/^rest/).count()).toBe(150);
    await button(page, 'Show earlier steps').waitFor({ state: 'detached' });
  });

  it('follows a run, shows what it asks, and takes the answer', async () => {
    const { id } = await start('weekly_report', { week: 8 });
    await open(id);
    await region('This run waits for an answer').getByText('May the report be published?').waitFor();
    await step(/^publish/)
      .getByText('Waits for an answer')
      .waitFor();
    // The diagram shows which tasks are completed, and which one waits.
    await region('Diagram').locator('.node.asking').waitFor();
    expect(await region('Diagram').locator('.node.completed').count()).toBeGreaterThan(2);

    await page.getByText('Still missing: Why').waitFor();
    await page.getByLabel('Why').fill('No');
    await page.getByText('Enter at least 5 characters.').waitFor();
    expect(await button(page, 'Send the answer').isDisabled()).toBe(true);
    await page.getByLabel('Why').fill('It is right.');
    await link(page, 'All runs').click();
    await button(page, 'Stay').click();
    const [answeredAt, looksAt] = [new Map<Response, number>(), [] as number[]];
    page.on('response', (answer) => answeredAt.set(answer, performance.now()));
    page.on('request', (request) => void (/\/steps\b/.test(request.url()) && looksAt.push(performance.now())));
    const end = page.waitForResponse(
      async (answer) =>
        answer.url().endsWith(`/runs/${id}`) && ((await answer.json()) as { endedAt: unknown }).endedAt !== null,
    );
    await button(page, 'Send the answer').click();
    const endedAt = answeredAt.get(await end) ?? Infinity;
    await until(() => looksAt.some((at) => at > endedAt)); // for the last steps
    await region('Output').getByText('Week done').waitFor();
    await region('Output')
      .getByText(/It is right\./)
      .waitFor();
    await region('Diagram').locator('.node.asking').waitFor({ state: 'detached' });
  });

  it('explains why a run that has ended without a step has none', async () => {
    const definition = `document: { dsl: 1.0.3, namespace: test, name: greeting, version: 1.0.0, summary: Greets. }
do: [{ greet: { set: { text: Hello } } }]`;
    await service.admin('POST', 'workflows', { definition });
    const { id } = await start('greeting', {});
    await until(async () => (await statusOf(id)) === 'completed');
    await page.goto(`/admin/runs/${id}`);
    await region('Steps').getByText('No steps', { exact: true }).waitFor();
    await service.admin('DELETE', 'workflows/greeting');
  });

  describe('a call that a person must confirm', () => {
    const POLICY = `@require_approval("May this be remembered?")
      permit(principal, action == Action::"callTool", resource == Tool::"memory_save");`;
    beforeAll(() => service.admin('POST', 'policies', { name: 'ask-first', policy: POLICY }));
    afterAll(() => service.admin('DELETE', 'policies/ask-first'));

    const asked = async (key: string) => {
      await service.postStateless('tools/call', { name: 'memory_save', arguments: { key, content: 'remembered' } });
      return page.getByRole('list', { name: 'Questions' }).getByRole('listitem').filter({ hasText: key });
    };
    const savedKeys = async () =>
      ((await service.admin('GET', 'memory')).body['items'] as { key: string }[]).map(({ key }) => key);

    it('is noticed from another page, and made in two clicks', async () => {
      await page.goto('/admin/skills');
      const question = await asked('noticed');
      await until(async () => /^\(\d+\) Skills/.test(await page.title()));
      await navigation(page)
        .getByLabel(/^\d+ waiting for an answer$/)
        .click();
      await question.getByText('May this be remembered?').waitFor();
      const release = await holdRequests(page, 'GET', /\/admin\/api\/runs\?/);
      await question.getByRole('button', { name: 'Approve' }).click();
      await question.waitFor({ state: 'detached' });
      await release();
      await told(page, 'The run continues.');
      await until(async () => (await savedKeys()).includes('noticed'));
    });

    it('is declined on a phone, from the start page', async () => {
      await page.setViewportSize({ width: 375, height: 812 });
      const question = await asked('declined');
      await page.goto('/admin/');
      await question.getByText(/default calls memory_save/).waitFor();
      expect(await page.evaluate<boolean>('document.documentElement.scrollWidth > window.innerWidth')).toBe(false);
      await question.getByRole('button', { name: 'Decline' }).click();
      await question.waitFor({ state: 'detached' });
      expect(await savedKeys()).not.toContain('declined');
      await page.setViewportSize({ width: 1280, height: 800 });
    });
  });

  it('cancels a run, after a question', async () => {
    const { id } = await start('weekly_report', { week: 9 });
    await open(id);
    await button(page, 'Cancel run').click();
    await dialog(page).getByRole('button', { name: 'Cancel run' }).click();
    await page.getByText('Cancelled', { exact: true }).first().waitFor();
    expect(await statusOf(id)).toBe('cancelled');
  });

  it('shows why a run failed and what its steps did, and runs again from a step with another input', async () => {
    const { id } = await start('check_number', { number: 5, key: 'not a key!' });
    await until(async () => (await statusOf(id)) === 'failed');
    await open(id);
    await page.getByRole('alert').first().waitFor();
    await region('Diagram').locator('.node.failed').waitFor();
    await step(/^save/).click();
    await region('Step save').getByText('/do/1/save').first().waitFor();
    const input = region('Step save').getByLabel('Run again with this input');
    expect(JSON.parse(await input.inputValue())).toMatchObject({ key: 'not a key!' });
    await input.fill('{ "key": ');
    await region('Step save')
      .getByText(/not valid JSON/)
      .waitFor();
    expect(await button(page, 'Run again from here').isDisabled()).toBe(true);
    await input.fill('{ "key": "good", "content": "Checked" }');
    await button(page, 'Run again from here').click();
    await page.waitForURL((url) => !url.pathname.endsWith(id));
    await page.getByText('Completed', { exact: true }).first().waitFor();
    await page.getByText(/A repetition of another run/).waitFor();
  });

  it('filters, and keeps the filter in the address', async () => {
    await page.goto('/admin/runs');
    await link(page, 'weekly_report').first().waitFor();
    await page.getByLabel('State').selectOption('failed');
    await link(page, 'weekly_report').first().waitFor({ state: 'detached' });
    await link(page, 'check_number').waitFor();
    await page.getByLabel('Workflow').fill('weekly_report');
    await page.getByText('No run found').waitFor();
    await page.reload();
    await page.getByText('No run found').waitFor();
    expect(await page.getByLabel('State').inputValue()).toBe('failed');
  });

  it('runs all of a filter again, after it has said how many', async () => {
    await page.goto('/admin/runs?state=failed');
    await link(page, 'check_number').waitFor();
    await button(page, 'Run all of these again').click();
    await dialog(page).getByText('1 new run will start').waitFor();
    await dialog(page).getByText('failed runs').waitFor();
    await dialog(page).getByRole('button', { name: 'Run 1 run again' }).click();
    await page.getByText('1 run started.').waitFor();
    await until(async () => (await page.getByRole('link', { name: 'check_number' }).count()) === 2);
  });

  it('shows each state in full beside a long error', async () => {
    const { id } = await start('check_number', { number: 5, key: `not a key! ${'and on '.repeat(40)}` });
    await until(async () => (await statusOf(id)) === 'failed');
    await page.goto('/admin/runs');
    await page.getByRole('cell').getByText('Failed', { exact: true }).first().waitFor();
    const cut = `[...document.querySelectorAll('td .mantine-Badge-label')]
      .filter((label) => label.scrollWidth > label.clientWidth).map((label) => label.textContent)`;
    expect(await page.evaluate<string[]>(cut)).toEqual([]);
  });

  it('is where a trial of a workflow leads that does not end at once', async () => {
    await page.goto('/admin/skills/weekly_report');
    await page.getByRole('textbox', { name: 'Week' }).fill('10');
    await button(page, 'Run').click();
    await region('Result').getByText('Continues as a run').waitFor();
    await link(page, 'Open the run').click();
    await region('This run waits for an answer').waitFor();
  });

  it('offers no repetition of a trial, which would have other permissions', async () => {
    const trial = { isTest: true, client: { name: 'default', groups: [] } };
    const [{ id: tried }, { id: run }] = [await start('often', null, trial), await start('often', null)];
    const look = async (id: string) => {
      await until(async () => (await statusOf(id)) === 'completed');
      await page.goto(`/admin/runs/${id}`);
      await step(/iteration 149/)
        .first()
        .click();
      await region('Step rest').getByText('Input', { exact: true }).first().waitFor();
      return page.getByRole('button', { name: /^(Run again|Run again from here)$/ }).count();
    };
    expect([await look(tried), await look(run)]).toEqual([0, 2]);
  });

  it('runs again by the current version, from a step or from the start', async () => {
    const { id } = await start('check_number', { number: 5, key: 'not a key, either!' });
    await until(async () => (await statusOf(id)) === 'failed');
    await open(id);
    expect(await page.getByRole('button', { name: /with version/ }).count()).toBe(0);
    const { definition } = (await service.admin('GET', 'workflows/check_number')).body as { definition?: string };
    const saved = { definition: definition?.replace('version: 1.0.0', 'version: 1.0.1') };
    expect((await service.admin('PUT', 'workflows/check_number', saved)).status).toBe(200);
    await page.reload();
    await button(page, 'Run again with version 1.0.1').waitFor();
    await step(/^save/).click();
    await region('Step save').getByLabel('Run again with this input').fill('{ "key": "better", "content": "Checked" }');
    await button(page, 'From here with version 1.0.1').click();
    await page.waitForURL((url) => !url.pathname.endsWith(id));
    await page.getByText('Completed', { exact: true }).first().waitFor();
    await page.getByText('check_number 1.0.1').first().waitFor();
  });
}
