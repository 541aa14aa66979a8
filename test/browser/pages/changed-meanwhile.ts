import type { Page } from 'playwright-core';
import type { TestService } from '../../support/service.js';
import { button, heading, replaceText } from '../admin-pages.js';
import { openAdmin } from '../admin-suite.js';
import { told } from '../browser.js';

const FORBIDS = (tool: string) => `forbid (principal, action, resource == Tool::"${tool}");`;

const GREETS = (text: string) => `document:
  dsl: '1.0.3'
  namespace: default
  name: greet
  version: '1.0.0'
do:
  - say:
      set: { text: ${text} }
`;

export function changedMeanwhile(): void {
  let service: TestService;
  let page: Page;

  openAdmin('/admin/', (opened) => ({ service, page } = opened));

  const save = () => button(page, 'Save').click();
  const notice = (what: string) =>
    page.getByRole('alert').filter({ hasText: `Somebody changed this ${what} in the meantime` });
  const open = async (path: string, title: string) => {
    await page.goto(`/admin/${path}`);
    await heading(page, title).waitFor();
  };
  const present = async (path: string) => (await service.admin('GET', path)).body;
  /** What another administrator does. */
  const other = async (method: string, path: string, body?: object) => {
    const answer = await service.admin(method, path, body);
    expect([path, answer.status < 300, answer.status < 300 || answer.body]).toEqual([path, true, true]);
  };

  it('is not overwritten in a policy: both texts are shown, and one is chosen', async () => {
    await other('POST', 'policies', { name: 'robots', policy: FORBIDS('memory_remove') });
    await open('policies/robots', 'robots');
    const editor = page.getByRole('textbox', { name: 'Policy, Cedar' });
    await replaceText(editor, `// mine\n${FORBIDS('memory_remove')}`);
    await other('PUT', 'policies/robots', { policy: FORBIDS('memory_save') });
    await save();
    for (const text of [/memory_save/, /mine/]) await notice('policy').getByText(text).first().waitFor();
    expect(await button(page, 'Save').isDisabled()).toBe(true);
    expect(await present('policies/robots')).toMatchObject({ policy: FORBIDS('memory_save') });

    await button(page, 'Overwrite with my version').click();
    await other('PUT', 'policies/robots', { enabled: false });
    await save();
    // It is not in force any more, which the page says before anything is saved in it.
    await page
      .getByRole('alert')
      .getByText(/Nothing was saved/)
      .waitFor();
    await page.getByRole('switch', { name: 'Enabled', checked: false }).waitFor();
    await save();
    await told(page, 'robots is saved.');
    expect(await present('policies/robots')).toMatchObject({
      policy: `// mine\n${FORBIDS('memory_remove')}`,
      enabled: false,
    });
    await other('DELETE', 'policies/robots');
  });

  it('is not overwritten in a workflow: both texts are shown, and one is chosen', async () => {
    await other('POST', 'workflows', { definition: GREETS('first') });
    await open('workflows/greet/edit', 'Edit greet');
    await replaceText(page.getByRole('textbox', { name: 'Definition, YAML' }), GREETS('mine'));
    await other('PUT', 'workflows/greet', { definition: GREETS('theirs') });
    await save();
    for (const text of [/theirs/, /mine/]) await notice('workflow').getByText(text).first().waitFor();
    expect(await button(page, 'Save').isDisabled()).toBe(true);
    expect(await present('workflows/greet')).toMatchObject({ definition: GREETS('theirs') });
    await button(page, 'Overwrite with my version').click();
    await save();
    await told(page, 'Version 1.0.0 is saved.');
    expect(await present('workflows/greet')).toMatchObject({ definition: GREETS('mine') });
    await other('DELETE', 'workflows/greet');
  });
}
