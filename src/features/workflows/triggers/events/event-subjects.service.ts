import { Injectable } from '@nestjs/common';
import type { CloudEvent } from '#open-workflow';
import { FeedsService } from '../../../feeds/feeds.service.js';
import { KnowledgeService } from '../../../knowledge/knowledge.service.js';
import { MemoryService } from '../../../memory/memory.service.js';
import { documentSaved, feedItemArrived, memorySaved } from './service-event.rules.js';

/** Builds events from the current state of their subjects; null when a subject no longer exists. */
@Injectable()
export class EventSubjects {
  constructor(
    private readonly feeds: FeedsService,
    private readonly knowledge: KnowledgeService,
    private readonly memory: MemoryService,
  ) {}

  async feedItem(feedId: string, itemId: string, isBacklog: boolean, now: Date): Promise<CloudEvent | null> {
    const feed = await this.feeds.find(feedId);
    const item = feed && (await this.feeds.findItem(feedId, itemId));
    return feed && item ? feedItemArrived(feed, item, isBacklog, now) : null;
  }

  async document(id: string, { isNew }: { isNew: boolean }): Promise<CloudEvent | null> {
    const document = await this.knowledge.find(id);
    return document ? documentSaved(document, { isNew }) : null;
  }

  async memoryEntry(namespace: string, key: string): Promise<CloudEvent | null> {
    const entry = await this.memory.find(namespace, key);
    return entry ? memorySaved(entry) : null;
  }
}
