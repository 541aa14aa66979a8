import { FeedReader, type ReadingLimits } from '../../src/feeds/feed-reader.service.js';

class LimitedReader extends FeedReader {
  override limits: ReadingLimits = { limitMs: 20_000, limitMb: 512 };
}

const rss = (items: string) => `<rss version="2.0"><channel><title>Feed</title>${items}</channel></rss>`;
const bytesOf = (text: string) => ({
  bytes: Buffer.from(text),
  contentType: 'application/xml',
  url: 'https://feed.example/',
});
const SMALL = bytesOf(rss('<item><title>One</title><pubDate>Sat, 21 Nov 2026 10:00:00 GMT</pubDate></item>'));
const item = (text: string) => `<item><description><![CDATA[${text}]]></description></item>`;
/** Takes a good part of a second to read. */
const HEAVY = bytesOf(rss(item('<div>'.repeat(5_000) + 'x' + '</div>'.repeat(5_000)).repeat(40)));
/** Takes some 60 MB of memory to read. */
const LARGE = bytesOf(
  `{"version":"https://jsonfeed.org/version/1.1","title":"Feed","items":[],"_more":[${'{"a":{}},'.repeat(500_000)}{}]}`,
);

describe('the reading of documents', () => {
  let reader: LimitedReader;
  beforeEach(() => (reader = new LimitedReader()));
  afterEach(() => reader.onApplicationShutdown());

  it('gives what is in them, times included', async () => {
    const { feed } = (await reader.read(SMALL)) as { feed: object };
    expect(feed).toMatchObject({
      title: 'Feed',
      items: [{ title: 'One', publishedAt: new Date('2026-11-21T10:00:00Z') }],
    });
  });

  it('goes on in the order in which they came', async () => {
    const order: string[] = [];
    await Promise.all(
      [HEAVY, SMALL, SMALL].map(async (document, index) => {
        await reader.read(document);
        order.push(`document ${index}`);
      }),
    );
    expect(order).toEqual(['document 0', 'document 1', 'document 2']);
  });

  it('leaves the main thread to others', async () => {
    await reader.read(SMALL);
    let [turns, isReading] = [0, true];
    const reading = reader.read(HEAVY).finally(() => (isReading = false));
    while (isReading) {
      await new Promise((resolve) => setImmediate(resolve));
      turns += 1;
    }
    await reading;
    expect(turns).toBeGreaterThan(100);
  });

  it('is given up when it takes too long, and the next document is read', async () => {
    reader.limits = { limitMs: 1, limitMb: 512 };
    const slow = reader.read(HEAVY);
    await expect(slow).rejects.toMatchObject({ code: 'feeds.reading_too_long' });
    reader.limits = { limitMs: 20_000, limitMb: 512 };
    expect(await reader.read(SMALL)).toMatchObject({ kind: 'feed' });
  });

  it('is given up when it takes too much memory, and the next document is read', async () => {
    reader.limits = { limitMs: 20_000, limitMb: 16 };
    const large = reader.read(LARGE);
    const next = reader.read(SMALL);
    await expect(large).rejects.toMatchObject({ code: 'feeds.reading_failed' });
    await expect(large).rejects.toThrow('more than 16 MB of memory');
    expect(await next).toMatchObject({ kind: 'feed' });
  });

  it('ends when the service stops', async () => {
    const reading = reader.read(HEAVY);
    const waiting = reader.read(SMALL);
    const failures = Promise.allSettled([reading, waiting]);
    await reader.onApplicationShutdown();
    expect((await failures).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await expect(reader.read(SMALL)).rejects.toThrow('the service is stopping');
  });
});
