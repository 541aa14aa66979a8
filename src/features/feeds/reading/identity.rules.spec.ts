import type { DocumentItem } from './document.js';
import { folded } from '../store/feed-search.rules.js';
import { feedIds, identifyItems } from './identity.rules.js';

const item = (change: Partial<DocumentItem>): DocumentItem => ({
  guid: null,
  url: null,
  title: null,
  author: null,
  publishedAt: null,
  content: null,
  categories: [],
  attachments: [],
  ...change,
});
const identified = (...items: Partial<DocumentItem>[]) =>
  identifyItems({
    title: null,
    description: null,
    siteUrl: null,
    intervalMinutes: null,
    isComplete: true,
    items: items.map(item),
  });
const idOf = (change: Partial<DocumentItem>) => identified(change)[0]?.id;

describe('an item', () => {
  it('keeps its id when it is rewritten, and gets another revision', () => {
    const [before] = identified({ guid: 'a', title: 'Befor', url: 'https://x.example/1' });
    const [after] = identified({ guid: 'a', title: 'Before', url: 'https://x.example/2' });
    expect(after?.id).toBe(before?.id);
    expect(after?.revision).not.toBe(before?.revision);
  });

  it('keeps its id when its site changes to https', () => {
    expect(idOf({ guid: 'https://x.example/1' })).toBe(idOf({ guid: 'http://x.example/1' }));
    expect(idOf({ url: 'https://x.example/1' })).toBe(idOf({ url: 'http://x.example/1' }));
  });

  it.each<[string, Partial<DocumentItem>, Partial<DocumentItem>]>([
    ['guids', { guid: 'a', url: 'https://x.example/' }, { guid: 'b', url: 'https://x.example/' }],
    ['links', { url: 'https://x.example/1', title: 'T' }, { url: 'https://x.example/2', title: 'T' }],
    ['titles at the same link', { url: 'https://x.example/', title: 'T' }, { url: 'https://x.example/', title: 'U' }],
    ['texts', { content: { text: 'a', isHtml: true } }, { content: { text: 'b', isHtml: true } }],
    ['titles under one guid', { guid: 'a', title: 'T' }, { guid: 'a', title: 'U' }],
    [
      'titles under one guid and link',
      { guid: 'a', url: 'https://x.example/', title: 'T' },
      { guid: 'a', url: 'https://x.example/', title: 'U' },
    ],
    [
      'texts at the same link',
      { url: 'https://x.example/', content: { text: 'a', isHtml: true } },
      { url: 'https://x.example/', content: { text: 'b', isHtml: true } },
    ],
    ['links under one guid', { guid: 'a', url: 'https://x.example/1' }, { guid: 'a', url: 'https://x.example/2' }],
  ])('is distinguished from others by %s', (_what, one, other) => {
    expect(new Set(identified(one, other).map(({ id }) => id)).size).toBe(2);
  });

  it('that occurs twice is taken once, in the version published last', () => {
    const found = identified(
      { guid: 'a', title: 'First', publishedAt: new Date('2026-01-01') },
      { guid: 'a', title: 'Second', publishedAt: new Date('2026-01-02') },
      { guid: 'a', title: 'Third' },
      { guid: 'b', title: 'Other' },
    );
    expect(found.map(({ title }) => title)).toEqual(['Second', 'Other']);
  });
});

describe('a feed', () => {
  it.each([
    ['The Daily News', 'https://x.example/', 'the-daily-news'],
    ['  Über Öl & Gas! ', 'https://x.example/', 'uber-ol-gas'],
    ['日本語', 'https://www.news.example/feed', 'news-example'],
    [null, 'https://sub.news.example/feed', 'sub-news-example'],
    ['a'.repeat(39) + ' b', 'https://x.example/', 'a'.repeat(39)],
    ['OPML', 'https://x.example/', 'opml-2'],
    ['---', 'https://例え.example/', 'xn-r8jz45g-example'],
  ])('%s is called after its title, else its host', (title, url, expected) => {
    expect([...feedIds(title, url)][0]).toBe(expected);
  });

  it('has further ids to try when one is taken', () => {
    const ids = [...feedIds('News', 'https://x.example/')];
    expect(ids.slice(0, 3)).toEqual(['news', 'news-2', 'news-3']);
    expect(new Set(ids).size).toBe(10);
    expect(ids.at(-1)).toMatch(/^news-[0-9a-f]{12}$/);
  });
});

it('folds case and accents', () => {
  expect(folded('Crème BRÛLÉE ﬁn')).toBe('creme brulee fin');
});
