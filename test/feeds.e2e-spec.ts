import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import {
  ResourceListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { FeedServer, rssDocument } from './feeds/feed-server.js';
import { TestService } from './support/service.js';
import { unsaid } from './support/unsaid.js';
import { until } from './support/until.js';

interface Subscribed {
  isNew: boolean;
  feed: { id: string; uri: string };
  latest: string[];
}

interface Listed {
  items: { title: string; uri: string; feed: string; summary: string }[];
  hasMore: boolean;
}

describe('feeds', () => {
  let service: TestService;
  let publisher: FeedServer;
  let client: Client;

  beforeEach(async () => {
    publisher = await FeedServer.start();
    service = await TestService.start({ env: { HTTP_ALLOWED_HOSTS: '127.0.0.1' } });
    client = await service.connect();
  });
  afterEach(async () => {
    await service.stop();
    publisher.stop();
  });

  const call = async <Result>(name: string, args: Record<string, unknown>): Promise<Result> => {
    const result = await client.callTool({ name, arguments: args });
    if (result.isError) throw new Error(JSON.stringify(result.content));
    expect(unsaid(result)).toEqual([]);
    return result.structuredContent as Result;
  };
  const read = async (uri: string): Promise<string> => {
    const [content] = (await client.readResource({ uri })).contents;
    expect(content).toMatchObject({ uri, mimeType: 'text/markdown' });
    return content && 'text' in content ? content.text : '';
  };
  const subscribed = (path = '/feed.xml') => call<Subscribed>('feed_subscribe', { url: publisher.url(path) });

  it('are read and searched by administrators, all together or one by one', async () => {
    publisher.publish('/feed.xml', rssDocument('Daily News', [{ id: 'a', text: 'About Zürich' }, { id: 'b' }]));
    publisher.publish('/other.xml', rssDocument('Other', [{ id: 'c', at: 'Sat, 21 Nov 2026 10:00:00 GMT' }]));
    for (const path of ['/feed.xml', '/other.xml']) await service.admin('POST', 'feeds', { url: publisher.url(path) });
    const ask = async (path: string) => (await service.admin('GET', path)).body as { items: Record<string, unknown>[] };
    const { items } = await ask('feed-items');
    expect(items.map(({ title }) => title)).toEqual(['Item c', expect.any(String), expect.any(String)]);
    expect(items[0]).toMatchObject({
      feed: { id: 'other', title: 'Other' },
      uri: expect.stringContaining('rss://other/') as string,
    });
    expect(items[0]).not.toHaveProperty('content');
    const found = await ask('feed-items?q=zurich%20about&feed=daily-news');
    expect(found.items).toMatchObject([{ title: 'Item a', url: 'https://site.example/a' }]);
    const [first] = found.items;
    expect(await ask(`feed-items/daily-news/${String(first?.['id'])}`)).toMatchObject({
      ...first,
      content: expect.stringContaining('About Zürich') as string,
    });
    for (const path of ['feed-items/daily-news/none', 'feed-items/none/none', 'feed-items?feed=none']) {
      expect((await service.admin('GET', path)).status).toBe(404);
    }
  });

  describe('over MCP', () => {
    it('are subscribed to, read, searched and unsubscribed from by skills', async () => {
      publisher.publish('/feed.xml', rssDocument('Daily News', [{ id: 'b' }, { id: 'a', text: 'About Zürich' }]));
      expect(await subscribed()).toMatchObject({
        isNew: true,
        feed: { id: 'daily-news', title: 'Daily News', url: publisher.url('/feed.xml'), uri: 'rss://daily-news' },
        latest: expect.arrayContaining(['Item a', 'Item b']) as string[],
      });
      expect(await subscribed()).toMatchObject({ isNew: false, feed: { id: 'daily-news' } });
      expect(publisher.count('/feed.xml')).toBe(1);
      const found = await call<Listed>('feed_items', { query: 'zurich about', since: '2026-11-01', limit: 5 });
      expect(found).toMatchObject({
        items: [{ title: 'Item a', feed: 'daily-news', summary: 'About Zürich' }],
        hasMore: false,
      });
      const newest = await call<Listed>('feed_items', { feed: 'daily-news', limit: 1 });
      expect(await call<Listed>('feed_items', { feed: 'rss://daily-news', limit: 1 })).toEqual(newest);
      expect(newest).toMatchObject({ hasMore: true });
      const [one] = newest.items;
      const older = await call<Listed>('feed_items', { feed: 'daily-news', limit: 1, before: one?.uri });
      expect(older).toMatchObject({ items: [expect.any(Object)], hasMore: false });
      expect(older.items[0]?.uri).not.toBe(one?.uri);
      expect(await call<Listed>('feed_items', { before: '2000-01-01' })).toMatchObject({
        items: [],
        hint: 'There are no items that fit before 2000-01-01.',
      });
      const written = publisher.url('/feed.xml').replace('http://', 'HTTP://');
      expect(await call<Listed>('feed_items', { feed: written, limit: 1 })).toEqual(newest);
      await call('feed_unsubscribe', { feed: 'rss://daily-news' });
      expect(await call<Listed>('feed_items', {})).toMatchObject({ items: [], hasMore: false });
      await subscribed();
      await call('feed_unsubscribe', { feed: publisher.url('/feed.xml') });
      expect(await call<Listed>('feed_items', {})).toMatchObject({ items: [], hasMore: false });
    });

    it('tell a model what to do about its mistakes', async () => {
      publisher.publish('/feed.xml', rssDocument('Daily News', []));
      await subscribed();
      await expect(call('feed_items', { feed: 'weekly' })).rejects.toThrow('The feeds are: daily-news');
      await expect(call('feed_unsubscribe', { feed: 'weekly' })).rejects.toThrow('The feeds are: daily-news');
      await expect(call('feed_subscribe', { url: publisher.url('/none') })).rejects.toThrow('HTTP 404 Not Found');
      await expect(call('feed_subscribe', { url: 'http://10.0.0.1/' })).rejects.toThrow('http.allowed_hosts');
      await expect(call('feed_items', { since: 'yesterday' })).rejects.toThrow('since: does not fit: Only items');
      await expect(call('feed_items', { since: '2026-02-30' })).rejects.toThrow('no such day');
      await expect(call('feed_items', { before: 'yesterday' })).rejects.toThrow('must be the uri of an item');
    });

    it('are resources: listed, completed and read', async () => {
      publisher.publish(
        '/feed.xml',
        rssDocument('Daily News', [{ id: 'a', text: '&lt;p&gt;A &lt;b&gt;bold&lt;/b&gt; text&lt;/p&gt;' }]),
      );
      const [item] = (await subscribed()) && (await call<Listed>('feed_items', {})).items;
      const itemId = item?.uri.split('/').at(-1) ?? '';
      const { resources } = await client.listResources();
      expect(resources).toContainEqual({
        uri: 'rss://daily-news',
        name: 'daily-news',
        title: 'Daily News',
        mimeType: 'text/markdown',
      });
      const { resourceTemplates } = await client.listResourceTemplates();
      const uris = resourceTemplates.map(({ uriTemplate }) => uriTemplate);
      expect(uris).toEqual(expect.arrayContaining(['rss://{feed}', 'rss://{feed}/{item}']));
      const complete = async (uri: string, name: string, value: string, chosen?: Record<string, string>) => {
        const ref = { type: 'ref/resource' as const, uri };
        const context = chosen && { arguments: chosen };
        return (await client.complete({ ref, argument: { name, value }, context })).completion.values;
      };
      expect(await complete('rss://{feed}', 'feed', 'dai')).toEqual(['daily-news']);
      expect(await complete('rss://{feed}/{item}', 'feed', 'x')).toEqual([]);
      expect(await complete('rss://{feed}/{item}', 'item', itemId.slice(0, 3))).toEqual([itemId]);
      expect(await complete('rss://{feed}/{item}', 'item', '', { feed: 'daily-news' })).toEqual([itemId]);
      expect(await complete('rss://{feed}/{item}', 'item', '', { feed: 'another' })).toEqual([]);
      const feed = await read('rss://daily-news');
      expect(feed).toMatch(/^# Daily News\n/);
      expect(feed).toContain(`## Item a\n\n- Resource: <${item?.uri}>\n- Link: <https://site.example/a>`);
      expect(await read(`rss://daily-news/${itemId}`)).toMatch(/^# Item a\n[\s\S]*\n\nA \*\*bold\*\* text\n$/);
      for (const uri of ['rss://weekly', 'rss://daily-news/none', 'rss://', 'rss://a/b/c', 'rss://../x']) {
        await expect(client.readResource({ uri })).rejects.toMatchObject({ code: -32002 });
      }
    });

    it('notify subscribers of new items', async () => {
      const updated: string[] = [];
      let listChanges = 0;
      client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void updated.push(params.uri));
      client.setNotificationHandler(ResourceListChangedNotificationSchema, () => void (listChanges += 1));
      publisher.publish('/feed.xml', rssDocument('Daily News', [{ id: 'a' }]));
      await subscribed();
      await until(() => listChanges > 0);
      const [item] = (await call<Listed>('feed_items', {})).items;
      await client.subscribeResource({ uri: 'rss://daily-news' });
      await client.subscribeResource({ uri: item?.uri ?? '' });
      publisher.publish('/feed.xml', rssDocument('Daily News', [{ id: 'b' }, { id: 'a', text: 'Rewritten' }]));
      await service.admin('POST', 'feeds/daily-news/refresh');
      await until(() => updated.length >= 2);
      expect([...new Set(updated)].sort()).toEqual(['rss://daily-news', item?.uri].sort());
      expect(await read('rss://daily-news')).toContain('Item b');
      expect(await read(item?.uri ?? '')).toContain('Rewritten');
    });
  });

  describe('in the administration', () => {
    const subscribe = (path: string) => service.admin('POST', 'feeds', { url: publisher.url(path) });

    it('are created, found, changed, refreshed and deleted', async () => {
      publisher.publish('/feed.xml', rssDocument('Daily News', [{ id: 'a' }, { id: 'b' }]));
      const created = await subscribe('/feed.xml');
      expect(created).toMatchObject({
        status: 201,
        body: { id: 'daily-news', isNew: true, items: 2, state: 'active' },
      });
      expect((await service.admin('GET', 'feeds?q=DAILY')).body).toMatchObject({
        items: [{ id: 'daily-news', lastError: null, failures: 0 }],
        nextCursor: null,
      });
      expect((await service.admin('GET', 'feeds?q=weekly')).body).toEqual({ items: [], nextCursor: null });
      const patched = await service.admin('PATCH', 'feeds/daily-news', {
        title: 'Mine',
        intervalMinutes: 60,
        paused: true,
      });
      expect(patched.body).toMatchObject({ title: 'Mine', intervalMinutes: 60, state: 'paused', nextPollAt: null });
      const reset = await service.admin('PATCH', 'feeds/daily-news', {
        title: null,
        intervalMinutes: null,
        paused: false,
      });
      expect(reset.body).toMatchObject({ title: 'Daily News', intervalMinutes: null, state: 'active' });
      const items = await service.admin('GET', 'feeds/daily-news/items?limit=1');
      expect(items.body).toMatchObject({
        items: [{ content: expect.any(String) as string }],
        nextCursor: expect.any(String) as string,
      });
      const next = await service.admin(
        'GET',
        `feeds/daily-news/items?limit=1&cursor=${String(items.body['nextCursor'])}`,
      );
      expect(next.body).toMatchObject({ items: [{ summary: 'Text of a' }], nextCursor: null });
      expect((await service.admin('GET', 'feeds/daily-news/items?q=of+b')).body['items']).toHaveLength(1);
      publisher.answer('/feed.xml', 500);
      const refreshed = await service.admin('POST', 'feeds/daily-news/refresh');
      expect(refreshed).toMatchObject({
        status: 200,
        body: {
          state: 'failing',
          failures: 1,
          lastError: 'HTTP 500 Internal Server Error',
          nextPollAt: expect.any(String) as string,
        },
      });
      expect((await service.admin('DELETE', 'feeds/daily-news')).status).toBe(204);
      expect(await service.admin('GET', 'feeds/daily-news')).toMatchObject({
        status: 404,
        body: { code: 'feeds.feed_not_found' },
      });
    });

    it('are refused with the reason', async () => {
      publisher.answer('/page', 200, { 'content-type': 'text/html' }, '<html><body>hi</body></html>');
      expect(await subscribe('/page')).toMatchObject({
        status: 400,
        body: { code: 'feeds.feed_not_readable', errors: [{ path: 'url' }] },
      });
      expect(await service.admin('POST', 'feeds', { url: 'http://192.168.0.1/' })).toMatchObject({
        status: 403,
        body: { code: 'http.host_not_allowed' },
      });
      expect(await service.admin('POST', 'feeds', {})).toMatchObject({ status: 400, body: { code: 'invalid_body' } });
      expect(await service.admin('POST', 'feeds/opml', { opml: '<html/>' })).toMatchObject({
        status: 400,
        body: { code: 'feeds.invalid_opml' },
      });
      for (const change of [{ intervalMinutes: 1 }, { intervalMinutes: 2.5 }, { paused: 'yes' }, { other: 1 }]) {
        expect((await service.admin('PATCH', 'feeds/x', change)).status).toBe(400);
      }
    });

    it('are imported and exported as OPML', async () => {
      const opml = `<?xml version="1.0"?><!DOCTYPE opml [<!ENTITY x "y">]><opml version="2.0"><body>
        <outline text="Work"><outline text="Deep"><outline type="rss" text="One" xmlUrl="${publisher.url('/one')}"/></outline></outline>
        <outline text="Two" xmlUrl="feed://127.0.0.1/two" htmlUrl="https://two.example/"/>
        <outline text="Again" xmlUrl="${publisher.url('/one')}"/>
        <outline text="Odd" xmlUrl="ftp://x.example/"/><outline text="No feed" htmlUrl="https://x.example/"/></body></opml>`;
      expect((await service.admin('POST', 'feeds/opml', { opml })).body).toEqual({
        added: ['one', 'two'],
        existing: 1,
        refused: [{ url: 'ftp://x.example/', reason: expect.stringContaining('only http: and https:') as string }],
      });
      expect((await service.admin('GET', 'feeds/one')).body).toMatchObject({ folders: ['Work', 'Deep'], title: 'One' });
      const exported = await service.askAdmin('GET', 'feeds/opml');
      expect(exported.headers.get('content-type')).toBe('text/x-opml; charset=utf-8');
      const text = await exported.text();
      expect(text).toMatch(/<outline text="Work">\s*<outline text="Deep">\s*<outline text="One"/);
      expect((await service.admin('POST', 'feeds/opml', { opml: text })).body).toMatchObject({
        added: [],
        existing: 2,
      });
    });
  });
});
