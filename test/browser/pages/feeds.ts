import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { FeedServer, rssDocument } from '../../feeds/feed-server.js';
import type { TestService } from '../../support/service.js';
import { until } from '../../support/until.js';
import { button, dialog, heading, link } from '../admin-pages.js';
import { openAdmin, removeAll } from '../admin-suite.js';

/** The nth day of a year in the date format of feeds. */
const day = (nth: number): string => new Date(Date.UTC(2026, 0, nth)).toUTCString();

export function feedsPage(): void {
  let service: TestService;
  let publisher: FeedServer;
  let page: Page;

  openAdmin('/admin/feeds', (opened) => ({ service, page } = opened));
  beforeAll(async () => {
    publisher = await FeedServer.start();
    await service.admin('PUT', 'config/http.allowed_hosts', { value: ['127.0.0.1'] });
  });
  beforeEach(async () => {
    await removeAll(service, 'feeds');
    await page.goto('/admin/feeds');
    await heading(page, 'Feeds').waitFor();
  });
  afterAll(() => publisher.stop());

  const addFeed = async (url: string) => {
    await page.getByLabel('Address of a feed').fill(url);
    await button(page, 'Add feed').click();
  };
  const openDailyNews = async () => {
    publisher.publish('/feed.xml', rssDocument('Daily News', [{ id: 'a', text: '&lt;b&gt;Bold&lt;/b&gt; news' }]));
    await service.admin('POST', 'feeds', { url: publisher.url('/feed.xml') });
    await page.goto('/admin/feeds/daily-news');
    await heading(page, 'Daily News').waitFor();
  };

  it('adds a feed by its address, finds it, and says at the field why another is refused', async () => {
    await page.getByText('No feeds yet').waitFor();
    publisher.publish('/feed.xml', rssDocument('Daily News', [{ id: 'a' }, { id: 'b' }]));
    await addFeed(publisher.url('/feed.xml'));
    await link(page, 'Daily News').waitFor();
    const row = page.getByRole('row').filter({ hasText: 'Daily News' });
    await row.getByText('OK', { exact: true }).waitFor();
    await row.getByRole('cell', { name: '2', exact: true }).waitFor();

    await addFeed('http://10.0.0.1/feed.xml');
    await page.getByText(/http\.allowed_hosts/).waitFor();
    expect(await page.getByLabel('Address of a feed').getAttribute('aria-invalid')).toBe('true');

    await page.getByLabel('Search feeds').fill('weekly');
    await page.getByText('No feed found').waitFor();
    await page.getByLabel('Search feeds').fill('daily');
    await link(page, 'Daily News').waitFor();
  });

  it('shows the items of a feed as text, with links that open the publisher in a new tab', async () => {
    await openDailyNews();
    await page.getByText('Bold news', { exact: true }).waitFor();
    const item = link(page, 'Item a');
    expect(await item.getAttribute('href')).toBe('https://site.example/a');
    expect(await item.getAttribute('target')).toBe('_blank');
    expect(await item.getAttribute('rel')).toContain('noreferrer');
  });

  it('says of a feed that was never fetched that it was not, instead of that it is well', async () => {
    publisher.on('/late.xml', () => undefined); // never responds, so that the feed keeps its state
    const opml = `<opml version="2.0"><body><outline type="rss" text="Late" xmlUrl="${publisher.url('/late.xml')}"/></body></opml>`;
    await service.admin('POST', 'feeds/opml', { opml });
    const [feed] = (await service.admin('GET', 'feeds')).body['items'] as { id: string }[];
    await page.reload();
    const row = page.getByRole('row').filter({ hasText: publisher.url('/late.xml') });
    await row.getByText('Not fetched yet', { exact: true }).waitFor();
    expect(await page.getByText('OK', { exact: true }).count()).toBe(0);
    await page.goto(`/admin/feeds/${feed?.id}`);
    await page.getByText('Not fetched yet', { exact: true }).waitFor();
    expect(await page.getByText('OK', { exact: true }).count()).toBe(0);
  });

  it('shows what becomes of a feed while its page is open', async () => {
    publisher.publish('/feed.xml', rssDocument('Daily News', []));
    const { body } = await service.admin('POST', 'feeds', { url: publisher.url('/feed.xml') });
    const tab = await page.context().newPage();
    // Shortens the intervals of the page from seconds to 100 ms.
    await tab.addInitScript(`{
      const every = window.setInterval;
      window.setInterval = (act, ms, ...given) => every(act, Math.min(ms, 100), ...given);
    }`);
    await tab.goto(`/admin/feeds/${String(body['id'])}`);
    await heading(tab, 'Daily News').waitFor();
    await service.admin('PATCH', `feeds/${String(body['id'])}`, { title: 'Evening News' });
    await heading(tab, 'Evening News').waitFor();
    await tab.close();
  });

  it('reads the items of all feeds, the latest first, searches them, and shows one as it is meant', async () => {
    const numbered = Array.from({ length: 31 }, (_, index) => ({ id: `n${index}`, at: day(index + 1) }));
    const script =
      '&lt;script&gt;window.stolen = 1&lt;/script&gt;&lt;img src="https://evil.example/x.png" alt="Chart"&gt;';
    const text = `&lt;h2&gt;Rust&lt;/h2&gt;&lt;p&gt;A &lt;b&gt;bold&lt;/b&gt; step.&lt;/p&gt;${script}`;
    publisher.publish('/daily.xml', rssDocument('Daily News', numbered));
    publisher.publish('/weekly.xml', rssDocument('Weekly', [{ id: 'w', at: day(40), title: 'The week', text }]));
    for (const path of ['/daily.xml', '/weekly.xml'])
      await service.admin('POST', 'feeds', { url: publisher.url(path) });
    await page.reload();
    await link(page, 'Read items').click();
    await heading(page, 'Feed items').waitFor();
    const titles = () => page.getByRole('article').getByRole('link').allTextContents();
    await until(async () => (await titles()).length === 30);
    expect((await titles()).slice(0, 3)).toEqual(['The week', 'Item n30', 'Item n29']);
    await button(page, 'Show more').click();
    await link(page, 'Item n0').waitFor();

    const feeds = page.getByRole('combobox', { name: 'Feed', exact: true });
    await feeds.click();
    await page.getByRole('option', { name: 'Weekly' }).click();
    await until(async () => (await titles()).join() === 'The week');
    await page.getByLabel('Search items').fill('nothing of the kind');
    await page.getByText('No item found').waitFor();
    await feeds.click();
    await page.getByRole('option', { name: 'All feeds' }).click();
    await page.getByLabel('Search items').fill('step BOLD');
    await until(async () => (await titles()).join() === 'The week');

    await link(page, 'The week').click();
    await heading(page, 'The week').waitFor();
    const content = page.getByRole('group', { name: 'Content' });
    await content.locator('strong, b', { hasText: 'bold' }).waitFor();
    await content.getByRole('heading', { name: 'Rust' }).waitFor();
    expect(await content.locator('img, script').count()).toBe(0);
    expect(await page.evaluate('window.stolen')).toBe(undefined);
    const publishers = link(page, 'https://site.example/w');
    expect(await publishers.getAttribute('target')).toBe('_blank');
    expect(await publishers.getAttribute('rel')).toContain('noreferrer');
    await link(page, 'Weekly').waitFor();
    expect(await page.locator('dl time').first().getAttribute('datetime')).toBe(new Date(day(40)).toISOString());
  });

  it('fetches a feed now, and shows why that failed and when it is tried again', async () => {
    await openDailyNews();
    publisher.publish('/feed.xml', rssDocument('Daily News', [{ id: 'fresh' }]));
    await button(page, 'Refresh now').click();
    await link(page, 'Item fresh').waitFor();
    publisher.answer('/feed.xml', 503);
    await button(page, 'Refresh now').click();
    await page.getByText('Failing', { exact: true }).waitFor();
    await page
      .getByText(/HTTP 503/)
      .first()
      .waitFor();
    await page.getByText(/Next try in/).waitFor();
  });

  it('pauses, resumes, renames and deletes a feed', async () => {
    await openDailyNews();
    await button(page, 'Pause').click();
    await page.getByText('Paused', { exact: true }).waitFor();
    await button(page, 'Resume').click();
    await page.getByText('OK', { exact: true }).waitFor();

    await page.getByLabel('Title', { exact: true }).fill('News of the day');
    await page.getByLabel('Minutes between fetches').fill('1');
    await button(page, 'Save').click();
    const refusal = page.getByText(/must not be less than 5/);
    await refusal.waitFor();
    expect(await page.getByLabel('Minutes between fetches').getAttribute('aria-invalid')).toBe('true');
    expect(await page.getByText('Something went wrong').count()).toBe(0);
    await page.getByLabel('Minutes between fetches').fill('30');
    await refusal.waitFor({ state: 'detached' });
    await button(page, 'Save').click();
    await heading(page, 'News of the day').waitFor();
    expect((await service.admin('GET', 'feeds/daily-news')).body).toMatchObject({ intervalMinutes: 30 });

    await button(page, 'Delete').click();
    await dialog(page).getByRole('button', { name: 'Delete feed' }).click();
    await page.getByText('No feeds yet').waitFor();
  });

  it('takes its feeds to another reader and back', async () => {
    await openDailyNews();
    await page.goto('/admin/feeds');
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Export OPML' }).click();
    const file = await download;
    expect(file.suggestedFilename()).toBe('feeds.opml');
    const opml = await readFile(await file.path(), 'utf8');
    expect(opml).toContain(publisher.url('/feed.xml'));

    await service.admin('DELETE', 'feeds/daily-news');
    const buffer = Buffer.from(opml.replace('</body>', '<outline type="rss" xmlUrl="gopher://old.example/"/></body>'));
    const input = page.locator('input[type=file]');
    const broken = { name: 'photo.opml', mimeType: 'text/xml', buffer: Buffer.from('not OPML') };
    await input.setInputFiles([{ name: 'feeds.opml', mimeType: 'text/xml', buffer }, broken]);
    await page.getByText(/^photo\.opml: /).waitFor();
    await page.getByText(/1 feed added/).waitFor();
    await page.getByText(/gopher:\/\/old\.example/).waitFor();
    await link(page, 'Daily News').waitFor();
  });
}
