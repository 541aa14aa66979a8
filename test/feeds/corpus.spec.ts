import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describeEachDatabase } from '../../src/platform/database/testing.js';
import type { FeedItem } from '../../src/features/feeds/store/feed.js';
import { FeedReader } from '../../src/features/feeds/reading/reader.service.js';
import { corpusFile, FeedServer } from './feed-server.js';
import { openFeedWorld } from './feed-suite.js';
import { FeedWorld } from './feed-world.js';

interface Expected {
  file: string;
  title: string;
  items: string[];
  first?: Partial<FeedItem>;
  contentType?: string;
}

const at = (text: string) => new Date(text);
const TWO = ['Item 1', 'Item 0'];
const ONE = ['Item 1'];
const text = (content: string, file: string, contentType?: string): Expected => ({
  file,
  title: 'Plain',
  items: ONE,
  first: { content },
  ...(contentType && { contentType }),
});

const DOCUMENTS: Expected[] = [
  {
    file: 'rss-2.0.xml',
    title: 'Plain',
    items: TWO,
    first: { url: 'https://plain.example/1', publishedAt: at('2026-11-21T10:00:00Z'), content: 'Text 1' },
  },
  { file: 'rss-0.91-doctype.xml', title: 'Old school', items: ['Still here'], first: { url: 'http://old.example/1' } },
  {
    file: 'rss-0.92-untitled.xml',
    title: 'Scripting',
    items: ['Another one.', 'An item with no title, as weblogs once wrote them.'],
  },
  {
    file: 'wordpress.xml',
    title: 'A WordPress Blog',
    items: ['Hello “world” & more'],
    first: {
      author: 'Ana María',
      categories: ['News & Views', 'Tools'],
      publishedAt: at('2026-11-20T08:30:00Z'),
      content: '## Heading\n\nFull **text** with [a link](https://blog.example/about).\n\n```\nx < y\n```',
    },
  },
  {
    file: 'podcast.xml',
    title: 'The Pod',
    items: ['Episode 7'],
    first: {
      author: 'The Hosts',
      publishedAt: at('2026-11-19T10:00:00Z'),
      content: 'All about feeds\n\n- Attachment: <https://cdn.pod.example/7.mp3?a=1&b=2> (audio/mpeg)',
    },
  },
  {
    file: 'rss-1.0.rdf',
    title: 'RDF news',
    items: ['A', 'B'],
    first: { author: 'Cy', publishedAt: at('2026-11-20T11:00:00Z') },
  },
  { file: 'rss-0.90.rdf', title: 'Ninety', items: ['One'] },
  { file: 'atom-1.0.xml', title: 'Atomic', items: ['Entry 1', 'Entry 0'], first: { url: 'https://atomic.example/1' } },
  {
    file: 'atom-0.3.xml',
    title: 'Older Atom',
    items: ['E'],
    first: { content: 'Hi', publishedAt: at('2026-11-01T00:00:00Z') },
  },
  {
    file: 'atom-xhtml.xml',
    title: 'Atomic',
    items: ['Entry 1'],
    first: { content: 'Rich _xhtml_ & more\n\n-   one\n-   two' },
  },
  { file: 'atom-html-title.xml', title: 'Atomic', items: ['Use <b> well', 'Use <b> well'] },
  {
    file: 'atom-xml-base.xml',
    title: 'Base',
    items: ['Based'],
    first: { url: 'https://base.example/blog/posts/1', content: '[x](https://base.example/blog/x)' },
  },
  { file: 'atom-prefixed.xml', title: 'Prefixed', items: ['With prefix'] },
  { file: 'youtube.xml', title: 'Channel', items: ['A video'], first: { author: 'Channel', content: 'What it shows' } },
  {
    file: 'github-releases.atom',
    title: 'Release notes from r',
    items: ['v2.0.0'],
    first: { content: "## What's changed\n\n-   `feat`: more", author: 'dev' },
  },
  { file: 'atom-feed-author.xml', title: 'By one', items: ['Entry 1'], first: { author: 'Solo Writer' } },
  { file: 'atom-enclosure.xml', title: 'Atomic', items: ['Entry 1'] },
  {
    file: 'json-feed-1.1.json',
    title: 'JSON',
    items: ['First', 'No title, only *text*'],
    first: {
      author: 'Jo',
      categories: ['a', 'b'],
      content: 'Hello **there**',
      publishedAt: at('2026-11-20T15:00:00Z'),
    },
    contentType: 'application/feed+json',
  },
  { file: 'json-feed-1.0.json', title: 'JSON 1', items: ['Numbers as ids'] },
  { file: 'json-feed-nul.json', title: 'Nul inside', items: ['With nul'], first: { content: 'ab' } },
  { file: 'json-feed-bom.json', title: 'Marked', items: ['One'] },
  text('Grüße', 'utf-8-bom.xml'),
  text('Grüße', 'utf-8-bom.xml', 'text/xml; charset=iso-8859-1'),
  text('Grüße 日本', 'utf-16le.xml'),
  text('Grüße', 'utf-16be-unmarked.xml'),
  text('Grüße', 'iso-8859-1.xml'),
  text('Grüße', 'iso-8859-1.xml', 'text/xml; charset=utf-8'),
  text('Grüße – “so”', 'windows-1252-undeclared.xml'),
  text('Привет', 'windows-1251.xml'),
  text('こんにちは', 'shift-jis.xml'),
  text('こんにちは', 'iso-2022-jp.xml'),
  text('你好', 'gb2312.xml'),
  text('你好', 'gb2312.xml', 'text/xml; charset="GB2312"'),
  text('Grüße', 'utf-8-declared-latin1.xml'),
  text('Grüße', 'latin1-declared-utf-8.xml'),
  text('Grüße', 'charset-unknown.xml', 'text/xml; charset=nonsense'),
  { file: 'truncated-in-item.xml', title: 'Plain', items: ONE },
  { file: 'truncated-in-cdata.xml', title: 'Plain', items: ONE },
  { file: 'truncated-atom.xml', title: 'Atomic', items: ['Entry 1'] },
  { file: 'truncated-before-items.xml', title: 'Only a head', items: [] },
  { file: 'leading-whitespace.xml', title: 'Plain', items: TWO },
  { file: 'leading-warning.xml', title: 'Plain', items: TWO, contentType: 'text/html' },
  { file: 'trailing-junk.xml', title: 'Plain', items: TWO },
  text('Bell and tab nul', 'control-characters.xml'),
  text('café — \u00a0… &unknown; AT&T © 2026', 'html-entities.xml'),
  text('From &company; &xxe;', 'entity-definitions.xml'),
  text('&lol9;', 'billion-laughs.xml'),
  { file: 'no-guids.xml', title: 'Plain', items: ['Nothing but text', 'Same link', 'Same link, other title'] },
  { file: 'duplicates.xml', title: 'Plain', items: TWO },
  { file: 'one-guid-for-all.xml', title: 'Plain', items: ['Post 1', 'Post 2', 'Post 3'] },
  { file: 'odd-dates.xml', title: 'Plain', items: ['D1', 'D2', 'D3', 'D4'] },
  {
    file: 'dangerous-html.xml',
    title: 'Plain',
    items: ['Bad title'],
    first: { url: null, content: 'Safe\n\nclickclack', summary: 'Safe clickclack' },
  },
  { file: 'deep-html.xml', title: 'Plain', items: ['Deep'], first: { content: 'bottom' } },
  { file: 'upper-case.xml', title: 'Loud', items: ['SHOUT'], first: { publishedAt: at('2026-11-20T10:00:00Z') } },
  { file: 'items-outside-channel.xml', title: 'Outside', items: ['Out'] },
  {
    file: 'relative-links.xml',
    title: 'Plain',
    items: ['Rel'],
    first: {
      url: 'https://plain.example/posts/1',
      content: '![Pic](https://plain.example/posts/pic.png) [up](https://plain.example/posts/1#top)',
    },
  },
  { file: 'empty-channel.xml', title: 'Empty', items: [] },
  { file: 'stylesheet-and-comments.xml', title: 'Plain', items: TWO },
  { file: 'single-quotes.xml', title: 'Quoted', items: ["It's"] },
  { file: 'two-links.xml', title: 'Plain', items: ['Two'], first: { url: 'https://two.example/1' } },
  { file: 'long-title.xml', title: 'Plain', items: [`${'very '.repeat(59).trim()}…`] },
  { file: 'emoji.xml', title: 'Plain', items: ['Ship it 🚀 🚀'], first: { content: '👩‍💻' } },
  {
    file: 'rss-titles-with-brackets.xml',
    title: 'Plain',
    items: [
      'How <details> works',
      'Vec<T> and HashMap<K, V>',
      'A bold link break',
      'When to use <b> and <img>',
      '1 < 2 && 3 > 2',
      'Option<T> explained',
    ],
    first: { title: 'Option<T> explained', categories: ['Vec<T>'] },
  },
  {
    file: 'atom-untyped-titles.xml',
    title: 'On Vec<T>',
    items: ['Vec<T> and <details>', 'Use <b>bold</b> well', 'Write &lt; for a bracket', 'Use HTML with <details>'],
    first: { title: 'Vec<T> and <details>', content: 'Fill a Vec<T> first' },
  },
  { file: 'one-guid-one-link.xml', title: 'Plain', items: ['Note 1', 'Note 2', 'Note 3'] },
  { file: 'one-guid-no-links.xml', title: 'Plain', items: ['Note 1', 'Note 2', 'Note 3'] },
  { file: 'one-link-no-titles.xml', title: 'Plain', items: ['Thought 1', 'Thought 2', 'Thought 3'] },
  { file: 'truncated-last-bracket.xml', title: 'Plain', items: TWO },
  { file: 'truncated-channel-bracket.xml', title: 'Plain', items: TWO },
  { file: 'truncated-item-bracket.xml', title: 'Plain', items: TWO },
  {
    file: 'rss-prefixed.xml',
    title: 'Prefixed RSS',
    items: ['One <r:item>', 'Two'],
    first: { title: 'One <r:item>', publishedAt: at('2026-11-20T10:00:00Z') },
  },
  { file: 'rss-root-prefixed.xml', title: 'Plain', items: ONE },
  {
    file: 'dublin-core-terms.xml',
    title: 'Plain',
    items: ['Created', 'Issued', 'Modified'],
    first: {
      publishedAt: at('2026-11-18T10:00:00Z'),
      content: 'As _described_',
      author: 'Dee',
      categories: ['Terms'],
    },
  },
  {
    file: 'atom-dublin-core.xml',
    title: 'Atomic',
    items: ['Entry 1'],
    first: { publishedAt: at('2026-11-18T10:00:00Z'), content: 'Described', author: 'Dee' },
  },
  {
    file: 'rdf-dublin-core.rdf',
    title: 'RDF news',
    items: ['One'],
    first: { publishedAt: at('2026-11-18T00:00:00Z'), content: 'Described' },
  },
  {
    file: 'payment-link.xml',
    title: 'Plain',
    items: ['Paid', 'Only paid'],
    first: { title: 'Paid', url: 'https://plain.example/1' },
  },
  {
    file: 'atom-other-links.xml',
    title: 'Atomic',
    items: ['Entry 1', 'Entry 0'],
    first: { title: 'Entry 0', url: null },
  },
  {
    file: 'slashed-dates.xml',
    title: 'Plain',
    items: ['Clear', 'Unclear'],
    first: { title: 'Unclear', publishedAt: at('2026-08-05T10:00:00Z') },
  },
  {
    file: 'slashed-dates-british.xml',
    title: 'Plain',
    items: ONE,
    first: { publishedAt: at('2026-08-05T10:00:00Z') },
  },
  {
    file: 'slashed-dates-american.xml',
    title: 'Plain',
    items: ONE,
    first: { publishedAt: at('2026-05-08T10:00:00Z') },
  },
  {
    file: 'french-dates.xml',
    title: 'Plain',
    items: TWO,
    first: { title: 'Item 1', publishedAt: at('2024-12-01T16:38:00Z') },
  },
];

const NOT_FEEDS = [
  'page-without-feed.html',
  'error.json',
  'sitemap.xml',
  'empty.xml',
  'random.bin',
  'opml.xml',
  'nested-nonsense.xml',
];

const reader = new FeedReader();
afterAll(() => reader.beforeApplicationShutdown());

describe('the documents of the field', () => {
  let publisher: FeedServer;
  let world: FeedWorld;
  openFeedWorld(reader, (opened) => ({ publisher, world } = opened));

  it.each(DOCUMENTS)('$file', async ({ file, title, items, first, contentType = 'application/xml' }) => {
    publisher.publish('/feed', corpusFile(file), { 'content-type': contentType });
    const id = await world.subscribe(publisher.url('/feed'));
    expect(id).toMatch(/^[a-z0-9][a-z0-9-]*$/);
    expect(await world.feeds.get(id)).toMatchObject({ publishedTitle: title, lastError: null });
    const found = (await world.feeds.listItems({ feed: id, limit: 200 })).items;
    expect(found.map((item) => item.title).sort()).toEqual([...items].sort());
    if (first) expect(found).toContainEqual(expect.objectContaining(first));
    for (const item of found) {
      expect(item.id).toMatch(/^[\w-]{12}$/);
      expect(item.content + item.title).not.toMatch(/<script|javascript:|onerror|onclick|root:x/i);
    }
    await world.after(24 * 60);
    expect(await world.feeds.get(id)).toMatchObject({ lastError: null });
    expect(publisher.count('/feed')).toBe(2);
  });

  it('keep the order of items without a time', async () => {
    publisher.publish('/feed', corpusFile('one-guid-for-all.xml'));
    expect(await world.titles(await world.subscribe(publisher.url('/feed')))).toEqual(['Post 1', 'Post 2', 'Post 3']);
  });

  it.each(NOT_FEEDS)('%s, which is not a feed', async (file) => {
    publisher.answer('/feed', 200, {}, corpusFile(file));
    await expect(world.subscribe(publisher.url('/feed'))).rejects.toMatchObject({ code: 'feeds.feed_not_readable' });
    expect((await world.feeds.listPage({ limit: 1 })).items).toEqual([]);
  });

  it('are all expected here', () => {
    const expected = new Set([...DOCUMENTS.map(({ file }) => file), ...NOT_FEEDS, 'page.html']);
    expect(readdirSync(join(import.meta.dirname, 'corpus')).filter((file) => !expected.has(file))).toEqual([]);
    expect(expected.size).toBeGreaterThan(60);
  });

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])('compressed by %s', async (encoding, compress) => {
    publisher.publish('/feed', compress(corpusFile('rss-2.0.xml')), { 'content-encoding': encoding });
    expect(await world.titles(await world.subscribe(publisher.url('/feed')))).toEqual(TWO);
  });

  it('announced by a page: its posts rather than its comments', async () => {
    publisher.answer('/page', 200, { 'content-type': 'text/html' }, corpusFile('page.html'));
    publisher.publish('/blog/feed.xml', corpusFile('atom-1.0.xml'));
    expect(await world.subscribe(publisher.url('/page'))).toBe('atomic');
    expect(await world.subscribe(publisher.url('/page'))).toBe('atomic');
    expect(publisher.requests.map(({ path }) => path)).toEqual(['/page', '/blog/feed.xml', '/page']);
  });

  it('not larger than 10 MB, nor without end', async () => {
    const large = `<rss version="2.0"><channel><title>Large</title>${'<item><title>x</title></item>'.repeat(700_000)}`;
    publisher.answer('/large', 200, {}, large);
    publisher.answer('/bomb', 200, { 'content-encoding': 'gzip' }, gzipSync(large));
    publisher.on('/endless', (_request, response) => {
      const pour = () => void (!response.destroyed && response.write('x'.repeat(100_000)) && setImmediate(pour));
      response.on('drain', pour);
      pour();
    });
    for (const path of ['/large', '/bomb', '/endless']) {
      await expect(world.subscribe(publisher.url(path))).rejects.toMatchObject({ code: 'http.too_large' });
    }
  });

  it('with a thousand items at most, quickly', async () => {
    const items = Array.from({ length: 20_000 }, (_, id) => `<item><guid>${id}</guid><title>Item ${id}</title></item>`);
    publisher.publish('/many', `<rss version="2.0"><channel><title>Many</title>${items.join('')}</channel></rss>`);
    const id = await world.subscribe(publisher.url('/many'));
    expect((await world.items.counts([id])).get(id)).toBe(1000);
  });

  it('that drip are cut', async () => {
    publisher.on('/slow', (_request, response) => {
      const timer = setInterval(() => response.write(' '), 5);
      response.on('close', () => clearInterval(timer));
    });
    world.http.timeoutMs = 100;
    await expect(world.subscribe(publisher.url('/slow'))).rejects.toMatchObject({ code: 'http.timed_out' });
  });
});

describeEachDatabase('the documents of the field, kept', (open) => {
  it('are all there', async () => {
    const publisher = await FeedServer.start();
    const world = await FeedWorld.open(reader, await open());
    for (const [index, { file, contentType = 'application/xml', items }] of DOCUMENTS.entries()) {
      publisher.publish(`/${index}`, corpusFile(file), { 'content-type': contentType });
      const id = await world.subscribe(publisher.url(`/${index}`));
      expect([file, await world.titles(id)]).toEqual([file, expect.arrayContaining(items)]);
    }
    await world.after(24 * 60);
    const { items: feeds } = await world.feeds.listPage({ limit: DOCUMENTS.length });
    expect(feeds.filter(({ lastError }) => lastError !== null)).toEqual([]);
    publisher.stop();
  });
});
