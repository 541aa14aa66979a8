import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { FeedServer, rssDocument } from '../feeds/feed-server.js';
import type { TestService } from '../support/service.js';
import { button, dialog, heading, link } from './admin-pages.js';
import { openAdmin, removeAll } from './admin-suite.js';
import { describeInBrowser } from './browser.js';

describeInBrowser('the Feeds page', () => {
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
    await page.getByRole('alert').getByText(/5/).waitFor();
    await page.getByLabel('Minutes between fetches').fill('30');
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
});
