import { sql } from 'kysely';
import { untilLocked } from '../../../../test/support/lock-waits.js';
import { growingPartsOf, learned, numbersUpTo, statementsOf } from '../../../platform/database/plans.testing.js';
import { describeEachDatabase } from '../../../platform/database/testing.js';
import type { Page } from '../../../platform/paging/page-cursor.js';
import { FeedItemStore } from './feed-item.store.js';
import type { Feed, FeedItem } from './feed.js';
import { FeedStore } from './feed.store.js';
import { newFeed, newItem, toSave } from '../testing.js';

const at = (minute: number) => new Date(Date.UTC(2026, 10, 21, 10, minute));

describeEachDatabase('the feed store', (open) => {
  it('saves and returns every field of a feed', async () => {
    const store = new FeedStore(await open());
    const feed: Feed = {
      id: 'news',
      url: 'https://news.example/feed',
      publishedTitle: 'News',
      customTitle: 'My news',
      description: 'd',
      siteUrl: 'https://news.example/',
      folders: ['Work', 'Größer'],
      intervalMinutes: 60,
      publishedIntervalMinutes: 15,
      isPaused: true,
      isGone: true,
      etag: 'W/"1"',
      lastModified: 'Sat, 21 Nov 2026 10:00:00 GMT',
      documentHash: 'h',
      failures: 3,
      lastError: 'HTTP 500',
      lastFetchedAt: at(1),
      lastChangedAt: at(0),
      nextPollAt: null,
      createdAt: at(0),
    };
    expect(await store.create(feed)).toBe(true);
    expect(await store.find('news')).toEqual(feed);
    expect(await store.findByUrl(feed.url)).toEqual(feed);
    const changed = { ...feed, customTitle: null, isPaused: false, failures: 0, nextPollAt: at(5) };
    expect(await store.change('news', () => changed)).toEqual({ before: feed, after: changed });
    expect(await store.list()).toEqual([changed]);
    await store.delete('news');
    expect(await store.find('news')).toBeUndefined();
    expect(await store.change('news', () => changed)).toBeUndefined();
    expect(await store.list()).toEqual([]);
  });

  it('accepts an id or a URL only once, even from simultaneous calls', async () => {
    const store = new FeedStore(await open());
    const winners = async (...feeds: Partial<Feed>[]) =>
      (await Promise.all(feeds.map((feed) => store.create(newFeed(feed))))).filter(Boolean).length;
    expect(await winners({ id: 'a', url: 'https://1.example/' }, { id: 'a', url: 'https://2.example/' })).toBe(1);
    expect(await winners({ id: 'b', url: 'https://3.example/' }, { id: 'c', url: 'https://3.example/' })).toBe(1);
    expect(await store.list()).toHaveLength(2);
  });

  it('keeps each of two changes that are made at the same time', async () => {
    const store = new FeedStore(await open());
    await store.create(newFeed({ id: 'a' }));
    await Promise.all([
      store.change('a', (feed) => ({ ...feed, isPaused: true })),
      store.change('a', (feed) => ({ ...feed, failures: feed.failures + 1 })),
      store.change('a', (feed) => ({ ...feed, failures: feed.failures + 1 })),
    ]);
    expect(await store.find('a')).toMatchObject({ isPaused: true, failures: 2 });
  });

  it('lists feeds in pages, and finds them by id, title, URL and folder', async () => {
    const store = new FeedStore(await open());
    await store.create(newFeed({ id: 'a', publishedTitle: '100% Zürich' }));
    await store.create(newFeed({ id: 'b', url: 'https://some_host.example/' }));
    await store.create(newFeed({ id: 'c', folders: ['Wörk!'] }));
    const first = await store.listPage({ limit: 2 });
    const second = await store.listPage({ limit: 2, cursor: first.nextCursor ?? '' });
    expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(['a', 'b', 'c']);
    expect(second.nextCursor).toBeNull();
    const find = async (q: string) => (await store.listPage({ q, limit: 9 })).items.map(({ id }) => id);
    expect(await find('zurich')).toEqual(['a']);
    expect(await find('100%')).toEqual(['a']);
    expect(await find('some_')).toEqual(['b']);
    expect(await find('work!')).toEqual(['c']);
    expect(await find('%')).toEqual(['a']);
  });

  it('lets only one caller claim a due feed', async () => {
    const store = new FeedStore(await open());
    await store.create(newFeed({ id: 'later', nextPollAt: at(9) }));
    await store.create(newFeed({ id: 'second', nextPollAt: at(2) }));
    await store.create(newFeed({ id: 'first', nextPollAt: at(1) }));
    await store.create(newFeed({ id: 'paused', nextPollAt: at(1), isPaused: true }));
    await store.create(newFeed({ id: 'gone', nextPollAt: null, isGone: true }));
    const due = await store.listDue(at(5), 10);
    expect(due.map(({ id }) => id)).toEqual(['first', 'second']);
    const claims = await Promise.all(due.flatMap((feed) => [store.claim(feed, at(8)), store.claim(feed, at(8))]));
    expect(claims.filter(Boolean)).toHaveLength(2);
    expect(await store.listDue(at(5), 10)).toEqual([]);
    expect(await store.listDue(at(8), 10)).toHaveLength(2);
  });
});

describeEachDatabase('many new feeds', (open, dialect) => {
  const wanted = (url: string, ...ids: string[]) => {
    const { id: _id, ...feed } = newFeed({ url });
    return { ...feed, ids };
  };

  it('get the first of their ids that is free, and keep their order', async () => {
    const store = new FeedStore(await open());
    await store.create(newFeed({ id: 'news', url: 'https://known.example/' }));
    const feeds = [
      wanted('https://a.example/', 'news', 'news-2', 'news-3'),
      wanted('https://b.example/', 'news', 'news-2', 'news-3'),
      wanted('https://known.example/', 'other'),
      wanted('https://c.example/', 'c'),
      wanted('https://c.example/', 'again'),
      wanted('https://d.example/', 'news'),
    ];
    expect(await store.createAll(feeds)).toEqual(['news-2', 'news-3', 'c']);
    expect((await store.list()).map(({ id, url }) => [id, url])).toEqual([
      ['c', 'https://c.example/'],
      ['news', 'https://known.example/'],
      ['news-2', 'https://a.example/'],
      ['news-3', 'https://b.example/'],
    ]);
    expect(await store.createAll([])).toEqual([]);
  });

  // SQLite runs one transaction at a time.
  (dialect === 'postgres' ? it : it.skip)('are added by two replicas that bring them in different orders', async () => {
    const database = await open();
    await new FeedStore(database).create(newFeed());
    const second = JSON.stringify({ id: 'second', url: 'https://second.example/' });
    const add = (...names: string[]) =>
      new FeedStore(database).createAll(names.map((name) => wanted(`https://${name}.example/`, name)));
    const { adding } = await database.transaction().execute(async (transaction) => {
      await sql`insert into feeds select (jsonb_populate_record(feeds, ${second})).* from feeds`.execute(transaction);
      const one = add('first', 'second', 'third');
      await untilLocked(database, 1);
      const other = add('third', 'first');
      await untilLocked(database, 2);
      return { adding: Promise.all([one, other]) };
    });
    expect(await adding).toEqual([['first', 'third'], []]);
  });
});

describeEachDatabase('the feed item store', (open) => {
  async function newStore(...feeds: string[]): Promise<FeedItemStore> {
    const database = await open();
    for (const id of feeds) await new FeedStore(database).create(newFeed({ id }));
    return new FeedItemStore(database);
  }

  it('updates items, but keeps when they were first seen', async () => {
    const store = await newStore('a');
    const item = newItem({ id: 'x', publishedAt: at(1), author: 'Jo', url: 'https://x.example/', categories: ['c'] });
    await store.save([toSave(item)]);
    expect(await store.find('a', 'x')).toEqual(item);
    await store.save([toSave({ ...item, title: 'Rewritten', revision: '2', firstSeenAt: at(50), sortedAt: at(50) })]);
    expect(await store.find('a', 'x')).toEqual({ ...item, title: 'Rewritten', revision: '2' });
    expect(await store.revisions('a')).toEqual(new Map([['x', '2']]));
    expect(await store.find('b', 'x')).toBeUndefined();
  });

  it('lists pages of items from the latest, across feeds and among equal times', async () => {
    const store = await newStore('a', 'b');
    const times = [3, 1, 3, 2, 3];
    await store.save(
      times.map((minute, id) => toSave(newItem({ feedId: id % 2 ? 'b' : 'a', id: `i${id}`, sortedAt: at(minute) }))),
    );
    const seen: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page = await store.listPage({ limit: 2, cursor });
      seen.push(...page.items.map(({ id }) => id));
      cursor = page.nextCursor;
    }
    expect(seen).toEqual(['i4', 'i2', 'i0', 'i3', 'i1']);
  });

  it('finds items by feed, time and words', async () => {
    const store = await newStore('a', 'b');
    await store.save([
      toSave(newItem({ id: 'x', title: 'Über uns', content: 'Text mit 50% Rabatt', sortedAt: at(1) })),
      toSave(newItem({ id: 'y', title: 'Other', author: 'Ève', categories: ['Tools'], sortedAt: at(2) })),
      toSave(newItem({ feedId: 'b', id: 'z', title: 'Other', sortedAt: at(3) })),
    ]);
    const find = async (query: Partial<Parameters<FeedItemStore['listPage']>[0]>) =>
      (await store.listPage({ limit: 9, ...query })).items.map(({ id }) => id);
    expect(await find({ query: 'RABATT uber' })).toEqual(['x']);
    expect(await find({ query: '50%' })).toEqual(['x']);
    expect(await find({ query: '5_%' })).toEqual([]);
    expect(await find({ query: 'eve tools' })).toEqual(['y']);
    expect(await find({ query: 'other' })).toEqual(['z', 'y']);
    expect(await find({ query: 'other', feed: 'a' })).toEqual(['y']);
    expect(await find({ since: at(2) })).toEqual(['z', 'y']);
    expect(await find({ query: "'; drop table feeds --" })).toEqual([]);
    expect(await store.listIds({ prefix: '', limit: 2 })).toEqual(['z', 'y']);
    expect(await store.listIds({ prefix: '', feed: 'a', limit: 9 })).not.toContain('z');
    expect(await store.listIds({ prefix: 'x', limit: 9 })).toEqual(['x']);
    expect(await store.counts(['a', 'b', 'c'])).toEqual(
      new Map([
        ['a', 2],
        ['b', 1],
      ]),
    );
  });

  it('deletes old items that the document no longer holds', async () => {
    const store = await newStore('a');
    const many = Array.from({ length: 120 }, (_, id) => toSave(newItem({ id: `i${id}`, sortedAt: at(id % 60) })));
    await store.save(many);
    await store.prune(at(59), 200);
    expect(await store.counts(['a'])).toEqual(new Map([['a', 120]]));
    await store.markDocument('a', ['i0', 'i59']);
    await store.prune(at(59), 200);
    expect((await store.listPage({ limit: 9 })).items.map(({ id }) => id)).toEqual(['i59', 'i119', 'i0']);
    await store.markDocument('a', ['i119']);
    await store.prune(at(59), 200);
    expect((await store.listPage({ limit: 9 })).items.map(({ id }) => id)).toEqual(['i59', 'i119']);
  });

  it('deletes the items of a deleted feed', async () => {
    const database = await open();
    const [feeds, items] = [new FeedStore(database), new FeedItemStore(database)];
    await feeds.create(newFeed({ id: 'a' }));
    await items.save([toSave(newItem({ id: 'x' }))]);
    await feeds.delete('a');
    expect(await items.find('a', 'x')).toBeUndefined();
    await expect(items.save([toSave(newItem({ id: 'y' }))])).rejects.toMatchObject({ kind: 'conflict' });
  });
});

describeEachDatabase('a search of many feed items', (open) => {
  it('searches a part of them at a time, and finds each match once', async () => {
    const database = await open();
    const [feeds, items] = [new FeedStore(database), new FeedItemStore(database)];
    for (const id of ['a', 'b']) await feeds.create(newFeed({ id }));
    // One row in a thousand has the word; many have the same time.
    await sql
      .raw(
        `insert into feed_items (feed_id, id, revision, title, first_seen_at, sorted_at, content, summary, categories, is_in_document, search)
         select case when n % 2 = 0 then 'a' else 'b' end, 'i' || (100000 + n), 'r', 't', '2026', '2026-01-01T0' || (n / 1000) || ':00:00.000Z',
           'c', 's', '[]', 0, case when n % 1000 = 1 then 'whales' else 'other' end from (${numbersUpTo(database, 6_500)}) as numbers`,
      )
      .execute(database);
    await learned(database);
    const found: string[] = [];
    const statements = await statementsOf(async () => {
      let cursor: string | null = null;
      do {
        const page: Page<FeedItem> = await items.listPage({
          query: 'whale',
          limit: 3,
          ...(cursor !== null && { cursor }),
        });
        found.push(...page.items.map(({ id }) => id));
        cursor = page.nextCursor;
      } while (cursor !== null);
    });
    expect(found).toEqual([6001, 5001, 4001, 3001, 2001, 1001, 1].map((n) => `i${100_000 + n}`));
    for (const statement of statements) {
      const growing = await growingPartsOf(database, statement, 2_000);
      expect(
        growing.filter((part) => !/^SCAN feed_items USING (COVERING )?INDEX feed_items_sorted_at$/.test(part)),
      ).toEqual([]);
    }
    const ofFeed = await items.listPage({ feed: 'a', query: 'other', limit: 5_000 });
    expect([ofFeed.items.length, ofFeed.nextCursor]).toEqual([3_250, null]);
  });
});
