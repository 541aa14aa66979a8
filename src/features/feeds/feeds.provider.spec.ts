import { CompiledQuery } from 'kysely';
import { numbersUpTo, statementsOf } from '../../platform/database/plans.testing.js';
import { describeEachDatabase } from '../../platform/database/testing.js';
import { recordedEvents } from '../../platform/events/testing.js';
import { FeedResources } from './feeds.provider.js';
import { FeedsService } from './feeds.service.js';
import { FeedItemStore } from './store/feed-item.store.js';
import { FeedStore } from './store/feed.store.js';
import { newFeed } from './testing.js';

const FEEDS = 3_000;

describeEachDatabase('thousands of feeds', (open) => {
  it('are not all read to complete an id, nor looked at to name some', async () => {
    const database = await open();
    const store = new FeedStore(database);
    await store.create(newFeed({ id: 'feed-0' }));
    const columns = 'folders, is_paused, is_gone, failures, created_at, search';
    await database.executeQuery(
      CompiledQuery.raw(
        `insert into feeds (id, url, ${columns}) select 'feed-' || n, 'https://' || n || '.example/', ${columns}
          from (${numbersUpTo(database, FEEDS)}) as numbers, feeds`,
      ),
    );
    const { events } = recordedEvents();
    const feeds = new FeedsService(store, new FeedItemStore(database), {} as never, {} as never, events);
    const rowsRead = async (work: () => Promise<unknown>) => {
      const results = (await statementsOf(work)).map((statement) => database.executeQuery(statement));
      return (await Promise.all(results)).flatMap(({ rows }) => rows).length;
    };

    const complete = (prefix: string) =>
      new FeedResources(feeds, events).complete({ variable: 'feed', prefix, chosen: {}, limit: 5 });
    expect(await complete('feed-299')).toEqual(['feed-299', 'feed-2990', 'feed-2991', 'feed-2992', 'feed-2993']);
    expect(await complete('eed')).toEqual([]);
    expect(await rowsRead(() => complete('feed'))).toBe(5);

    const considered: string[] = [];
    const mayName = (id: string) => considered.push(id) > 100;
    const refusal = await feeds.get('none', mayName).catch(String);
    expect(refusal).toMatch(/The feeds are: feed-1088, .*, and more\.$/);
    expect(considered).toHaveLength(121);
  });
});
