import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ReadingJobs } from '../../src/features/feeds/reading/reading.worker.js';
import { FEED_READER, FeedReader } from '../../src/features/feeds/reading/reader.service.js';
import { until } from '../support/until.js';
import { WatchedThread } from '../threads/watched-thread.js';
import { FeedServer, rssDocument } from './feed-server.js';
import { FeedWorld } from './feed-world.js';

const revisions = new Map<string, string>();
const rss = (content: string) => `<rss version="2.0"><channel><title>X</title>${content}</channel></rss>`;
const LINES = `${'<ul><li>'.repeat(20)}${'a<br>'.repeat(18_000)}`;
/** Nested lists with many lines each: half a minute of work. */
const SLOW = rss(
  Array.from(
    { length: 100 },
    (_, id) => `<item><guid>${id}</guid><description><![CDATA[${LINES}]]></description></item>`,
  ).join(''),
);
const LARGE = rss('<a/>'.repeat(2_000_000));

class WatchedReader extends FeedReader {
  override readonly thread = new WatchedThread<ReadingJobs>(FEED_READER);

  /** Reads a document; returns its title. */
  async title(text: string, signal = new AbortController().signal): Promise<string | null> {
    const source = { bytes: Buffer.from(text), contentType: 'text/xml', url: 'https://x.example/', revisions };
    const reading = await this.read(source, signal);
    return reading.kind === 'document' ? reading.document.title : null;
  }
}

describe('the reader of feeds', () => {
  let reader: WatchedReader;
  beforeEach(() => void (reader = new WatchedReader()));
  afterEach(() => reader.beforeApplicationShutdown());

  const slow = (signal?: AbortSignal) => reader.title(SLOW, signal).then(String, (error: Error) => error);
  const beingRead = (documents: number) => until(() => reader.thread.jobs === documents);

  it('reads one document after the other, in one thread', async () => {
    const titles: (string | null)[] = [];
    const names = ['One', 'Two', 'Three', 'Four', 'Five'];
    await Promise.all(names.map((name) => reader.title(rssDocument(name, [])).then((title) => titles.push(title))));
    expect(titles).toEqual(names);
    expect(reader.thread.threads).toHaveLength(1);
  });

  it('gives items as they were published', async () => {
    const bytes = Buffer.from(rssDocument('News', [{ id: 'a', at: 'Fri, 20 Nov 2026 10:00:00 GMT' }]));
    const source = { bytes, contentType: 'text/xml', url: 'https://x.example/', revisions };
    expect(await reader.read(source, new AbortController().signal)).toMatchObject({
      document: { items: [{ title: 'Item a', publishedAt: new Date('2026-11-20T10:00:00Z') }] },
    });
  });

  it('takes bytes that lie among others', async () => {
    const all = Buffer.from(`before${rssDocument('Inside', [])}`);
    const source = { bytes: all.subarray(6), contentType: undefined, url: 'https://x.example/', revisions };
    expect(await reader.read(source, new AbortController().signal)).toMatchObject({ document: { title: 'Inside' } });
    expect(all.toString()).toMatch(/^before/);
  });

  it('lets everything else go on, gives up a document that takes too long, and reads the next', async () => {
    let isDone = false;
    const first = slow().finally(() => (isDone = true));
    const next = reader.title(rssDocument('Next', []));
    await beingRead(1);
    for (let turn = 0; turn < 200; turn += 1) await nextTurn();
    expect(isDone).toBe(false);
    reader.thread.endTime();
    expect(await first).toMatchObject({
      code: 'feeds.document_not_read',
      message: expect.stringContaining('it takes longer than 20 s to read') as string,
    });
    expect(await next).toBe('Next');
    expect(reader.thread.threads).toHaveLength(2);
  });

  it('gives up a document that takes too much memory, and reads the next', async () => {
    reader.thread.heapMegabytes = 64;
    const large = reader.title(LARGE);
    const next = reader.title(rssDocument('Next', []));
    await expect(large).rejects.toMatchObject({
      code: 'feeds.document_not_read',
      message: expect.stringContaining('it takes more than 64 MB of memory to read') as string,
    });
    expect(await next).toBe('Next');
  });

  it('replaces a thread that ended by itself, busy or not', async () => {
    const first = slow();
    const next = reader.title(rssDocument('Next', []));
    await beingRead(1);
    await reader.thread.threads[0]?.terminate();
    expect(await first).toMatchObject({ code: 'feeds.document_not_read' });
    expect(await next).toBe('Next');
    await reader.thread.threads[1]?.terminate();
    expect(await reader.title(rssDocument('Last', []))).toBe('Last');
    expect(reader.thread.threads).toHaveLength(3);
  });

  it('leaves a document that nobody wants any more', async () => {
    const [first, second] = [new AbortController(), new AbortController()];
    const titles = [slow(first.signal), slow(second.signal), reader.title(rssDocument('Wanted', []))];
    await beingRead(1);
    second.abort(new Error('not the second'));
    first.abort(new Error('not the first'));
    expect(await Promise.all(titles)).toEqual([new Error('not the first'), new Error('not the second'), 'Wanted']);
    expect(reader.thread.jobs).toBe(2);
  });

  it('ends its thread when there is nothing to do, and starts another for the next document', async () => {
    reader.thread.idleMs = 1;
    expect(await reader.title(rssDocument('One', []))).toBe('One');
    await reader.thread.ends[0];
    expect(await reader.title(rssDocument('Two', []))).toBe('Two');
    expect(reader.thread.threads).toHaveLength(2);
  });

  it('stops with the service, whatever it is doing', async () => {
    const STOPPED = { code: 'feeds.reading_stopped' };
    const titles = [slow(), slow()];
    await beingRead(1);
    await reader.beforeApplicationShutdown();
    await Promise.all(reader.thread.ends);
    expect(await Promise.all(titles)).toMatchObject([STOPPED, STOPPED]);
    await expect(reader.title(rssDocument('Late', []))).rejects.toMatchObject(STOPPED);
    expect(reader.thread.threads).toHaveLength(1);
  });
});

describe('a feed', () => {
  let reader: WatchedReader;
  let world: FeedWorld;
  let publisher: FeedServer;
  beforeEach(async () => {
    publisher = await FeedServer.start();
    reader = new WatchedReader();
    world = await FeedWorld.open(reader);
  });
  afterEach(async () => {
    publisher.stop();
    await reader.beforeApplicationShutdown();
    await world.database.destroy();
  });

  it('shows that its document takes too much, while others are read', async () => {
    reader.thread.heapMegabytes = 64;
    for (const path of ['/a', '/b']) publisher.publish(path, rssDocument(path.slice(1), []));
    const [a, b] = [await world.subscribe(publisher.url('/a')), await world.subscribe(publisher.url('/b'))];
    publisher.publish('/a', LARGE).publish('/b', rssDocument('b', [{ id: '1' }]));
    await world.after(30);
    expect(await world.feeds.get(a)).toMatchObject({
      failures: 1,
      lastError: expect.stringContaining('it takes more than 64 MB of memory to read') as string,
    });
    expect(await world.feeds.get(b)).toMatchObject({ failures: 0, lastError: null });
    expect(await world.titles(b)).toEqual(['Item 1']);
  });

  it('is not subscribed to when its document takes too long, and that is said', async () => {
    publisher.publish('/slow', SLOW);
    const subscribing = world.subscribe(publisher.url('/slow')).catch((error: Error) => error);
    await until(() => reader.thread.jobs === 1);
    reader.thread.endTime();
    expect(await subscribing).toMatchObject({ code: 'feeds.document_not_read' });
    expect((await world.feeds.listPage({ limit: 1 })).items).toEqual([]);
  });

  it('has not failed when the service stopped while it was read', async () => {
    publisher.publish('/a', rssDocument('A', []));
    const id = await world.subscribe(publisher.url('/a'));
    publisher.publish('/a', SLOW);
    const refreshing = world.refresh(id).catch((error: Error) => error);
    await until(() => reader.thread.jobs === 2);
    await reader.beforeApplicationShutdown();
    expect(await refreshing).toMatchObject({ code: 'feeds.reading_stopped' });
    expect(await world.feeds.get(id)).toMatchObject({ failures: 0, lastError: null });
  });
});
