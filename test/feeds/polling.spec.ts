import type { ServerResponse } from 'node:http';
import { jest } from '@jest/globals';
import { DatabaseUnavailable } from '../../src/platform/database/database.errors.js';
import { FeedReader } from '../../src/features/feeds/reading/reader.service.js';
import { until } from '../support/until.js';
import { FeedServer, rssDocument } from './feed-server.js';
import { openFeedWorld } from './feed-suite.js';
import { FeedWorld } from './feed-world.js';

const DAY_MINUTES = 24 * 60;

const reader = new FeedReader();
afterAll(() => reader.beforeApplicationShutdown());

describe('polling', () => {
  let publisher: FeedServer;
  let world: FeedWorld;
  openFeedWorld(reader, (opened) => ({ publisher, world } = opened));

  const publish = (path: string, ids: string[], channel = '') =>
    publisher.publish(
      path,
      rssDocument(
        `Feed ${path.slice(1)}`,
        ids.map((id) => ({ id })),
        channel,
      ),
    );
  const subscribe = (path: string) => world.subscribe(publisher.url(path));

  it('fetches a feed when it is due, not before, and requests only new items', async () => {
    publish('/a', ['1']);
    const id = await subscribe('/a');
    await world.after(29);
    expect(publisher.count('/a')).toBe(1);
    await world.after(1);
    await world.after(29);
    expect(publisher.count('/a')).toBe(2);
    expect(publisher.requests[1]?.headers).toHaveProperty('if-none-match');
    publish('/a', ['2', '1']);
    await world.after(1);
    expect((await world.titles(id)).sort()).toEqual(['Item 1', 'Item 2']);
  });

  it('gives a re-created feed nothing of what was fetched for the one before', async () => {
    publish('/a', ['1']);
    const id = await subscribe('/a');
    const feed = await world.feeds.get(id);
    const held = Promise.withResolvers<ServerResponse>();
    publisher.on('/a', (_, response) => held.resolve(response));
    const refreshing = world.refresh(id);
    const response = await held.promise;
    await world.store.delete(id);
    await world.store.create({ ...feed, url: publisher.url('/b') });
    response.writeHead(200).end(rssDocument('Feed a', [{ id: '2' }]));
    await refreshing;
    expect([(await world.feeds.get(id)).url, await world.titles(id)]).toEqual([publisher.url('/b'), []]);
  });

  it('announces a new feed even if its items could not be stored', async () => {
    publish('/a', ['1']);
    jest.spyOn(world.items, 'save').mockRejectedValueOnce(new Error('no database'));
    await expect(subscribe('/a')).rejects.toThrow('no database');
    expect(world.recorded.sent).toEqual([['feeds.changed', { added: ['feed-a'] }]]);
    await world.after(5);
    expect(await world.titles('feed-a')).toEqual(['Item 1']);
  });

  it('fetches a feed again after its items could not be stored', async () => {
    publish('/a', ['1']);
    const id = await subscribe('/a');
    publish('/a', ['2', '1']);
    jest.spyOn(world.items, 'save').mockRejectedValueOnce(new Error('the database is away'));
    await expect(world.refresh(id)).rejects.toThrow('the database is away');
    await world.refresh(id);
    expect(await world.titles(id)).toContain('Item 2');
  });

  it('sends back Last-Modified as it came', async () => {
    const modified = 'Sat, 21 Nov 2026 10:00:00 GMT';
    publisher.answer('/a', 200, { 'last-modified': modified }, rssDocument('A', []));
    await subscribe('/a');
    await world.after(30);
    expect(publisher.requests[1]?.headers).toMatchObject({ 'if-modified-since': modified });
  });

  it('keeps the validators after a 304 without them', async () => {
    publisher.on('/a', (request, response) => {
      if (request.headers['if-none-match']) response.writeHead(304).end();
      else response.writeHead(200, { etag: '"1"' }).end(rssDocument('A', []));
    });
    const id = await subscribe('/a');
    await world.after(30);
    await world.after(30);
    expect(publisher.requests.map(({ headers }) => headers['if-none-match'])).toEqual([undefined, '"1"', '"1"']);
    expect(await world.feeds.get(id)).toMatchObject({ failures: 0, etag: '"1"' });
  });

  it('announces new items, once, and nothing when there are none', async () => {
    publish('/a', ['1']);
    const id = await subscribe('/a');
    const { sent } = world.recorded;
    expect(sent).toEqual([
      ['feed.updated', { feed: id, newItems: 1, changedItems: [] }],
      ['feed.items.arrived', { feed: id, items: [expect.any(String)], isBacklog: true }],
      ['feeds.changed', { added: [id] }],
    ]);
    await world.after(30);
    expect(sent).toHaveLength(3);
    const [item] = (await world.feeds.listItems({ feed: id, limit: 1 })).items;
    publisher.publish('/a', rssDocument('Feed a', [{ id: '1', text: 'Rewritten' }, { id: '2' }]));
    await world.after(30);
    const stored = (await world.feeds.listItems({ feed: id, limit: 2 })).items;
    const added = stored.filter((one) => one.id !== item?.id).map((one) => one.id);
    expect(sent.slice(3)).toEqual([
      ['feed.updated', { feed: id, newItems: 1, changedItems: [item?.id] }],
      ['feed.items.arrived', { feed: id, items: added, isBacklog: false }],
    ]);
  });

  it('announces new items, once, also when the database fails after storing them', async () => {
    publish('/a', ['1']);
    const id = await subscribe('/a');
    publish('/a', ['2', '1']);
    world.recorded.sent.length = 0;
    jest
      .spyOn(world.store, 'change')
      .mockRejectedValueOnce(new DatabaseUnavailable('away', { cause: null, isLasting: false }));
    await expect(world.refresh(id)).rejects.toThrow('away');
    await world.refresh(id);
    const arrived = world.recorded.sent.filter(([name]) => name === 'feed.items.arrived');
    expect(arrived).toEqual([['feed.items.arrived', { feed: id, items: [expect.any(String)], isBacklog: false }]]);
  });

  it('takes a new title over, but not that of an administrator', async () => {
    publish('/a', []);
    publish('/b', []);
    const [a, b] = [await subscribe('/a'), await subscribe('/b')];
    await world.feeds.update(b, { title: 'Mine' });
    publisher.publish('/a', rssDocument('Renamed', []));
    publisher.publish('/b', rssDocument('Renamed', []));
    await world.after(30);
    expect(await world.feeds.get(a)).toMatchObject({ id: 'feed-a', publishedTitle: 'Renamed' });
    expect(await world.feeds.get(b)).toMatchObject({ customTitle: 'Mine', publishedTitle: 'Renamed' });
  });

  describe('follows redirects', () => {
    it.each([301, 308])('and remembers a %i', async (status) => {
      publish('/old', ['1']);
      const id = await subscribe('/old');
      publisher.answer('/old', status, { location: '/new' });
      publish('/new', ['1']);
      await world.after(30);
      await world.after(30);
      expect((await world.feeds.get(id)).url).toBe(publisher.url('/new'));
      expect([publisher.count('/old'), publisher.count('/new')]).toEqual([2, 2]);
    });

    it.each([302, 303, 307])('and forgets a %i', async (status) => {
      publish('/old', ['1']);
      const id = await subscribe('/old');
      publisher.answer('/old', status, { location: '/new' });
      publish('/new', ['1']);
      await world.after(30);
      expect((await world.feeds.get(id)).url).toBe(publisher.url('/old'));
    });

    it('as far as they are permanent', async () => {
      publisher.answer('/a', 301, { location: '/b' });
      publisher.answer('/b', 302, { location: '/c' });
      publisher.answer('/c', 301, { location: '/d' });
      publish('/d', ['1']);
      expect((await world.feeds.get(await subscribe('/a'))).url).toBe(publisher.url('/b'));
    });

    it('but not to something other than a feed', async () => {
      publish('/old', ['1']);
      const id = await subscribe('/old');
      publisher.answer('/old', 301, { location: '/parked' });
      publisher.answer('/parked', 200, { 'content-type': 'text/html' }, '<html>For sale</html>');
      await world.after(30);
      expect(await world.feeds.get(id)).toMatchObject({ url: publisher.url('/old'), failures: 1 });
    });

    it('and remembers none that is longer than the URL of a feed may be', async () => {
      publish('/a', ['1']);
      const id = await subscribe('/a');
      const long = `/${'x'.repeat(2000)}`;
      publisher.answer('/a', 301, { location: '/b' });
      publisher.answer('/b', 301, { location: long });
      publish(long, ['2']);
      await world.after(30);
      expect(await world.feeds.get(id)).toMatchObject({ url: publisher.url('/b'), failures: 0 });
      expect(await world.titles(id)).toHaveLength(2);
    });

    it('and subscribes to none that is longer, whatever a page announces', async () => {
      const link = (path: string) => `<link rel="alternate" type="application/rss+xml" href="${path}">`;
      const long = `/${'x'.repeat(2000)}`;
      publisher.answer('/', 200, { 'content-type': 'text/html' }, `<html>${link(long)}${link('/a')}`);
      publish(long, ['1']);
      publish('/a', ['1']);
      expect((await world.feeds.get(await subscribe('/'))).url).toBe(publisher.url('/a'));
    });

    it('and subscribes to the second feed that a page announces when the first cannot be fetched', async () => {
      const link = (url: string) => `<link rel="alternate" type="application/rss+xml" href="${url}">`;
      publisher.answer('/', 200, { 'content-type': 'text/html' }, `<html>${link('http://127.0.0.1:1/')}${link('/a')}`);
      publish('/a', ['1']);
      expect((await world.feeds.get(await subscribe('/'))).url).toBe(publisher.url('/a'));
    });

    it('and says why when none of the feeds that a page announces can be fetched', async () => {
      const link = '<link rel="alternate" type="application/rss+xml" href="http://127.0.0.1:1/">';
      publisher.answer('/', 200, { 'content-type': 'text/html' }, `<html>${link}`);
      await expect(subscribe('/')).rejects.toThrow("http://127.0.0.1:1/ can't be reached: connect ECONNREFUSED");
    });

    it('by one URL, whatever fragment it has', async () => {
      const link = '<link rel="alternate" type="application/rss+xml" href="/a#posts">';
      publisher.answer('/', 200, { 'content-type': 'text/html' }, `<html>${link}`);
      publish('/a', ['1']);
      const id = await subscribe('/');
      expect((await world.feeds.get(id)).url).toBe(publisher.url('/a'));
      publisher.answer('/a', 301, { location: '/b#posts' });
      publish('/b', ['1']);
      await world.after(30);
      expect((await world.feeds.get(id)).url).toBe(publisher.url('/b'));
    });

    it('to a feed that is subscribed to as well, without losing one', async () => {
      publish('/a', ['1']);
      publish('/b', ['2']);
      const [a, b] = [await subscribe('/a'), await subscribe('/b')];
      publisher.answer('/a', 301, { location: '/b' });
      await world.after(30);
      expect((await world.feeds.get(a)).url).toBe(publisher.url('/a'));
      expect((await world.feeds.get(b)).url).toBe(publisher.url('/b'));
      expect(await world.subscriptions.subscribe(publisher.url('/a'), new AbortController().signal)).toMatchObject({
        isNew: false,
      });
    });

    it('to a private address never', async () => {
      publish('/a', ['1']);
      const id = await subscribe('/a');
      publisher.answer('/a', 302, { location: 'http://169.254.169.254/latest/meta-data/' });
      await world.after(30);
      expect((await world.feeds.get(id)).lastError).toContain(
        '169.254.169.254 is not a public address (cloud metadata)',
      );
    });
  });

  describe('after a failure', () => {
    it('waits longer and longer, up to a day, and shows why', async () => {
      publish('/a', ['1']);
      const id = await subscribe('/a');
      publisher.answer('/a', 500);
      const waits: (number | null)[] = [];
      await world.after(30);
      for (let failure = 1; failure <= 9; failure += 1) {
        const wait = (await world.minutesToNext(id)) ?? 0;
        waits.push(wait);
        await world.after(wait);
      }
      expect(waits).toEqual([22.5, 45, 90, 180, 360, 720, 1440, 1440, 1440]);
      expect(await world.feeds.get(id)).toMatchObject({ failures: 10, lastError: 'HTTP 500 Internal Server Error' });
      publish('/a', ['2']);
      await world.after(DAY_MINUTES);
      expect(await world.feeds.get(id)).toMatchObject({ failures: 0, lastError: null });
      expect(await world.minutesToNext(id)).toBe(30);
      expect(await world.titles(id)).toEqual(expect.arrayContaining(['Item 1', 'Item 2']));
    });

    it('of one feed, fetches the others', async () => {
      for (const path of ['/a', '/b', '/c', '/d', '/e', '/f']) {
        publish(path, ['1']);
        await subscribe(path);
      }
      publisher.answer('/a', 500).answer('/b', 404).answer('/d', 200, {}, '{"broken');
      publisher.on('/c', (request) => request.socket.destroy());
      publish('/e', ['2']);
      publish('/f', ['2']);
      await world.after(30);
      const states = (await world.feeds.listPage({ limit: 100 })).items.map(({ id, lastError }) => [id, lastError]);
      expect(states).toEqual([
        ['feed-a', 'HTTP 500 Internal Server Error'],
        ['feed-b', 'HTTP 404 Not Found'],
        ['feed-c', expect.stringContaining('the server closed the connection')],
        ['feed-d', expect.stringContaining('it is not RSS, Atom or JSON Feed')],
        ['feed-e', null],
        ['feed-f', null],
      ]);
      expect((await world.titles()).filter((title) => title === 'Item 2')).toHaveLength(2);
    });

    it('reports once that it fails, and once that it recovered', async () => {
      publish('/a', ['1']);
      const id = await subscribe('/a');
      world.recorded.sent.length = 0;
      publisher.answer('/a', 500);
      await world.after(30);
      await world.after(30);
      expect(world.recorded.sent).toEqual([['feed.updated', { feed: id, newItems: 0, changedItems: [] }]]);
    });
  });

  describe('does what the publisher asks', () => {
    it.each([
      [429, '7200', 120],
      [503, 'Sat, 21 Nov 2026 15:30:00 GMT', 180],
      [429, '1', 5],
      [503, 'later', 22.5],
    ])('after a %i with Retry-After %s', async (status, retryAfter, minutes) => {
      publish('/a', ['1']);
      const id = await subscribe('/a');
      publisher.answer('/a', status, { 'retry-after': retryAfter });
      await world.after(30);
      expect(await world.minutesToNext(id)).toBe(minutes);
    });

    it('after a 410: it asks no more, until an administrator does', async () => {
      publish('/a', ['1']);
      const id = await subscribe('/a');
      publisher.answer('/a', 410);
      await world.after(30);
      expect(await world.feeds.get(id)).toMatchObject({ isGone: true, nextPollAt: null, lastError: 'HTTP 410 Gone' });
      await world.after(30 * DAY_MINUTES);
      expect(publisher.count('/a')).toBe(2);
      publish('/a', ['2']);
      await world.refresh(id);
      expect(await world.feeds.get(id)).toMatchObject({ isGone: false, failures: 0 });
    });

    it.each([
      ['<ttl>90</ttl>', {}, 90],
      ['<sy:updatePeriod xmlns:sy="http://purl.org/rss/1.0/modules/syndication/">daily</sy:updatePeriod>', {}, 1440],
      ['', { 'cache-control': 'public, max-age=7200' }, 120],
      ['', { 'cache-control': 'no-cache, max-age=7200' }, 30],
      ['<ttl>1</ttl>', { 'cache-control': 'max-age=60' }, 5],
    ])('%s %j', async (channel, headers, minutes) => {
      publisher.publish('/a', rssDocument('A', [], channel), headers);
      const id = await subscribe('/a');
      expect(await world.minutesToNext(id)).toBe(minutes);
      await world.after(minutes);
      expect(await world.minutesToNext(id)).toBe(minutes); // also after a 304
    });
  });

  it('goes by the interval of an administrator, and stops while paused', async () => {
    publish('/a', ['1']);
    const id = await subscribe('/a');
    await world.feeds.update(id, { intervalMinutes: 10 });
    await world.after(10);
    expect(publisher.count('/a')).toBe(2);
    await world.feeds.update(id, { paused: true });
    await world.after(DAY_MINUTES);
    expect(publisher.count('/a')).toBe(2);
    await world.feeds.update(id, { paused: false });
    await world.after(0);
    expect(publisher.count('/a')).toBe(3);
  });

  it('keeps what an administrator decides during a fetch', async () => {
    publish('/a', ['1']);
    const id = await subscribe('/a');
    publisher.on('/a', (_request, response) => {
      void world.feeds.update(id, { title: 'Mine', paused: true }).then(() => response.end(rssDocument('New', [])));
    });
    await world.after(30);
    expect(await world.feeds.get(id)).toMatchObject({ customTitle: 'Mine', isPaused: true, publishedTitle: 'New' });
  });

  it.each(['first', 'last'])('keeps what an administrator decides while a fetch ends, and comes %s', async (when) => {
    publish('/a', ['1']);
    const feed = await world.feeds.get(await subscribe('/a'));
    const decide = () => world.feeds.update(feed.id, { title: 'Mine', paused: true });
    const end = () => world.refresher.apply(feed, { kind: 'failed', error: 'HTTP 500' }, world.clock.time);
    await Promise.all((when === 'first' ? [decide, end] : [end, decide]).map((act) => act()));
    const after = await world.feeds.get(feed.id);
    expect(after).toMatchObject({ customTitle: 'Mine', isPaused: true, failures: 1, lastError: 'HTTP 500' });
  });

  it('lets a feed be ended during a fetch', async () => {
    publish('/a', ['1']);
    const id = await subscribe('/a');
    publisher.on('/a', (_request, response) => {
      void world.feeds
        .get(id)
        .then((feed) => world.subscriptions.unsubscribe(feed))
        .then(() => response.end(rssDocument('New', [{ id: '2' }])));
    });
    await world.after(30);
    expect((await world.feeds.listPage({ limit: 1 })).items).toEqual([]);
    expect(await world.titles()).toEqual([]);
  });

  it.each([['goes on'], ['starts anew']])('follows a clock that was a day ahead, in a process that %s', async (how) => {
    publish('/a', ['1']);
    const id = await subscribe('/a');
    const start = world.clock.time;
    await world.after(24 * 60);
    expect(publisher.count('/a')).toBe(2);
    if (how === 'starts anew') world = await FeedWorld.open(reader, world.database);
    world.clock.time = start;
    await world.after(1);
    expect(publisher.count('/a')).toBe(3);
    expect(await world.minutesToNext(id)).toBeLessThan(60);
    await world.after(1);
    expect(publisher.count('/a')).toBe(3);
  });

  describe('fetches nothing twice', () => {
    it('when ticks, refreshes and replicas come together', async () => {
      publish('/a', ['1']);
      const id = await subscribe('/a');
      const replica = await FeedWorld.open(reader, world.database);
      replica.clock.time = world.clock.time = new Date(world.clock.time.getTime() + 30 * 60_000);
      const ticks = [world, world, replica, replica].map(({ poller }) => poller.tick(world.clock.time));
      await Promise.all([...ticks, world.refresh(id), world.refresh(id)]);
      // The refresh may come after the tick; but two ticks, or two refreshes, send only one request.
      expect(publisher.count('/a')).toBeLessThanOrEqual(3);
      await Promise.all([world, replica].map(({ poller }) => poller.tick(world.clock.time)));
      expect(publisher.count('/a')).toBeLessThanOrEqual(3);
    });

    it('when replicas tick at the same time', async () => {
      publish('/a', ['1']);
      publish('/b', ['1']);
      await subscribe('/a');
      await subscribe('/b');
      const replica = await FeedWorld.open(reader, world.database);
      await Promise.all([world.after(30), replica.after(30)]);
      expect([publisher.count('/a'), publisher.count('/b')]).toEqual([2, 2]);
    });
  });

  it('fetches four at once', async () => {
    let [open, most] = [0, 0];
    const waiting: (() => void)[] = [];
    const paths = Array.from({ length: 10 }, (_, index) => `/${index}`);
    for (const path of paths) {
      publish(path, []);
      await subscribe(path);
      publisher.on(path, (_request, response) => {
        most = Math.max(most, (open += 1));
        waiting.push(() => {
          open -= 1;
          response.writeHead(304).end();
        });
      });
    }
    const ticking = world.after(30);
    for (let answered = 0; answered < paths.length; answered += 1) {
      await until(() => waiting.length > 0 && (open === 4 || paths.length - answered === open));
      waiting.shift()?.();
    }
    await ticking;
    expect(most).toBe(4);
  });

  it('counts from the time at which it fetches a feed, however long the others took', async () => {
    const paths = ['/a', '/b', '/c', '/d', '/e'];
    for (const path of paths) {
      publish(path, []);
      await subscribe(path);
    }
    const due = world.clock.time.getTime() + 30 * 60_000;
    const later = (minutes: number) => new Date(due + minutes * 60_000);
    const waiting: ServerResponse[] = [];
    for (const path of paths.slice(0, 4)) {
      publisher.on(path, (_request, response) => {
        if (waiting.push(response) < 4) return;
        world.clock.time = later(10);
        for (const one of waiting) one.writeHead(304).end();
      });
    }
    let claimedUntil: Date | null = null;
    publisher.on('/e', (_request, response) => {
      void world.feeds.get('feed-e').then(({ nextPollAt }) => {
        claimedUntil = nextPollAt;
        response.writeHead(503, { 'retry-after': '7200' }).end();
      });
    });
    await world.after(30);
    expect(claimedUntil).toEqual(later(15));
    expect(await world.feeds.get('feed-e')).toMatchObject({ lastFetchedAt: later(10), nextPollAt: later(130) });
  });

  it('forgets old items, but none that the publisher still shows', async () => {
    const old = 'Sat, 01 Aug 2026 10:00:00 GMT';
    publisher.publish('/a', rssDocument('A', [{ id: 'shown', at: old }, { id: 'dropped', at: old }, { id: 'new' }]));
    const id = await subscribe('/a');
    await world.after(30);
    expect(await world.titles(id)).toHaveLength(3);
    publisher.publish('/a', rssDocument('A', [{ id: 'shown', at: old }]));
    await world.after(61);
    expect(await world.titles(id)).toEqual(['Item new', 'Item shown']);
    world.recorded.sent.length = 0;
    await world.after(61);
    expect(world.recorded.sent).toEqual([]);
  });

  it('does not take a cut document for one that dropped its items', async () => {
    const old = 'Sat, 01 Aug 2026 10:00:00 GMT';
    const whole = rssDocument('A', [{ id: '1' }, { id: '2', at: old }]);
    publisher.publish('/a', whole);
    const id = await subscribe('/a');
    publisher.publish('/a', whole.slice(0, whole.lastIndexOf('<item>') + 20));
    await world.after(30);
    await world.after(61);
    expect(await world.titles(id)).toEqual(['Item 1', 'Item 2']);
  });

  it('stops when the service does', async () => {
    publish('/a', ['1']);
    await subscribe('/a');
    let isAsked = false;
    publisher.on('/a', () => void (isAsked = true));
    const ticking = world.after(30);
    await until(() => isAsked);
    await world.poller.beforeApplicationShutdown();
    await ticking;
    expect((await world.feeds.get('feed-a')).failures).toBe(0);
  });

  it('stops when the service does, however many old items are still to be deleted', async () => {
    const stops: Promise<void>[] = [];
    let parts = 0;
    jest.spyOn(world.items, 'prune').mockImplementation(async (_before, limit) => {
      parts += 1;
      if (parts === 1) stops.push(world.poller.beforeApplicationShutdown());
      return parts < 1_000 ? limit : 0;
    });
    await world.after(61);
    await Promise.all(stops);
    expect(parts).toBe(1);
  });
});
