import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { AppBridge } from '@modelcontextprotocol/ext-apps/app-bridge';
import type { FrameLocator, Page } from 'playwright-core';
import { EventBus } from '../../../src/platform/events/event-bus.service.js';
import { WorkflowDefinitions } from '../../../src/features/workflows/definitions/workflow-definitions.service.js';
import { KEY, type TestService } from '../../support/service.js';
import { until } from '../../support/until.js';
import { openService } from '../admin-suite.js';
import type { TestBrowser } from '../browser.js';
import { FrameTransport } from '../frame-transport.js';

const VIEW_URI = 'ui://runs/view.html';
const MOST_BYTES = 150 * 1024;
/** The policy that hosts apply to a view that requests nothing (MCP Apps 2026-01-26, "Content Security Policy"). */
const POLICY =
  "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; connect-src 'none'";
const VIEWS = { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } } };

/** Collects data, asks whether to publish it, and fails when the answer is no. */
const NIGHTLY = `
document:
  dsl: 1.0.3
  namespace: test
  name: nightly
  version: 1.0.0
  title: Nightly report
  summary: Use this for the report of the night.
  metadata: { background: true }
do:
  - collect:
      wait: { milliseconds: 20 }
  - publish:
      listen:
        to:
          one:
            with: { type: person.answered }
      metadata:
        question:
          message: May the report be published?
          schema:
            type: object
            properties:
              reason: { type: string, title: Why, minLength: 10 }
              soon: { type: boolean, title: At once }
            required: [reason]
  - tell:
      set:
        report: All is <b>well</b>.
        answer: \${ . }
`;
const BROKEN = `
document: { dsl: 1.0.3, namespace: test, name: broken, version: 1.0.0, summary: Fails., metadata: { background: true } }
do:
  - fail:
      raise:
        error: { type: https://example.com/errors/gone, status: 410, title: Gone, detail: The feed is gone. }
`;
const QUICK = `
document: { dsl: 1.0.3, namespace: test, name: quick, version: 1.0.0, summary: Adds. }
do:
  - add:
      set: { sum: 3 }
`;

export function viewOfARun(): void {
  let browser: TestBrowser;
  let service: TestService;
  let client: Client;
  let page: Page;
  let bridge: AppBridge;
  let told: unknown[];
  let looks = 0;

  openService((opened) => ({ browser, service } = opened));
  beforeAll(async () => {
    const definitions = service.app.get(WorkflowDefinitions, { strict: false });
    for (const text of [NIGHTLY, BROKEN, QUICK]) await definitions.save(text, { source: 'admin' });
    service.app.get(EventBus, { strict: false }).on('tool.called', ({ tool }) => {
      if (tool === 'run_status') looks += 1;
    });
    client = new Client({ name: 'assistant', version: '1.0.0' }, { capabilities: VIEWS });
    await client.connect(transportOf());
  });
  afterEach(() => browser.closePages());
  afterAll(() => client.close());

  const transportOf = () =>
    new StreamableHTTPClientTransport(service.mcpUrl, { requestInit: { headers: { Authorization: `Bearer ${KEY}` } } });

  const readView = async () => {
    const { contents } = await client.readResource({ uri: VIEW_URI });
    const [content] = contents;
    if (!content || !('text' in content)) throw new Error('the view is no text');
    return content;
  };

  /** Calls a tool and shows its view, as an assistant does. Returns how the assistant passes on the result. */
  const call = async (tool: string, args: Record<string, unknown> = {}, colorScheme: 'light' | 'dark' = 'light') => {
    const { tools } = await client.listTools();
    const definition = tools.find(({ name }) => name === tool);
    if (!definition) throw new Error(`there is no tool ${tool}`);
    expect(definition._meta).toMatchObject({ ui: { resourceUri: VIEW_URI } });
    page = await browser.open(service.origin, { colorScheme, viewport: { width: 640, height: 640 } });
    told = [];
    const hostContext = { theme: colorScheme, toolInfo: { tool: definition } };
    const capabilities = { serverTools: {}, updateModelContext: { text: {} } };
    bridge = new AppBridge(client, { name: 'host', version: '1.0.0' }, capabilities, { hostContext });
    bridge.onupdatemodelcontext = async (params) => {
      told.push(params);
      return {};
    };
    const ready = new Promise<void>((resolve) => (bridge.oninitialized = () => resolve()));
    const transport = await FrameTransport.open(page, (await readView()).text, POLICY);
    await bridge.connect(transport);
    await transport.load();
    await ready;
    await bridge.sendToolInput({ arguments: args });
    return async () => bridge.sendToolResult(await client.callTool({ name: tool, arguments: args }));
  };
  const view = (): FrameLocator => page.frameLocator('iframe');
  const focused = (what: 'button' | 'h1', hasText: string) => view().locator(`${what}:focus`, { hasText }).waitFor();
  const press = (name: string) => view().getByRole('button', { name, exact: true }).click();
  const status = (text: string) => view().locator('header .status').getByText(text, { exact: true }).waitFor();
  const lastRun = async () => {
    const { body } = await service.admin('GET', 'runs');
    return (body['items'] as { id: string; name: string; status: string }[])[0];
  };

  it('is one page that asks no host for anything, and is small', async () => {
    const { text, mimeType, _meta } = await readView();
    expect(mimeType).toBe('text/html;profile=mcp-app');
    expect(_meta).toEqual({ ui: { prefersBorder: true } });
    expect(Buffer.byteLength(text)).toBeLessThan(MOST_BYTES);
    expect(text).not.toMatch(/\b(?:src|href)=/);
    page = await browser.open(service.origin);
  });

  it('follows a run from its call over a question to its result, and tells the model', async () => {
    const passOn = await call('nightly');
    await view().getByRole('heading', { name: 'Nightly report' }).waitFor();
    await status('Running');
    await passOn();
    await view().getByText('collect', { exact: true }).waitFor();
    await status('Waits for an answer');
    await view().getByText('May the report be published?').waitFor();
    await view().getByLabel('Why').fill('It is right.');
    await view().getByLabel('At once').check();
    await press('Send the answer');
    await status('Completed');
    await view().getByText('All is <b>well</b>.').waitFor();
    await view()
      .getByText(/"reason": "It is right\."/)
      .waitFor();
    await until(() => told.length === 1);
    expect(JSON.stringify(told)).toContain('of nightly is completed');
    expect(await lastRun()).toMatchObject({ name: 'nightly', status: 'completed' });
  });

  it('keeps what somebody enters while it looks again, and shows why an answer is refused', async () => {
    await (
      await call('nightly', {}, 'dark')
    )();
    await view().getByLabel('Why').fill('Short.');
    const before = looks;
    await until(() => looks > before + 1);
    expect(await view().getByLabel('Why').inputValue()).toBe('Short.');
    await press('Send the answer');
    await view()
      .getByRole('alert')
      .getByText(/fewer than 10 characters/)
      .waitFor();
    await press('Decline');
    await view().getByLabel('Why').waitFor({ state: 'detached' });
  });

  it('cancels the run, or goes on saying why it may not', async () => {
    await (
      await call('nightly')
    )();
    const policy = 'forbid (principal, action, resource == Tool::"run_cancel");';
    await service.admin('POST', 'policies', { name: 'runs-end', policy });
    await press('Cancel run');
    await view().getByRole('alert').getByText('runs-end').waitFor();
    const before = looks;
    await until(() => looks > before + 1);
    expect(await view().getByRole('alert').getByText('runs-end').isVisible()).toBe(true);
    await service.admin('DELETE', 'policies/runs-end');
    await press('Cancel run');
    await status('Cancelled');
    expect(await view().getByRole('button', { name: 'Cancel run' }).isVisible()).toBe(false);
    expect(await lastRun()).toMatchObject({ status: 'cancelled' });
  });

  it('keeps the focus at a button whose answer is refused, and gives it to the title when the form disappears', async () => {
    await (
      await call('nightly')
    )();
    const form = view().getByRole('form', { name: 'Question' });
    await form.getByRole('textbox', { name: 'Why', exact: true }).fill('Short.');
    await form.getByRole('button', { name: 'Send the answer' }).press('Enter');
    await form.getByRole('alert').waitFor();
    await focused('button', 'Send the answer');
    await form.getByRole('button', { name: 'Decline' }).press('Enter');
    await form.waitFor({ state: 'detached' });
    await focused('h1', 'nightly');
    await view().getByRole('group', { name: 'Result' }).waitFor();
  });

  it('gives the focus to the title when its button for cancelling disappears', async () => {
    await (
      await call('nightly')
    )();
    await view().getByRole('button', { name: 'Cancel run' }).press('Enter');
    await status('Cancelled');
    await focused('h1', 'nightly');
  });

  it('tells screen readers the state and new questions, and leaves steps that have not changed where they are', async () => {
    await (
      await call('nightly')
    )();
    await view().getByRole('status').getByText('Waits for an answer').waitFor();
    const live = view().locator('[aria-live], [role=status], [role=alert]');
    await live.getByText('May the report be published?').waitFor();
    const first = view().getByRole('list', { name: 'Steps' }).getByRole('listitem').first();
    expect(await live.filter({ has: first }).count()).toBe(0);
    const row = await first.elementHandle();
    const before = looks;
    await until(() => looks > before + 1);
    // An element that was replaced is not visible.
    expect(await row?.isVisible()).toBe(true);
    await press('Decline');
    await view().getByRole('group', { name: 'Result' }).waitFor();
  });

  it('shows a run that somebody asks about, with the reason why it failed', async () => {
    await client.callTool({ name: 'broken', arguments: {} });
    await until(async () => (await lastRun())?.status === 'failed');
    await (
      await call('run_status', { id: (await lastRun())?.id })
    )();
    await status('Failed');
    await view().getByRole('heading', { name: 'broken' }).waitFor();
    await view().getByRole('alert').getByText('The feed is gone.').waitFor();
  });

  it('shows the result of a call that ended at once', async () => {
    await (
      await call('quick')
    )();
    await status('Completed');
    await view().getByText('{"sum":3}').waitFor();
  });

  it('leaves the tool for answers out of the lists of assistants without views', async () => {
    page = await browser.open(service.origin);
    const plain = new Client({ name: 'ide', version: '1.0.0' });
    await plain.connect(transportOf());
    const namesFor = async (one: Client) => (await one.listTools()).tools.map(({ name }) => name);
    expect(await namesFor(plain)).not.toContain('run_answer');
    expect(await namesFor(client)).toContain('run_answer');
    await plain.close();
  });
}
