import type { Page, Route } from 'playwright-core';
import type { TestService } from '../../support/service.js';
import { comeBackLater, button } from '../admin-pages.js';
import { openAdmin } from '../admin-suite.js';

const UNREADABLE = 'The answer cannot be read';

/** What a proxy in between may answer. */
const PAGE = { contentType: 'text/html', body: '<!doctype html><title>Log in to the network</title>' };
const HALF = { contentType: 'application/json', body: '{"name": "c' };

export function badAnswers(): void {
  let service: TestService;
  let page: Page;
  let tab: Page;

  openAdmin('/admin/', (opened) => ({ service, page } = opened));

  // What these tests provoke is written to the console of the tab.
  beforeEach(async () => void (tab = await page.context().newPage()));
  afterEach(() => tab.close());

  const note = () => tab.getByRole('textbox', { name: 'Note', exact: true });

  it.each([
    ['that is a page of a proxy', PAGE],
    ['that is cut off', HALF],
  ])('an answer %s is explained, and what was typed stays', async (_kind, answer) => {
    await service.admin('POST', 'clients', { name: 'cut' });
    await tab.goto('/admin/clients/cut');
    await note().fill('typed');
    await tab.route(/\/clients\/cut$/, (route: Route) =>
      route.request().method() === 'PUT' ? route.fulfill(answer) : route.continue(),
    );
    await button(tab, 'Save').click();
    await tab.getByRole('alert').getByText(UNREADABLE).waitFor();
    expect(await note().inputValue()).toBe('typed');
  });

  it('a part of a page that a new build has removed leaves the rest, with what was typed', async () => {
    await service.admin('POST', 'clients', { name: 'updated' });
    await tab.goto('/admin/clients/updated');
    await note().fill('typed');
    await tab.route(/\/assets\/TextComparison/, (route) => route.fulfill({ status: 404 }));
    const { status } = await service.admin('PUT', 'clients/updated', { note: 'of another' });
    expect(status).toBe(200);
    await comeBackLater(tab);
    await tab.getByText('This part of the page could not be loaded').waitFor();
    expect(await note().inputValue()).toBe('typed');
    await button(tab, 'Overwrite with my version').click();
    await button(tab, 'Save').click();
    await tab.getByText('is saved').waitFor();
  });

  describe('an answer that never comes', () => {
    const hold = (method: string) =>
      tab.route(/\/admin\/api\/clients\/silent$/, (route) =>
        route.request().method() === method ? undefined : route.fallback(),
      );
    const wait = async (sent: Promise<unknown>) => {
      await sent;
      await tab.clock.runFor(61_000);
      await tab.getByRole('alert').getByText('The service does not answer').waitFor();
    };

    beforeEach(async () => {
      await service.admin('POST', 'clients', { name: 'silent' });
      await tab.clock.install();
    });

    it('is not awaited for ever, and the request can be made again', async () => {
      await hold('GET');
      const sent = tab.waitForRequest(/\/clients\/silent$/);
      await tab.goto('/admin/clients/silent');
      await wait(sent);
      await tab.unroute(/\/admin\/api\/clients\/silent$/);
      await button(tab, 'Try again').click();
      await note().waitFor();
    });

    it('leaves what was typed and could not be saved, to be saved again', async () => {
      await hold('PUT');
      await tab.goto('/admin/clients/silent');
      await note().fill('typed');
      const sent = tab.waitForRequest((request) => request.method() === 'PUT');
      await button(tab, 'Save').click();
      await wait(sent);
      await tab.unroute(/\/admin\/api\/clients\/silent$/);
      await button(tab, 'Save').click();
      await tab.getByText('is saved').waitFor();
      expect((await service.admin('GET', 'clients/silent')).body['note']).toBe('typed');
    });
  });

  it('while its scripts arrive, and if they never do, the page says so', async () => {
    await tab.route(/\/assets\/.*\.js$/, (route) => route.fulfill({ status: 404 }));
    await tab.goto('/admin/');
    await tab.getByText('Loading. If this takes long, reload the page.').waitFor();
  });
}
