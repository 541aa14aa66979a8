import { randomUUID } from 'node:crypto';
import type { CloudEvent, JsonObject } from '#open-workflow';
import type { RunEnded } from '../../../../platform/events/app-events.js';
import { type Feed, type FeedItem, feedUri, itemUri, titleOf } from '../../../feeds/store/feed.js';
import type { Document } from '../../../knowledge/documents/document.js';
import { documentUri } from '../../../knowledge/documents/document.rules.js';
import type { MemoryEntry } from '../../../memory/memory-entry.js';
import { memoryUri } from '../../../memory/memory.rules.js';
import type { ServiceEventType } from '../../runs/events/event-types.js';

/** Characters of a content in an event; the resource has all of it. */
const EXCERPT = 2_000;
const LINE = 500;
const MOST_TAGS = 50;

export function feedItemArrived(feed: Feed, item: FeedItem, isBacklog: boolean, now: Date): CloudEvent {
  return event('feed.item.arrived', `feeds/${feed.id}`, {
    id: `${feed.id}/${item.id}`,
    subject: item.id,
    time: now,
    data: {
      feed: { id: feed.id, title: cut(titleOf(feed), LINE), uri: feedUri(feed.id) },
      item: {
        id: item.id,
        uri: itemUri(feed.id, item.id),
        url: item.url && cut(item.url, EXCERPT),
        title: cut(item.title, LINE),
        author: item.author && cut(item.author, LINE),
        publishedAt: item.publishedAt?.toISOString() ?? null,
        summary: cut(item.summary, EXCERPT),
        categories: item.categories.slice(0, MOST_TAGS).map((category) => cut(category, LINE)),
      },
      isBacklog,
    },
  });
}

/** @param isNew true when the document is new; a restored one is not, because events about its content were sent before its removal */
export function documentSaved(document: Document, { isNew = false } = {}): CloudEvent {
  const { id, title, tags, source, path, content, updatedAt } = document;
  return event('document.saved', 'knowledge', {
    id: `${id}@${isNew ? randomUUID() : updatedAt.toISOString()}`,
    subject: id,
    time: updatedAt,
    data: {
      id,
      uri: documentUri(id),
      title: cut(title, LINE),
      tags: tags.slice(0, MOST_TAGS),
      source,
      path,
      characters: content.length,
      excerpt: cut(content, EXCERPT),
    },
  });
}

export function documentRemoved(id: string, now: Date): CloudEvent {
  return event('document.removed', 'knowledge', {
    id: `${id}@${randomUUID()}`, // another document may have had this address before
    subject: id,
    time: now,
    data: { id, uri: documentUri(id) },
  });
}

export function memorySaved(entry: MemoryEntry): CloudEvent {
  const { namespace, key, tags, importance, client, version, content, updatedAt } = entry;
  return event('memory.saved', `memory/${namespace}`, {
    id: `${namespace}/${key}@${updatedAt.toISOString()}`,
    subject: key,
    time: updatedAt,
    data: {
      namespace,
      key,
      uri: memoryUri(entry),
      tags: tags.slice(0, MOST_TAGS),
      importance,
      client,
      version,
      characters: content.length,
      excerpt: cut(content, EXCERPT),
    },
  });
}

export function memoryRemoved(namespace: string, key: string, now: Date): CloudEvent {
  return event('memory.removed', `memory/${namespace}`, {
    id: `${namespace}/${key}@${randomUUID()}`,
    subject: key,
    time: now,
    data: { namespace, key, uri: memoryUri({ namespace, key }) },
  });
}

export function runEnded({ id, name, client, status, origin }: RunEnded, now: Date): CloudEvent {
  return event('run.ended', `runs/${name}`, {
    id,
    subject: id,
    time: now,
    data: { id, uri: `run://${id}`, name, client, status, origin },
  });
}

interface EventParts {
  id: string;
  subject: string;
  time: Date;
  data: JsonObject;
}

const event = (type: ServiceEventType, path: string, { id, subject, time, data }: EventParts): CloudEvent => ({
  specversion: '1.0',
  id,
  source: `/agent-service/${path}`,
  type,
  subject,
  time: time.toISOString(),
  datacontenttype: 'application/json',
  data,
});

const cut = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length - 1).toWellFormed()}…` : text;
