import type { Page } from 'playwright-core';
import type { TestService } from '../../support/service.js';
import { until } from '../../support/until.js';
import { button, dialog, follow, goTo, heading, holdRequests, type PageName } from '../admin-pages.js';
import { openAdmin } from '../admin-suite.js';
import { settled, told } from '../browser.js';

const ASKS = `document:
  dsl: '1.0.3'
  namespace: default
  name: asks
  version: '1.0.0'
do:
  - ask:
      listen: { to: { one: { with: { type: person.answered } } } }
      metadata:
        question:
          message: May I delete the database?
          schema: { type: object, properties: {} }
      output: { as: '.[0]' }
`;

export function lateAnswers(): void {
  let service: TestService;
  let page: Page;

  openAdmin('/admin/', (opened) => ({ service, page } = opened), { signsIn: true });

  const hold = (method: string, path: RegExp) => holdRequests(page, method, path);
  const shown = async () => {
    const secret = (await dialog(page).getByTestId('shown-once').textContent()) ?? '';
    await button(page, 'Done').click();
    await dialog(page).waitFor({ state: 'detached' });
    return secret;
  };
  const keysOf = async (name: string) =>
    ((await service.admin('GET', `clients/${name}`)).body['keys'] as { shown: string }[]).map((key) => key.shown);

  it('to a question that somebody else has answered first is said to be too late', async () => {
    await service.admin('POST', 'workflows', { definition: ASKS });
    const id = String((await service.admin('POST', 'workflows/asks/start', { input: {} })).body['id']);
    await page.goto(`/admin/runs/${id}`);
    await button(page, 'Decline').waitFor();
    await settled(page);
    const release = await hold('GET', /\/admin\/api\/runs\b/);
    const [{ step } = { step: '' }] = (await service.admin('GET', `runs/${id}`)).body['openQuestions'] as {
      step: string;
    }[];
    const answer = { step, action: 'accept', content: {} };
    expect((await service.admin('POST', `runs/${id}/answers`, answer)).status).toBe(204);
    const refused = page.waitForResponse((response) => response.url().endsWith('/answers'));
    await button(page, 'Decline').click();
    expect((await refused).status()).toBe(409);
    await release();
    await button(page, 'Decline').waitFor({ state: 'detached' });
    await told(page, 'Your answer was not accepted');
  });

  it('shows the new key of a client after its page was left', async () => {
    await service.admin('POST', 'clients', { name: 'ci' });
    await page.goto('/admin/clients/ci');
    const release = await hold('POST', /\/clients\/ci\/keys$/);
    await button(page, 'Create new key').click();
    await page.getByRole('link', { name: 'All clients' }).click();
    await heading(page, 'Clients').waitFor();
    await release();
    const key = await shown();
    expect((await keysOf('ci')).some((begin) => key.startsWith(begin))).toBe(true);
  });

  it('to a save keeps what was entered meanwhile, to be saved next', async () => {
    const note = page.getByRole('textbox', { name: 'Note', exact: true });
    const isSaved = async (text: string) => (await service.admin('GET', 'clients/bot')).body['note'] === text;
    await service.admin('POST', 'clients', { name: 'bot' });
    await page.goto('/admin/clients/bot');
    await note.fill('one');
    const release = await hold('PUT', /\/clients\/bot$/);
    await button(page, 'Save').click();
    await page.locator('button[data-loading]').waitFor();
    await note.fill('two');
    await release();
    await told(page, 'bot is saved.');
    expect([await isSaved('one'), await note.inputValue()]).toEqual([true, 'two']);
    await button(page, 'Save').click();
    await until(() => isSaved('two'));
  });

  it('brings the key of a new client, which cannot be cancelled any more', async () => {
    await goTo(page, 'Clients');
    await button(page, 'New client').click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('late');
    const release = await hold('POST', /\/clients$/);
    await button(page, 'Create client').click();
    await until(() => button(page, 'Cancel').isDisabled());
    await goTo(page, 'Skills');
    await release();
    const key = await shown();
    expect((await keysOf('late')).some((begin) => key.startsWith(begin))).toBe(true);
  });

  const SECRETS: [string, PageName, RegExp, () => Promise<void>][] = [
    [
      'the password of a new account',
      'Accounts',
      /\/administrators$/,
      async () => {
        await page.getByRole('textbox', { name: 'Name' }).fill('ada');
        await button(page, 'Add account').click();
      },
    ],
    [
      'a new password of an account',
      'Accounts',
      /\/ada\/password$/,
      async () => {
        await button(page, 'New password: ada').click();
        await dialog(page).getByRole('button', { name: 'Create new password' }).click();
        await dialog(page).waitFor({ state: 'detached' });
      },
    ],
    [
      'the secret of a new webhook',
      'Webhooks',
      /\/webhooks$/,
      async () => {
        await page.getByLabel('Name').fill('shop');
        await page.getByLabel('Event type').fill('shop.order.placed');
        await button(page, 'Add webhook').click();
      },
    ],
    [
      'a new secret of a webhook',
      'Webhooks',
      /\/shop\/rotate$/,
      async () => {
        await button(page, 'New secret: shop').click();
        await dialog(page).getByRole('button', { name: 'Create new secret' }).click();
        await dialog(page).waitFor({ state: 'detached' });
      },
    ],
    [
      'the secret of a program',
      'Programs',
      /\/programs$/,
      async () => {
        await page.getByText('Addresses', { exact: true }).click();
        await page.getByRole('textbox', { name: 'Name' }).fill('Assistant');
        await page.getByLabel('Redirect URIs').fill('https://assistant.example.com/callback');
        await page.getByLabel('Confidential: it runs on a server, and keeps a secret').check();
        await button(page, 'Register program').click();
      },
    ],
  ];

  it.each(SECRETS)('brings %s, though its page was left', async (_what, from, path, make) => {
    await goTo(page, from);
    const release = await hold('POST', path);
    await make();
    await follow(page, '/admin/skills');
    await heading(page, 'Skills').waitFor();
    await release();
    expect((await shown()).length).toBeGreaterThan(20);
  });
}
