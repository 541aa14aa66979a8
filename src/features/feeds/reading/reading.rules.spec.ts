import { type DocumentReading, readDocument } from './reading.rules.js';

const URL = 'https://site.example/feed';

const read = (text: string, revisions = new Map<string, string>()): DocumentReading =>
  readDocument({ bytes: Buffer.from(text), contentType: 'application/xml', url: URL, revisions });
const rss = (...texts: string[]) =>
  `<rss version="2.0"><channel><title>A &lt;b&gt;bold&lt;/b&gt; feed</title>${texts
    .map((text, id) => `<item><guid>${id}</guid><description>${text}</description></item>`)
    .join('')}</channel></rss>`;
const documentOf = (reading: DocumentReading) => {
  if (reading.kind !== 'document') throw new Error(`it is ${reading.kind}`);
  return reading.document;
};

describe('readDocument', () => {
  it('returns the document and items to be stored', () => {
    expect(documentOf(read(rss('&lt;a href="/x"&gt;Link&lt;/a&gt;')))).toMatchObject({
      title: 'A bold feed',
      isComplete: true,
      itemIds: [expect.any(String)],
      items: [{ title: 'Link', content: '[Link](https://site.example/x)', position: 0, isNew: true }],
    });
  });

  it('returns the text that items are searched by', () => {
    const [item] = documentOf(read(rss(`Über &lt;b&gt;uns&lt;/b&gt; e${'\u0301\u0323'.repeat(1_000)}`))).items;
    expect(item?.search).toMatch(/^uber uns e\W+uber \*\*uns\*\* e$/);
  });

  it.each([
    ['<sy:updatePeriod>hourly</sy:updatePeriod><sy:updateFrequency>7</sy:updateFrequency>', 9],
    ['<sy:updatePeriod>hourly</sy:updatePeriod><sy:updateFrequency>1e300</sy:updateFrequency>', 1],
    ['<ttl>7.5</ttl>', 8],
    ['<ttl>1e12</ttl>', 525_600],
  ])('returns the interval in whole minutes, at most a year: %s', (declared, minutes) => {
    const xmlns = 'xmlns:sy="http://purl.org/rss/1.0/modules/syndication/"';
    const feed = `<rss version="2.0" ${xmlns}><channel><title>A</title>${declared}</channel></rss>`;
    expect(documentOf(read(feed)).intervalMinutes).toBe(minutes);
  });

  it('converts only items that are new or were rewritten', () => {
    const before = documentOf(read(rss('One', 'Two', 'Three')));
    const revisions = new Map(before.items.map(({ id, revision }) => [id, revision]));
    const after = documentOf(read(rss('One', 'Two, rewritten', 'Three', 'Four'), revisions));
    expect(after.itemIds).toEqual([...before.itemIds, expect.any(String)]);
    expect(after.items).toMatchObject([
      { content: 'Two, rewritten', position: 1, isNew: false },
      { content: 'Four', position: 3, isNew: true },
    ]);
  });

  it.each([
    [
      '<html><link rel="alternate" type="application/rss+xml" href="/rss">',
      { kind: 'page', feedUrls: ['https://site.example/rss'] },
    ],
    ['{"a":1}', { kind: 'unknown', description: 'application/xml' }],
    [' ', { kind: 'unknown', description: 'an empty document' }],
  ])('says what a text is that is not a feed: %s', (text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  it('cuts the parts of an item that are too long', () => {
    const quotations = '&lt;blockquote&gt;'.repeat(45) + 'a&lt;br&gt;'.repeat(3000);
    expect(documentOf(read(rss(quotations))).items[0]?.content).toHaveLength(200_000);
  });

  it('removes NUL from JSON, but not a text about it', () => {
    const items = String.raw`[{"id":"1","title":"a\u0000b","content_text":"write \\u0000 or \\\u0000"}]`;
    const json = `{"version":"https://jsonfeed.org/version/1.1","title":"Escapes","items":${items}}`;
    expect(documentOf(read(json)).items).toMatchObject([{ title: 'ab', summary: 'write \\u0000 or \\' }]);
  });

  it('refuses JSON with more brackets than a feed can have', () => {
    const json = (items: string) => `{"version":"https://jsonfeed.org/version/1.1","title":"Full","items":[${items}]}`;
    expect(read(json('{"id":"1"}')).kind).toBe('document');
    expect(read(json(`{"id":"1"}${',{}'.repeat(1_000_000)}`)).kind).toBe('unknown');
  });

  it('skips any number of declarations before the root', () => {
    expect(documentOf(read('<!a>'.repeat(200_000) + rss('One'))).items).toHaveLength(1);
    expect(documentOf(read(`<!DOCTYPE rss [<!ENTITY a "b>">]>${rss('One')}`)).items).toHaveLength(1);
    expect(read('<!a>'.repeat(2_000_000)).kind).toBe('unknown');
  });
});
