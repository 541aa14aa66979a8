import { AppError } from '../../../platform/errors/app-error.js';

const LISTED = 20;
/** Feeds that an error gets: one more than it lists, so that it knows whether there are more. */
export const MOST_NAMED = LISTED + 1;

export class FeedNotFound extends AppError {
  constructor(feed: string, known: readonly string[]) {
    const others = known.length > LISTED ? ', and more' : '';
    const hint =
      known.length > 0 ? `The feeds are: ${known.slice(0, LISTED).join(', ')}${others}.` : 'There are no feeds yet.';
    super('not_found', 'feeds.feed_not_found', `There is no feed ${JSON.stringify(feed)}. ${hint}`);
  }
}

export class FeedItemNotFound extends AppError {
  constructor(feed: string, item: string) {
    super('not_found', 'feeds.item_not_found', `The feed ${feed} has no item ${JSON.stringify(item)} (any more).`);
  }
}

export class InvalidItemEnd extends AppError {
  constructor(before: string) {
    const message = `must be the uri of an item, such as "rss://daily-news/3f2a", or a day or a time, such as "2026-11-21"; not ${JSON.stringify(before)}`;
    super('invalid', 'feeds.invalid_item_end', `before: ${message}`, { fields: [{ path: 'before', message }] });
  }
}

export class FeedNotReadable extends AppError {
  constructor(url: string, reason: string) {
    const message = `${url} can't be subscribed to: ${reason}. Check the URL, or give that of the feed itself.`;
    super('invalid', 'feeds.feed_not_readable', message, { fields: [{ path: 'url', message: reason }] });
  }
}

/** Thrown when reading a document takes more time or memory than allowed, or crashes the reader. */
export class DocumentNotRead extends AppError {
  constructor(url: string, reason: string) {
    const message = `The document at ${url} can't be read: ${reason}. Its publisher may have another, shorter feed.`;
    super('invalid', 'feeds.document_not_read', message, { fields: [{ path: 'url', message: reason }] });
  }
}

/** Thrown to callers that wait for a document when the service stops; it says nothing about the feed. */
export class ReadingStopped extends AppError {
  constructor() {
    const message = 'The service is stopping: try again in a moment.';
    super('unavailable', 'feeds.reading_stopped', message, { retryAfterSeconds: 5 });
  }
}

export class InvalidOpml extends AppError {
  constructor(reason: string) {
    super('invalid', 'feeds.invalid_opml', `This can't be imported: ${reason}.`, {
      fields: [{ path: 'opml', message: reason }],
    });
  }
}
