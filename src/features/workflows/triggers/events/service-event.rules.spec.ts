import { newFeed, newItem } from '../../../feeds/testing.js';
import type { Document } from '../../../knowledge/documents/document.js';
import {
  documentRemoved,
  documentSaved,
  feedItemArrived,
  memoryRemoved,
  memorySaved,
  runEnded,
} from './service-event.rules.js';
import { SAMPLE_DATA } from './tried-event.rules.js';

const NOON = new Date('2026-11-21T12:00:00Z');
const LONG = '😀'.repeat(100_000);

const document: Document = {
  id: 'd1',
  title: LONG,
  content: LONG,
  tags: Array.from({ length: 100 }, (_, n) => `tag-${n}`),
  source: null,
  path: null,
  hash: '',
  version: 1,
  createdAt: NOON,
  updatedAt: NOON,
};
const entry = {
  namespace: 'web',
  key: 'color',
  content: 'Blue.',
  tags: [],
  importance: 3,
  client: 'ada',
  program: null,
  version: 2,
  createdAt: NOON,
  updatedAt: NOON,
  expiresAt: null,
};

describe('the events of the service', () => {
  it('describe an item that arrived', () => {
    const item = newItem({ id: 'i1', title: 'New', url: 'https://x.example/1', summary: 'Short.', publishedAt: NOON });
    expect(feedItemArrived(newFeed({ id: 'news', publishedTitle: 'News' }), item, false, NOON)).toEqual({
      specversion: '1.0',
      id: 'news/i1',
      source: '/agent-service/feeds/news',
      type: 'feed.item.arrived',
      subject: 'i1',
      time: '2026-11-21T12:00:00.000Z',
      datacontenttype: 'application/json',
      data: {
        feed: { id: 'news', title: 'News', uri: 'rss://news' },
        item: {
          id: 'i1',
          uri: 'rss://news/i1',
          url: 'https://x.example/1',
          title: 'New',
          author: null,
          publishedAt: '2026-11-21T12:00:00.000Z',
          summary: 'Short.',
          categories: [],
        },
        isBacklog: false,
      },
    });
  });

  it('describe a memory entry', () => {
    expect(memorySaved(entry)).toMatchObject({
      id: 'web/color@2026-11-21T12:00:00.000Z',
      source: '/agent-service/memory/web',
      type: 'memory.saved',
      subject: 'color',
      data: { uri: 'memory://web/color', version: 2, characters: 5, excerpt: 'Blue.' },
    });
    const removed = [memoryRemoved('web', 'color', NOON), memoryRemoved('web', 'color', NOON)];
    expect(removed[0]).toMatchObject({ type: 'memory.removed', data: { uri: 'memory://web/color' } });
    expect(removed[0]?.id).not.toBe(removed[1]?.id);
  });

  it('describe a document, each of its texts once, and each time that it is created, restored or removed', () => {
    const { id, type, source, subject } = documentSaved(document);
    expect([id, type, source, subject]).toEqual([
      'd1@2026-11-21T12:00:00.000Z',
      'document.saved',
      '/agent-service/knowledge',
      'd1',
    ]);
    const isNew = true;
    const again = [documentSaved(document, { isNew }), documentSaved(document, { isNew })];
    const removed = [documentRemoved('d1', NOON), documentRemoved('d1', NOON)];
    expect(removed[0]).toMatchObject({ type: 'document.removed', subject: 'd1' });
    expect(new Set([id, ...again.map((event) => event.id)]).size).toBe(3);
    expect(removed[0]?.id).not.toBe(removed[1]?.id);
  });

  it('describe the end of a run', () => {
    const run = { id: 'r1', name: 'report', client: 'ada', status: 'failed', origin: 'call' };
    expect(runEnded(run, NOON)).toMatchObject({
      id: 'r1',
      type: 'run.ended',
      source: '/agent-service/runs/report',
      subject: 'r1',
      data: { ...run, uri: 'run://r1' },
    });
  });

  it('have the members that their samples have', () => {
    const membersOf = (value: unknown): unknown =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, membersOf(member)]))
        : null;
    const run = { id: 'r1', name: 'report', client: 'ada', status: 'failed', origin: 'call' };
    const made = [
      feedItemArrived(newFeed(), newItem(), false, NOON),
      documentSaved(document),
      documentRemoved('d1', NOON),
      memorySaved(entry),
      memoryRemoved('web', 'color', NOON),
      runEnded(run, NOON),
    ];
    const members = Object.fromEntries(made.map(({ type, data }) => [type, membersOf(data)]));
    expect(membersOf(SAMPLE_DATA)).toEqual(members);
  });

  it('contain a limited part of long texts', () => {
    const long = newItem({
      title: LONG,
      summary: LONG,
      url: LONG,
      author: LONG,
      categories: Array<string>(1_000).fill(LONG),
    });
    const feed = newFeed({ customTitle: LONG });
    for (const event of [
      feedItemArrived(feed, long, true, NOON),
      documentSaved(document),
      memorySaved({ ...entry, content: LONG }),
    ]) {
      const json = JSON.stringify(event);
      expect(json.length).toBeLessThan(60_000);
      expect(json.isWellFormed()).toBe(true);
    }
    expect(documentSaved(document).data).toMatchObject({ characters: 200_000, tags: { length: 50 } });
  });
});
