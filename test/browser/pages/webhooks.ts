import type { Page } from 'playwright-core';
import type { TestService } from '../../support/service.js';
import { until } from '../../support/until.js';
import { sendToWebhook } from '../../support/webhook-sender.js';
import { button, dialog } from '../admin-pages.js';
import { openAdmin } from '../admin-suite.js';

export function webhooksPage(): void {
  let service: TestService;
  let page: Page;

  openAdmin('/admin/webhooks', (opened) => ({ service, page } = opened));

  const row = () => page.getByRole('row').filter({ hasText: 'shop.order.placed' });
  const add = async (name: string, eventType: string) => {
    await page.getByLabel('Name').fill(name);
    await page.getByLabel('Event type').fill(eventType);
    await button(page, 'Add webhook').click();
  };
  const shownSecret = async () => {
    const secret = await page.getByTestId('shown-once').innerText();
    await button(page, 'Done').click();
    await dialog(page).waitFor({ state: 'detached' });
    return secret;
  };
  const statusOf = async (secret: string, id: string) =>
    (await sendToWebhook(service, 'shop', { secret, id })).response.status;

  it('makes one whose secret senders sign with, and shows when a message came', async () => {
    await page.getByText('No webhooks yet').waitFor();
    await add('shop', 'shop.order.placed');
    const secret = await shownSecret();
    await row().getByText(`${service.origin}/hooks/shop`).waitFor();
    await row().getByText('Never').waitFor();
    expect(await statusOf(secret, 'msg_1')).toBe(202);
    await page.reload();
    await row().locator('time').waitFor();
    expect(await page.content()).not.toContain(secret);
  });

  it('says at the field what is wrong', async () => {
    await add('shop', 'shop.order.paid');
    await page.getByText('is the name of another webhook').waitFor();
    await add('Shop!', 'shop.order.paid');
    await page.getByText('must be a name such as build-done').waitFor();
    expect(await page.getByLabel('Name').getAttribute('aria-invalid')).toBe('true');
    await add('own', 'memory.saved');
    await page.getByText('is a type of events that only the service itself sends').waitFor();
    expect(await page.getByLabel('Event type').getAttribute('aria-invalid')).toBe('true');
  });

  it('makes a new secret, after which the previous one is refused', async () => {
    await page.getByRole('button', { name: 'New secret: shop' }).click();
    await dialog(page).getByRole('button', { name: 'Create new secret' }).click();
    const secret = await shownSecret();
    expect(await statusOf(secret, 'msg_2')).toBe(202);

    await page.getByRole('button', { name: 'New secret: shop' }).click();
    await dialog(page).getByRole('button', { name: 'Create new secret' }).click();
    await shownSecret();
    expect(await statusOf(secret, 'msg_3')).toBe(401);
  });

  it('is found by a part of its name or event type', async () => {
    await service.admin('POST', 'webhooks', { name: 'ticket-made', eventType: 'desk.ticket.opened' });
    await page.reload();
    const other = page.getByRole('row').filter({ hasText: 'desk.ticket.opened' });
    const search = page.getByRole('searchbox', { name: 'Search webhooks' });
    for (const [text, found, hidden] of [
      ['Ticket', other, row()],
      ['order', row(), other],
    ] as const) {
      await search.fill(text);
      await hidden.waitFor({ state: 'detached' });
      await found.waitFor();
    }
    await search.fill('nothing');
    await page.getByText('No webhook found').waitFor();
    await service.admin('DELETE', 'webhooks/ticket-made');
    await page.goto('/admin/webhooks');
    await row().waitFor();
  });

  it('is switched off, and deleted after a question', async () => {
    const enabled = page.getByRole('switch', { name: 'Enabled: shop' });
    await enabled.click({ force: true });
    await until(async () => {
      const [webhook] = (await service.admin('GET', 'webhooks')).body['items'] as { enabled: boolean }[];
      return webhook?.enabled === false;
    });
    await until(async () => !(await enabled.isChecked()));

    await page.getByRole('button', { name: 'Delete: shop' }).click();
    await dialog(page).getByRole('button', { name: 'Cancel' }).click();
    await row().waitFor();
    await page.getByRole('button', { name: 'Delete: shop' }).click();
    await dialog(page).getByRole('button', { name: 'Delete webhook' }).click();
    await page.getByText('No webhooks yet').waitFor();
  });
}
