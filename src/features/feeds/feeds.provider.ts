import { Injectable } from '@nestjs/common';
import { EventBus } from '../../platform/events/event-bus.service.js';
import { feedMarkdown, itemMarkdown } from './feed-markdown.rules.js';
import { feedUri, itemUri, titleOf } from './store/feed.js';
import { FeedsService } from './feeds.service.js';
import { mapPage, type Page, type PageRequest } from '../../platform/paging/page-cursor.js';
import type {
  Completion,
  ResourceContent,
  ResourceEntry,
  ResourceStore,
  ResourceTemplateEntry,
  ResourceWatcher,
} from '../../core/resources/resource-store.js';

const MARKDOWN = 'text/markdown';
const LATEST = 20;
const URI = /^rss:\/\/([a-z0-9][a-z0-9-]*)(?:\/([\w-]+))?\/?$/i;

/** Serves `rss://{feed}`, a feed with its latest items, and `rss://{feed}/{item}`, one item with its content. */
@Injectable()
export class FeedResources implements ResourceStore {
  readonly scheme = 'rss';
  readonly position = 3;

  constructor(
    private readonly feeds: FeedsService,
    private readonly events: EventBus,
  ) {}

  async listPage(page: PageRequest): Promise<Page<ResourceEntry>> {
    return mapPage(await this.feeds.listPage(page), (feed) => ({
      uri: feedUri(feed.id),
      name: feed.id,
      title: titleOf(feed),
      ...(feed.description && { description: feed.description }),
      mimeType: MARKDOWN,
    }));
  }

  templates(): ResourceTemplateEntry[] {
    return [
      {
        uriTemplate: feedUri('{feed}'),
        name: 'Feed',
        description: 'A followed RSS, Atom or JSON feed with its latest items',
        mimeType: MARKDOWN,
      },
      {
        uriTemplate: itemUri('{feed}', '{item}'),
        name: 'Feed item',
        description: 'One item of a feed with its whole content',
        mimeType: MARKDOWN,
      },
    ];
  }

  canonical(uri: string): string | null {
    const [, feed, item] = URI.exec(uri) ?? [];
    if (feed === undefined) return null;
    return item === undefined ? feedUri(feed.toLowerCase()) : itemUri(feed.toLowerCase(), item);
  }

  async read(uri: string): Promise<ResourceContent[] | null> {
    const [, feedId, itemId] = URI.exec(uri) ?? [];
    if (feedId === undefined) return null;
    const text = itemId === undefined ? await this.readFeed(feedId) : await this.readItem(feedId, itemId);
    return text === null ? null : [{ uri, mimeType: MARKDOWN, text }];
  }

  async complete({ variable, prefix, chosen, limit }: Completion): Promise<string[]> {
    if (variable === 'item') return this.feeds.listItemIds({ prefix, feed: chosen['feed'] || undefined, limit });
    return this.feeds.listIds({ prefix, limit });
  }

  watch(watcher: ResourceWatcher): () => void {
    const ends = [
      this.events.on('feeds.changed', ({ added }) => {
        for (const feed of added) watcher.updated(feedUri(feed));
        watcher.listChanged();
      }),
      this.events.on('feed.updated', ({ feed, changedItems }) => {
        watcher.updated(feedUri(feed));
        for (const item of changedItems) watcher.updated(itemUri(feed, item));
      }),
    ];
    return () => ends.forEach((end) => end());
  }

  private async readFeed(id: string): Promise<string | null> {
    const feed = await this.feeds.find(id.toLowerCase());
    if (!feed) return null;
    const { items } = await this.feeds.listItems({ feed: feed.id, limit: LATEST });
    return feedMarkdown(feed, items);
  }

  private async readItem(feedId: string, id: string): Promise<string | null> {
    const item = await this.feeds.findItem(feedId.toLowerCase(), id);
    return item ? itemMarkdown(item) : null;
  }
}
