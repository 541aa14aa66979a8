import type { Page } from 'playwright-core';
import { type TestService } from '../../support/service.js';
import { until } from '../../support/until.js';
import { asksBeforeClosing, button, dialog, heading, link, replaceText } from '../admin-pages.js';
import { openAdmin } from '../admin-suite.js';
import { REPORT, writeWorkflows } from '../demo-workflows.js';

/** Greets after somebody has agreed. The greeting task contains an error. */
const GREETING = `document:
  dsl: 1.0.3
  namespace: team
  name: greet_politely
  version: 1.0.0
  summary: Use this to greet somebody, when a person agrees.
input:
  schema:
    document:
      type: object
      properties:
        name: { type: string, title: Name }
      required: [name]
do:
  - agree:
      listen:
        to:
          one:
            with: { type: person.answered }
      metadata:
        question:
          message: May I greet?
          schema: { type: object, properties: {} }
      timeout: { after: { days: 1 } }
      output: { as: $input }
  - greet:
      sett:
        greeting: \${ "Hello, " + .name }
`;

export function workflowsPage(): void {
  let service: TestService;
  let page: Page;

  openAdmin('/admin/workflows', (opened) => ({ service, page } = opened), { env: { WORKFLOWS_DIR: './no-workflows' } });

  const region = (name: string) => page.getByRole('region', { name, exact: true });
  const editor = () => page.getByRole('textbox', { name: 'Definition, YAML' });
  const connect = async () => {
    const client = await service.connect();
    return client;
  };

  it('goes the whole way: a mistake at its line, mended, saved, called by an assistant, approved, read', async () => {
    await page.getByText('No workflows yet').waitFor();
    await link(page, 'New workflow').click();
    await heading(page, 'New workflow').waitFor();
    await replaceText(editor(), GREETING);
    // The error is marked at its line, listed with its path, and blocks saving.
    const line = GREETING.slice(0, GREETING.indexOf('sett:')).split('\n').length;
    await page.getByRole('button', { name: new RegExp(`^Line ${line}, /do/1/greet`) }).waitFor();
    await page.locator('.cm-lint-marker-error').first().waitFor();
    expect(await button(page, 'Save').isDisabled()).toBe(true);
    await page
      .getByRole('button', { name: new RegExp(`^Line ${line}, `) })
      .first()
      .click();
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Backspace');
    await page.locator('.cm-lint-marker-error').waitFor({ state: 'detached' });
    await region('Diagram').locator('svg').getByText(/greet/).first().waitFor();
    await button(page, 'Save').click();
    await heading(page, 'greet_politely').waitFor();

    const client = await connect();
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('greet_politely');
    const calling = client.callTool({ name: 'greet_politely', arguments: { name: 'Ada' } });
    await link(page, 'Runs').last().click();
    await link(page, 'greet_politely').click();
    await region('This run waits for an answer').getByText('May I greet?').waitFor();
    await button(page, 'Approve').click();
    await region('Output').getByText('Hello, Ada').waitFor();
    expect(JSON.stringify(await client.callTool({ name: 'run_list', arguments: {} }))).toContain('completed');
    await calling;
    await client.close();
  });

  it('starts a workflow with a form made from its schema', async () => {
    await writeWorkflows(service);
    const fill = async (week: string) => {
      await page.goto('/admin/workflows/weekly_report');
      await heading(page, 'weekly_report').waitFor();
      await page.getByRole('textbox', { name: 'Week' }).fill(week);
    };
    await fill('99');
    await page.getByText('Enter a whole number from 1 to 53.').waitFor();
    expect(await button(page, 'Start').isDisabled()).toBe(true);
    await fill('12');
    await button(page, 'Start').click();
    await heading(page, 'Run of weekly_report').waitFor();
    await region('Input').getByText('12').waitFor();
    await region('This run waits for an answer').waitFor();
  });

  it('tries a workflow that events start with an event, which it proposes', async () => {
    const definition = `document: { dsl: 1.0.3, namespace: test, name: heard, version: 1.0.0, summary: Hears. }
schedule: { on: { one: { with: { type: document.saved } } } }
do: [{ say: { set: { title: '\${ .[0].title }' } } }]`;
    await service.admin('POST', 'workflows', { definition });
    await page.goto('/admin/workflows/heard');
    const trial = region('Try it with an event');
    await trial.getByText('no other workflow receives it').waitFor();
    expect(await trial.getByRole('textbox', { name: 'type' }).inputValue()).toBe('document.saved');
    await trial.getByRole('textbox', { name: 'type' }).fill('memory.saved');
    await button(page, 'Start').click();
    await trial.getByText(/does not start the workflow/).waitFor();
    await trial.getByRole('textbox', { name: 'type' }).fill('document.saved');
    await button(page, 'Start').click();
    await heading(page, 'Run of heard').waitFor();
    await region('Output').getByText('Deploying').waitFor();
  });

  /** Requests completions until one is offered: the schema may not be loaded yet, and each key stroke restarts the completion. */
  const offered = (wanted: string) => {
    const option = page.getByRole('listbox').getByRole('option').filter({ hasText: wanted }).first();
    return until(async () => {
      await page.keyboard.press('Control+Space');
      return option.waitFor({ timeout: 5_000 }).then(
        () => true,
        () => false,
      );
    });
  };

  it('completes keys and values by the schema of workflows', async () => {
    await page.goto('/admin/workflows/new');
    await replaceText(editor(), 'document:\n  ');
    const options = page.getByRole('listbox').getByRole('option');
    await offered('namespace');
    await page.keyboard.type('namesp');
    await until(async () => (await options.count()) === 1);
    // A click, not Enter: Enter inserts a newline for the first 75 ms, and while completions are being updated.
    await options.first().click();
    await until(async () => (await editor().innerText()).includes('namespace: '));
    await page.goto('/admin/workflows');
    await heading(page, 'Workflows').waitFor();
  });

  it('completes what may be called, and the arguments that it takes', async () => {
    await page.goto('/admin/workflows/new');
    const options = page.getByRole('listbox').getByRole('option');
    const complete = async (text: string, wanted: string) => {
      await replaceText(editor(), text);
      await offered(wanted);
      return options.allTextContents();
    };
    const called = await complete('do:\n  - keep:\n      call: ', 'memory_save');
    expect(called).toEqual(expect.arrayContaining(['http', 'memory_save', 'knowledge_search']));
    const keys = await complete('do:\n  - keep:\n      call: memory_save\n      with:\n        ', 'content');
    expect(keys).toEqual(expect.arrayContaining(['contentrequired', 'tags']));
    expect(keys.join()).not.toContain('endpoint');
    await page.goto('/admin/workflows');
    await heading(page, 'Workflows').waitFor();
  });

  it('saves a version, compares it with the one before, and goes back to that', async () => {
    await page.goto('/admin/workflows/weekly_report/edit');
    await heading(page, 'Edit weekly_report').waitFor();
    await editor().waitFor();
    expect(await button(page, 'Save').isDisabled()).toBe(true);
    await replaceText(
      editor(),
      REPORT.replace('version: 1.0.0', 'version: 1.1.0').replace('Week done', 'The week is over'),
    );
    await page.getByRole('button', { name: 'Save' }).and(page.locator(':enabled')).click();
    await heading(page, 'weekly_report').waitFor();
    await page
      .getByRole('row', { name: /1\.1\.0/ })
      .getByText('Current')
      .waitFor();
    await button(page, 'Compare 1.0.0 with the current version').click();
    const changes = page.getByRole('textbox', { name: 'Changes from 1.0.0 to 1.1.0' });
    await changes.getByText('The week is over').waitFor();
    await changes.getByText('Week done').waitFor();
    await button(page, 'Make 1.0.0 the current version').click();
    await page
      .getByRole('row', { name: /1\.0\.0/ })
      .getByText('Current')
      .waitFor();
  });

  it('offers the next version when a version that has run gets another text', async () => {
    await page.goto('/admin/workflows/weekly_report/edit');
    await editor().waitFor();
    await replaceText(editor(), REPORT.replace('Week done', 'Something else'));
    await page.getByRole('button', { name: 'Save' }).and(page.locator(':enabled')).click();
    await page
      .getByRole('alert')
      .getByText(/version/)
      .waitFor();
    await page.getByRole('button', { name: /^Make it version \d+\.\d+\.\d+$/ }).click();
    await page.getByRole('button', { name: 'Save' }).and(page.locator(':enabled')).click();
    await heading(page, 'weekly_report').waitFor();
  });

  it('asks before unsaved changes are lost', async () => {
    const tab = await page.context().newPage();
    await tab.goto('/admin/workflows/weekly_report/edit');
    await replaceText(tab.getByRole('textbox', { name: 'Definition, YAML' }), 'nothing: yet\n');
    await link(tab, 'Cancel').click();
    await dialog(tab).getByRole('button', { name: 'Stay' }).click();
    expect(await asksBeforeClosing(tab)).toBe(true);
    await tab.close();
  });

  it('takes a disabled workflow away from clients, tests a task alone, and deletes', async () => {
    const client = await connect();
    const names = async () => (await client.listTools()).tools.map(({ name }) => name);
    await page.goto('/admin/workflows');
    // A switch is disabled while its change is being saved.
    const enabled = page.getByRole('switch', { name: 'Enabled: check_number' }).and(page.locator(':enabled'));
    await enabled.click({ force: true });
    await until(async () => !(await names()).includes('check_number'));
    await enabled.click({ force: true });
    await until(async () => (await names()).includes('check_number'));
    await client.close();

    await link(page, 'check_number').click();
    await page.getByText('JSON', { exact: true }).first().click();
    await page.getByRole('textbox', { name: 'Arguments' }).fill('{ "number": 5, "key": "five" }');
    await button(page, 'Start').click();
    await heading(page, 'Run of check_number').waitFor();
    await page.getByRole('list', { name: 'Steps' }).getByRole('button', { name: /^save/ }).click();
    await button(page, 'Test this task alone').click();
    await page.getByText('Test', { exact: true }).waitFor();
    await page.getByText('Completed', { exact: true }).first().waitFor();
    expect(await page.getByRole('list', { name: 'Steps' }).getByRole('listitem').count()).toBe(1);

    await page.goto('/admin/workflows/check_number');
    await button(page, 'Delete').click();
    await dialog(page).getByRole('button', { name: 'Delete workflow' }).click();
    await heading(page, 'Workflows').waitFor();
    await link(page, 'check_number').waitFor({ state: 'detached' });
  });
}
