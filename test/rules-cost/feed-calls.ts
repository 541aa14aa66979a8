import * as feedMarkdown from '../../src/features/feeds/feed-markdown.rules.js';
import * as feedSearch from '../../src/features/feeds/store/feed-search.rules.js';
import * as moments from '../../src/features/feeds/moment.rules.js';
import * as feedUrl from '../../src/features/feeds/store/feed-url.rules.js';
import * as response from '../../src/features/feeds/polling/response.rules.js';
import * as charset from '../../src/features/feeds/reading/charset.rules.js';
import * as feedContent from '../../src/features/feeds/reading/content.rules.js';
import * as discovery from '../../src/features/feeds/reading/discovery.rules.js';
import type { DocumentItem } from '../../src/features/feeds/reading/document.js';
import * as atom from '../../src/features/feeds/reading/formats/atom.rules.js';
import * as format from '../../src/features/feeds/reading/formats/format.rules.js';
import * as jsonFeed from '../../src/features/feeds/reading/formats/json-feed.rules.js';
import * as rdf from '../../src/features/feeds/reading/formats/rdf.rules.js';
import * as rss from '../../src/features/feeds/reading/formats/rss.rules.js';
import * as identity from '../../src/features/feeds/reading/identity.rules.js';
import * as markup from '../../src/features/feeds/reading/markup.rules.js';
import * as feedTime from '../../src/features/feeds/reading/time.rules.js';
import * as clock from '../../src/features/feeds/reading/times/clock.rules.js';
import * as dateOrder from '../../src/features/feeds/reading/times/date-order.rules.js';
import * as feedDate from '../../src/features/feeds/reading/times/date.rules.js';
import * as timeText from '../../src/features/feeds/reading/times/time-text.rules.js';
import * as zone from '../../src/features/feeds/reading/times/zone.rules.js';
import * as feedXml from '../../src/features/feeds/reading/xml.rules.js';
import * as opml from '../../src/features/feeds/subscribing/opml.rules.js';
import { newFeed, newItem } from '../../src/features/feeds/testing.js';
import { type Call, type Entry, NOT_TEXT, OURS } from './entry.js';
import { BASE, NOW, parts } from './samples.js';

const KNOWN = { url: BASE, etag: null, lastModified: null, documentHash: null };

function item(change: Partial<DocumentItem>): DocumentItem {
  const nothing = { guid: null, url: null, title: null, author: null, publishedAt: null, content: null };
  return { ...nothing, categories: [], attachments: [], ...change };
}
const answered = (headers: Record<string, string>, status = 200) => ({
  status,
  headers,
  body: Buffer.alloc(0),
  url: BASE,
  redirects: [],
});

// The cost of these libraries is not ours: test/threads shows that a thread ends at its limit, and that nobody waits for it.
const FEED_THREAD =
  'sanitize-html, turndown and feedsmith have no bounds: only the thread of FeedReader runs them on feeds';
const OPML_THREAD = 'feedsmith has no bounds: only the thread of OpmlReader runs it on OPML';

export const FEED_RULES: Record<string, Record<string, Entry>> = {
  'src/features/feeds/reading/charset.rules.ts': {
    decodeDocument: [
      (text) => charset.decodeDocument(Buffer.from(text), undefined),
      (text) => charset.decodeDocument(Buffer.from(text, 'utf16le'), 'text/xml; charset=iso-2022-jp'),
      (text) => charset.decodeDocument(Buffer.from('a'), text),
    ],
  },
  'src/features/feeds/reading/content.rules.ts': {
    toMarkdown: FEED_THREAD,
    toSummary: FEED_THREAD,
    toLine: (text) => feedContent.toLine(text),
  },
  'src/features/feeds/reading/discovery.rules.ts': {
    isHtml: (text) => discovery.isHtml(text),
    discoverFeeds: FEED_THREAD,
  },
  'src/features/feeds/reading/identity.rules.ts': {
    identifyItems: (text) =>
      identity.identifyItems({
        ...{ title: null, description: null, siteUrl: null, intervalMinutes: null, isComplete: true },
        items: parts(text, 1_000).map((part) => item({ guid: part, url: part, title: part })),
      }),
    feedIds: [(text) => [...identity.feedIds(text, BASE)], (text) => [...identity.feedIds(null, text)]],
    hashOf: (text) => identity.hashOf(text),
  },
  'src/features/feeds/feed-result.rules.ts': {
    subscribedResult: OURS,
    describeSubscribed: OURS,
    unsubscribedResult: OURS,
    itemsResult: OURS,
    describeItems: OURS,
  },
  'src/features/feeds/feed-markdown.rules.ts': {
    feedMarkdown: (text) =>
      feedMarkdown.feedMarkdown(newFeed({ publishedTitle: text, description: text }), [newItem({ title: text })]),
    itemMarkdown: (text) => feedMarkdown.itemMarkdown(newItem({ content: text })),
  },
  'src/features/feeds/reading/parser.rules.ts': {
    parseFeedDocument: FEED_THREAD,
  },
  'src/features/feeds/reading/reading.rules.ts': {
    readDocument: FEED_THREAD,
  },
  'src/features/feeds/polling/response.rules.ts': {
    readResponse: ['etag', 'cache-control', 'last-modified', 'content-type'].flatMap((header): Call[] => [
      (text) => response.readResponse(KNOWN, answered({ [header]: text }), NOW),
      (text) => response.readResponse(KNOWN, answered({ 'retry-after': text }, 429), NOW),
    ]),
    toFetchResult: OURS,
  },
  'src/features/feeds/polling/schedule.rules.ts': { planNextPoll: NOT_TEXT },
  'src/features/feeds/store/feed-search.rules.ts': {
    containsPattern: (text) => feedSearch.containsPattern(text),
    wordPatterns: (text) => feedSearch.wordPatterns(text),
    folded: (text) => feedSearch.folded(text),
    searchTextOf: (text) => feedSearch.searchTextOf(newItem({ title: text, content: text })),
  },
  'src/features/feeds/reading/markup.rules.ts': {
    hasMarkup: (text) => markup.hasMarkup(text),
    withTextEscaped: [
      (text) => markup.withTextEscaped(text),
      (text) => markup.withTextEscaped(`<b>${text.replaceAll(' ', '<!-- ')}</b>-->`),
    ],
  },
  'src/features/feeds/reading/time.rules.ts': {
    parseFeedTime: [
      (text) => feedTime.parseFeedTime(text),
      (text) => feedTime.parseFeedTime(`25 Aug 2024 ${text}`),
      (text) => feedTime.parseFeedTime(`17:38 ${text.slice(0, 60)}`),
    ],
  },
  'src/features/feeds/reading/times/clock.rules.ts': {
    findClocks: (text) => [...clock.findClocks(text.slice(0, 100))],
    isClock: NOT_TEXT,
  },
  'src/features/feeds/reading/times/date.rules.ts': {
    findDate: (text) => feedDate.findDate(text.slice(0, 100), undefined),
  },
  'src/features/feeds/reading/times/date-order.rules.ts': {
    certainOrder: (text) => dateOrder.certainOrder(text),
    usualOrder: (text) => dateOrder.usualOrder(text),
  },
  'src/features/feeds/reading/times/language.rules.ts': { dictionaries: NOT_TEXT },
  'src/features/feeds/reading/times/time-text.rules.ts': {
    toTimeText: (text) => timeText.toTimeText(text),
    foldedTime: (text) => timeText.foldedTime(text.slice(0, 300)),
  },
  'src/features/feeds/reading/times/zone.rules.ts': {
    findZone: [(text) => zone.findZone(text.slice(0, 100)), (text) => zone.findZone(`gmt+${text.slice(0, 100)}`)],
    toInstantMs: NOT_TEXT,
  },
  'src/features/feeds/moment.rules.ts': { momentOf: (text) => moments.momentOf(text) },
  'src/features/feeds/store/feed-url.rules.ts': {
    toFeedUrl: [(text) => feedUrl.toFeedUrl(text), (text) => feedUrl.toFeedUrl(`a.example/${text}`)],
  },
  'src/features/feeds/reading/xml.rules.ts': {
    prepareXml: [
      (text) => feedXml.prepareXml(text, 1_000),
      (text) => feedXml.prepareXml(`<rss>${text}`, 1_000),
      (text) => feedXml.prepareXml(`<!DOCTYPE a [${text}<rss>`, 1_000),
    ],
  },
  'src/features/feeds/reading/formats/atom.rules.ts': {
    fromAtom: (text) =>
      atom.fromAtom(
        {
          title: { value: text },
          links: [{ href: text, rel: text, type: text }],
          entries: [
            { id: text, title: { value: text }, content: { value: text }, summary: { value: text, type: text } },
            { id: 'b', updated: text, published: text, summary: { value: text } },
          ],
        },
        BASE,
      ),
  },
  'src/features/feeds/reading/formats/format.rules.ts': {
    toHttpUrl: [(text) => format.toHttpUrl(text, BASE), (text) => format.toHttpUrl(`http://${text}`, null)],
    toHtml: (text) => format.toHtml(text),
    firstTime: (text) => format.firstTime([text, text]),
    documentOrder: (text) => format.documentOrder(parts(text, 100), text),
    pageOf: (text) => format.pageOf(parts(text, 100).map((rel) => ({ rel, type: rel, href: rel }))),
    toCategories: [(text) => format.toCategories([text]), (text) => format.toCategories(parts(text, 20))],
    toAttachments: (text) => format.toAttachments([{ url: text, type: text }], BASE),
    updateMinutes: (text) => format.updateMinutes({ updatePeriod: text }),
  },
  'src/features/feeds/reading/formats/json-feed.rules.ts': {
    fromJsonFeed: (text) =>
      jsonFeed.fromJsonFeed(
        { title: text, items: [{ id: text, url: text, content_html: text, date_published: text, tags: [text] }] },
        BASE,
      ),
  },
  'src/features/feeds/reading/formats/rdf.rules.ts': {
    fromRdf: (text) =>
      rdf.fromRdf(
        {
          title: text,
          items: [{ title: text, link: text, description: text, dc: { dates: [text] } }],
        },
        BASE,
      ),
  },
  'src/features/feeds/reading/formats/rss.rules.ts': {
    fromRss: (text) =>
      rss.fromRss(
        {
          title: text,
          items: [{ title: text, link: text, guid: { value: text }, description: text, pubDate: text }],
        },
        BASE,
      ),
  },
  'src/features/feeds/subscribing/opml.rules.ts': {
    readOpml: OPML_THREAD,
    writeOpml: (text) =>
      opml.writeOpml(
        parts(text, 500).map((part) => newFeed({ publishedTitle: part, folders: [part] })),
        NOW,
      ),
  },
};
