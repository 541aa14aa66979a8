import { type BeforeApplicationShutdown, Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import type { CloudEvent } from '#open-workflow';
import type { AppEvents, RunEnded } from '../../../../platform/events/app-events.js';
import { DatabaseUnavailable } from '../../../../platform/database/database.errors.js';
import { EventBus } from '../../../../platform/events/event-bus.service.js';
import { RunsService } from '../../runs/runs.service.js';
import { TriggerClock } from '../clock.js';
import { EventQueue } from './event-queue.js';
import { RunChainStore, withChainLength } from '../../runs/events/run-chain.store.js';
import { EventSubjects } from './event-subjects.service.js';
import { documentRemoved, memoryRemoved, runEnded } from './service-event.rules.js';
import { countOf } from '../../../../platform/text/count-of.js';

const QUEUE = { maxWaiting: 5_000, atOnce: 4, retryMs: 500, closeWithinMs: 3_000 };

/**
 * Publishes events of the service to workflows: arrived items, saved and removed documents and entries, ended runs. The replica
 * on which an event occurs publishes it, and queues it in memory, also while the database is unavailable.
 */
@Injectable()
export class ServiceEvents implements OnModuleInit, BeforeApplicationShutdown {
  private readonly logger = new Logger('Events');
  private readonly queue = new EventQueue(QUEUE, {
    isTemporary: (error) => error instanceof DatabaseUnavailable && !error.isTooSlow,
    onFailed: (error) => this.logger.error({ err: error }, 'An event could not be delivered to workflows'),
    onDropped: (count) =>
      this.logger.warn(
        `${countOf(count, 'event')} not delivered to workflows: more than ${QUEUE.maxWaiting} came at once, or the service stopped`,
      ),
  });
  private stopListening: (() => void)[] = [];

  constructor(
    private readonly events: EventBus,
    private readonly subjects: EventSubjects,
    private readonly runs: RunsService,
    private readonly chains: RunChainStore,
    private readonly clock: TriggerClock,
  ) {}

  onModuleInit(): void {
    this.stopListening = [
      this.events.on('feed.items.arrived', (event) => this.feedItemsArrived(event)),
      this.events.on('knowledge.changed', (event) => this.knowledgeChanged(event)),
      this.events.on('memory.changed', (event) => this.memoryChanged(event)),
      this.events.on('run.ended', (event) => this.runEnded(event)),
    ];
  }

  async beforeApplicationShutdown(): Promise<void> {
    for (const stop of this.stopListening) stop();
    await this.queue.close();
  }

  /** Resolves when all events until now are delivered. */
  delivered(): Promise<void> {
    return this.queue.drained();
  }

  private feedItemsArrived({ feed, items, isBacklog }: AppEvents['feed.items.arrived']): void {
    const now = this.clock.now();
    // Documents list the latest item first; events are sent oldest first.
    for (const item of items.toReversed()) this.send(() => this.subjects.feedItem(feed, item, isBacklog, now));
  }

  private knowledgeChanged({ id, change }: AppEvents['knowledge.changed']): void {
    const now = this.clock.now();
    const isNew = change === 'created';
    this.send(async () => (change === 'removed' ? documentRemoved(id, now) : this.subjects.document(id, { isNew })));
  }

  private memoryChanged({ namespace, key, change }: AppEvents['memory.changed']): void {
    const now = this.clock.now();
    this.send(async () =>
      change === 'removed' ? memoryRemoved(namespace, key, now) : this.subjects.memoryEntry(namespace, key),
    );
  }

  private runEnded(run: RunEnded): void {
    if (run.origin === 'parent') return; // a part of another run, whose end counts
    const now = this.clock.now();
    this.queue.add(async () => {
      const chain = await this.chains.find(run.id);
      if (chain && !chain.isTest) await this.runs.publish(withChainLength(runEnded(run, now), chain.length));
    });
  }

  /** @param find returns null when the subject of the event was removed in the meantime */
  private send(find: () => Promise<CloudEvent | null>): void {
    let event: CloudEvent | null = null; // null = not built yet
    this.queue.add(async () => {
      // Built once: an event that is published again must have the same id.
      event ??= await find();
      if (event) await this.runs.publish(event);
    });
  }
}
