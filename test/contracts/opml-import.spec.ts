import { settingsOn } from '../../src/platform/config/testing.js';
import { describeEachDatabase } from '../../src/platform/database/testing.js';
import { recordedEvents } from '../../src/platform/events/testing.js';
import { FeedStore } from '../../src/features/feeds/store/feed.store.js';
import { FeedClock, FeedPlanner } from '../../src/features/feeds/polling/planner.service.js';
import { FeedImport, OpmlReader } from '../../src/features/feeds/subscribing/feed-import.service.js';

const opml = (outlines: string) => `<opml version="2.0"><body>${outlines}</body></opml>`;
const outline = (title: string, url: string) => `<outline text="${title}" xmlUrl="${url}"/>`;

const numberIn = (id: string) => Number(id.replace('news-', ''));
const byNumber = (one: string, other: string) => numberIn(one) - numberIn(other);

describeEachDatabase('an import of OPML', (open) => {
  const newImport = async () => {
    const database = await open();
    const store = new FeedStore(database);
    const planner = new FeedPlanner(await settingsOn({ database }), new FeedClock());
    const { events, sent } = recordedEvents();
    return { store, sent, importer: new FeedImport(store, planner, new OpmlReader(), events) };
  };

  it('subscribes to many feeds, announces them once, and yields to others meanwhile', async () => {
    const { store, sent, importer } = await newImport();
    const many = Array.from({ length: 950 }, (_, n) => outline(`News ${n % 20}`, `https://f${n}.example/`)).join('');
    let turns = 0;
    let isDone = false;
    const count = () => {
      turns += 1;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    const { added, existing, refused } = await importer.importOpml(opml(many));
    isDone = true;
    expect([new Set(added).size, existing, refused.length]).toEqual([950, 0, 0]);
    expect((await store.find('news-3'))?.publishedTitle).toBe('News 3');
    expect(sent.map(([name]) => name)).toEqual(['feeds.changed']);
    expect(turns).toBeGreaterThanOrEqual(10);
    expect(await importer.importOpml(opml(many))).toEqual({ added: [], existing: 950, refused: [] });
    expect(sent).toHaveLength(1);
  });

  it('announces what it has added before the database failed', async () => {
    const { store, sent, importer } = await newImport();
    const createAll = store.createAll.bind(store);
    store.createAll = (feeds) => {
      store.createAll = () => Promise.reject(new Error('no database'));
      return createAll(feeds);
    };
    const many = Array.from({ length: 101 }, (_, n) => outline(`News ${n}`, `https://f${n}.example/`)).join('');
    await expect(importer.importOpml(opml(many))).rejects.toThrow('no database');
    expect(sent).toEqual([['feeds.changed', { added: (await store.list()).map(({ id }) => id).sort(byNumber) }]]);
  });

  it('names briefly what it skips, and why', async () => {
    const { importer } = await newImport();
    const long = `https://x.example/${'a'.repeat(1_000_000)}`;
    const { refused } = await importer.importOpml(opml(outline('Long', long) + outline('Odd', 'ftp://x.example/')));
    expect(refused).toEqual([
      { url: long.slice(0, 200), reason: expect.stringContaining('longer than 2000 characters') as string },
      { url: 'ftp://x.example/', reason: expect.stringContaining('only http: and https:') as string },
    ]);
    expect(JSON.stringify(refused).length).toBeLessThan(1_000);
  });
});
