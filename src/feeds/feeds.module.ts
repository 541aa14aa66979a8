import { Module, type OnModuleInit } from '@nestjs/common';
import { ConfigModule } from '../config/config.module.js';
import { DatabaseModule } from '../database/database.module.js';
import { EventsModule } from '../events/events.module.js';
import { OutgoingHttpModule } from '../outgoing-http/outgoing-http.module.js';
import { SkillRegistry } from '../skills/skill.registry.js';
import { SkillsModule } from '../skills/skills.module.js';
import { FeedItemStore } from './feed-item.store.js';
import { FeedStore } from './feed.store.js';
import { FeedsService } from './feeds.service.js';
import { FeedItems, FeedSubscribe, FeedUnsubscribe } from './feeds.skills.js';
import { FeedFetcher } from './polling/fetcher.service.js';
import { FeedClock, FeedPlanner } from './polling/planner.service.js';
import { FeedPoller } from './polling/poller.service.js';
import { FeedIntake, FeedRefresher } from './polling/refresher.service.js';
import { FeedReader } from './reading/reader.service.js';
import { FeedImport, OpmlReader } from './subscribing/feed-import.service.js';
import { FeedSubscriptions } from './subscribing/subscriptions.service.js';
import { PolicyModule } from '../policy/policy.module.js';

const SKILLS = [FeedSubscribe, FeedUnsubscribe, FeedItems];
const STORES = [FeedStore, FeedItemStore];
const POLLING = [FeedClock, FeedPlanner, FeedReader, FeedFetcher, FeedIntake, FeedRefresher, FeedPoller];

@Module({
  imports: [PolicyModule, ConfigModule, DatabaseModule, EventsModule, SkillsModule, OutgoingHttpModule],
  providers: [...STORES, ...POLLING, FeedSubscriptions, OpmlReader, FeedImport, FeedsService, ...SKILLS],
  exports: [FeedsService, FeedSubscriptions, FeedImport],
})
export class FeedsModule implements OnModuleInit {
  constructor(
    private readonly registry: SkillRegistry,
    private readonly subscribe: FeedSubscribe,
    private readonly unsubscribe: FeedUnsubscribe,
    private readonly items: FeedItems,
  ) {}

  onModuleInit(): void {
    this.registry.register(this.subscribe, this.unsubscribe, this.items);
  }
}
