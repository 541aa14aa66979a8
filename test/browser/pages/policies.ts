import type { Page } from 'playwright-core';
import { AuditLog } from '../../../src/access/audit/audit-log.service.js';
import type { TestService } from '../../support/service.js';
import { createClient, type TestClient } from '../../support/client-keys.js';
import { TestSkillsModule } from '../../support/test-skills.module.js';
import { button, dialog, goTo, heading, link, logIn, replaceText } from '../admin-pages.js';
import { openAdmin } from '../admin-suite.js';
import { type TestBrowser } from '../browser.js';

const NO_ECHO = `forbid (
  principal in Group::"people",
  action == Action::"callTool",
  resource == Tool::"echo"
)`;

export function policiesPage(): void {
  let browser: TestBrowser;
  let service: TestService;
  let page: Page;
  let ada: TestClient;

  openAdmin('/admin/policies', (opened) => ({ browser, service, page } = opened), { imports: [TestSkillsModule] });
  beforeAll(async () => void (ada = await createClient(service, 'ada', { groups: ['people'] })));

  const editor = () => page.getByRole('textbox', { name: 'Policy, Cedar' });
  const region = (name: string) => page.getByRole('region', { name, exact: true });
  const row = (name: string) => page.getByRole('row').filter({ hasText: name });
  const policy = async (name: string) => (await service.admin('GET', `policies/${name}`)).body;
  const callEcho = async (text: string) => {
    const { isError, content } = await service.call('echo', { text }, ada.headers);
    return { isError: isError === true, text: content[0]?.text };
  };
  const test = async (fields: Record<string, string>) => {
    for (const [label, value] of Object.entries(fields)) {
      await region('Test').getByLabel(label, { exact: true }).fill(value);
      await page.keyboard.press('Escape');
    }
    await region('Test').getByRole('button', { name: 'Test', exact: true }).click();
    return region('Test').getByRole('status');
  };

  it('lists the policies, finds them by their text, and says what they decide', async () => {
    await row('permit-all').getByText('Permits', { exact: true }).waitFor();
    const search = page.getByRole('searchbox', { name: 'Search policies' });
    await search.fill('no such text');
    await page.getByText('No policy found').waitFor();
    await search.fill('PRINCIPAL');
    await row('permit-all').waitFor();
    await search.fill('');
    const answer = await test({ Client: 'ada', Tool: 'echo' });
    await answer.getByText('Allowed', { exact: true }).waitFor();
    await answer.getByRole('link', { name: 'permit-all' }).waitFor();
  });

  it('marks what is wrong while one types, at its place, and saves nothing of it', async () => {
    await link(page, 'New policy').click();
    await heading(page, 'New policy').waitFor();
    await page.getByRole('textbox', { name: 'Name' }).fill('no-echo');
    await replaceText(editor(), 'forbid (principal, action, resource == Tool::"ecko");');
    await page.getByText('there is no Tool "ecko"').first().waitFor();
    await page.locator('.cm-lint-marker-error').first().waitFor();
    expect(await button(page, 'Save').isDisabled()).toBe(true);
    await page.getByRole('button', { name: /^Line 1/ }).click();
    await page.keyboard.type('x');
    expect(await editor().textContent()).toContain('x"ecko"');
  });

  it('tries a policy before it is saved, then saves it, and it is in force', async () => {
    await replaceText(editor(), NO_ECHO.replace('forbid', 'forbid    '));
    await page
      .getByText(/unexpected end of input/i)
      .first()
      .waitFor();
    await replaceText(editor(), `${NO_ECHO.replace('forbid', 'forbid    ')};`);
    await button(page, 'Format').click();
    await button(page, 'Save').and(page.locator(':enabled')).waitFor();
    const answer = await test({ Client: 'ada', Tool: 'echo' });
    await answer.getByText('Refused', { exact: true }).waitFor();
    await answer.getByText('this policy', { exact: true }).waitFor();
    await answer.getByText(/^Not allowed: policy no-echo forbids this call of echo/).waitFor();
    expect(await callEcho('before')).toEqual({ isError: false, text: 'before' });

    await button(page, 'Save').click();
    await heading(page, 'no-echo').waitFor();
    expect(await policy('no-echo')).toMatchObject({
      effect: 'forbid',
      enabled: true,
      policy: `${NO_ECHO};\n`,
      updatedBy: 'admin',
    });
    expect(await callEcho('after')).toMatchObject({ isError: true });
  });

  it('says what the latest calls would have got, with the text and without the policy', async () => {
    await service.app.get(AuditLog).flush();
    await button(page, 'Run with this text').click();
    const changed = page.getByRole('table', { name: 'Calls decided differently' });
    await changed.getByRole('row').filter({ hasText: 'echo' }).getByText('Refused').waitFor();
    expect(await changed.getByRole('row').count()).toBe(2);
    await button(page, 'Run without this policy').click();
    await changed.getByRole('row').filter({ hasText: 'echo' }).getByText('Allowed').waitFor();
    await changed.getByRole('link').first().click();
    await page.getByRole('heading', { level: 1, name: /^Entry / }).waitFor();
    await page.goBack();
    await heading(page, 'no-echo').waitFor();
  });

  it('asks before unsaved changes are lost, and keeps them when it should', async () => {
    await button(page, 'Run with this text').click();
    await page.getByText(/^With this text, of /).waitFor();
    await editor().click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type(' // later');
    // The preview of the previous text is not shown for the new one.
    await page.getByText(/^With this text, of /).waitFor({ state: 'detached' });
    await link(page, 'All policies').click();
    await dialog(page).getByRole('button', { name: 'Stay' }).click();
    expect(await editor().textContent()).toContain('// later');
    await button(page, 'Discard changes').click();
    expect(await editor().textContent()).not.toContain('// later');
    await link(page, 'All policies').click();
    await heading(page, 'Policies').waitFor();
  });

  it('shows on the page of a client what it may use, has called and was denied', async () => {
    await page.goto('/admin/clients/ada');
    const tools = page.getByRole('table', { name: 'Allowed tools' });
    await tools.getByRole('row').filter({ hasText: 'echo' }).getByText('Refused').waitFor();
    await tools.getByRole('row').filter({ hasText: 'echo' }).getByRole('link', { name: 'no-echo' }).waitFor();
    await region('Allowed tools')
      .getByText(/and is refused 1\./)
      .waitFor();
    await region('Calls').getByRole('row').filter({ hasText: 'echo' }).nth(1).waitFor();
    const denials = region('Denials').getByRole('row').filter({ hasText: 'echo' });
    await denials.getByText('Denied').waitFor();
    expect(await denials.count()).toBe(1);
    await region('Denials').getByRole('link', { name: 'All denials' }).click();
    await heading(page, 'Audit').waitFor();
    expect(new URL(page.url()).search).toBe('?outcome=denied&client=ada');
  });

  it('starts from a template, and replaces what was written only when asked to', async () => {
    await goTo(page, 'Policies');
    await link(page, 'New policy').click();
    await page.getByLabel('Start from').selectOption({ label: 'A client may not use tools that overwrite or delete' });
    await page.getByText('there is no Client "<client>"').first().waitFor();
    await replaceText(editor(), 'forbid');
    await page.getByLabel('Start from').selectOption({ label: 'A person must confirm each call of a tool' });
    await dialog(page).getByRole('button', { name: 'Cancel' }).click();
    expect(await editor().textContent()).toContain('forbid');
    await page.getByLabel('Start from').selectOption({ label: 'A person must confirm each call of a tool' });
    await dialog(page).getByRole('button', { name: 'Replace it' }).click();
    await replaceText(editor(), '@require_approval("May it?")\npermit (principal, action, resource == Tool::"echo");');
    const answer = await test({ Client: 'bob', Tool: 'echo' });
    await answer.getByText('Must be confirmed by a person').waitFor();
    await answer.getByText('May it?', { exact: true }).waitFor();
    await replaceText(editor(), 'permit (principal, action, resource == Tool::"echo");');
    await answer.getByText('May it?', { exact: true }).waitFor({ state: 'detached' });
    await link(page, 'Cancel').click();
    await dialog(page).getByRole('button', { name: 'Leave' }).click();
    await heading(page, 'Policies').waitFor();
  });

  it('says that a policy asks a person, not that it permits', async () => {
    const policy = '@require_approval("May it?")\npermit (principal, action, resource == Tool::"echo");';
    await service.admin('POST', 'policies', { name: 'ask-first', policy });
    await page.goto('/admin/policies');
    await row('ask-first').getByText('Asks', { exact: true }).waitFor();
    await link(page, 'ask-first').click();
    await page.getByText('Asks', { exact: true }).waitFor();
    await service.admin('DELETE', 'policies/ask-first');
    await page.goto('/admin/policies');
    await heading(page, 'Policies').waitFor();
  });

  it('completes words and names of tools, and can be left by keyboard', async () => {
    await link(page, 'New policy').click();
    await editor().click();
    // While completions for the last characters are loading, the list is disabled and ignores clicks.
    const proposals = page
      .locator('.cm-tooltip-autocomplete:not(.cm-tooltip-autocomplete-disabled)')
      .getByRole('option');
    await page.keyboard.type('forb');
    await proposals.filter({ hasText: 'forbid' }).click();
    await page.keyboard.type(' (principal, action, resource == Tool::"memory_se');
    await proposals.filter({ hasText: 'memory_search' }).click();
    expect(await editor().textContent()).toBe('forbid (principal, action, resource == Tool::"memory_search")');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.closest(".cm-editor") === null')).toBe(true);
    await link(page, 'Cancel').click();
    await dialog(page).getByRole('button', { name: 'Leave' }).click();
    await heading(page, 'Policies').waitFor();
  });

  it('asks before nobody may do anything, and deletes after a question', async () => {
    await heading(page, 'Policies').waitFor();
    await page.getByRole('switch', { name: 'Enabled: permit-all' }).press('Space');
    await dialog(page)
      .getByText(/every client loses access at once/)
      .waitFor();
    await dialog(page).getByRole('button', { name: 'Cancel' }).click();
    await dialog(page).waitFor({ state: 'detached' });
    expect(await policy('permit-all')).toMatchObject({ enabled: true });

    await page.getByRole('switch', { name: 'Enabled: no-echo' }).press('Space');
    await page
      .getByRole('switch', { name: 'Enabled: no-echo', checked: false })
      .and(page.locator(':enabled'))
      .waitFor();
    expect(await callEcho('again')).toEqual({ isError: false, text: 'again' });
    await link(page, 'no-echo').click();
    await button(page, 'Delete').click();
    await dialog(page).getByRole('button', { name: 'Delete policy' }).click();
    await heading(page, 'Policies').waitFor();
    await row('no-echo').waitFor({ state: 'detached' });
  });

  it('lets viewers see and try everything, and change nothing', async () => {
    const { password } = (await service.admin('POST', 'administrators', { name: 'vera', role: 'viewer' })).body;
    const other = await browser.open(service.origin);
    await logIn(other, '/admin/policies', String(password), 'vera');
    await heading(other, 'Policies').waitFor();
    await link(other, 'permit-all').waitFor();
    expect(await link(other, 'New policy').count()).toBe(0);
    expect(await other.getByRole('switch', { name: 'Enabled: permit-all' }).isDisabled()).toBe(true);
    await link(other, 'permit-all').click();
    const text = other.getByRole('textbox', { name: 'Policy, Cedar' });
    await text.waitFor();
    const before = await text.textContent();
    await text.press('x');
    expect(await text.textContent()).toBe(before);
    for (const name of ['Save', 'Delete', 'Format']) expect(await button(other, name).count()).toBe(0);
    await button(other, 'Run without this policy').click();
    await other.getByText(/^Without this policy, of /).waitFor();
    await other.context().close();
  });
}
