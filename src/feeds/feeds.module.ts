import { Module, type OnModuleInit } from '@nestjs/common';
import { HttpModule } from '../http/http.module.js';
import { SkillRegistry } from '../skills/skill.registry.js';
import { SkillsModule } from '../skills/skills.module.js';
import { FeedClock } from './feed-clock.provider.js';
import { FeedFetcher } from './feed-fetch.service.js';
import { FeedImport } from './feed-import.service.js';
import { FeedIntake } from './feed-intake.service.js';
import { FeedItemStore } from './feed-item.store.js';
import { FeedPlanner } from './feed-planner.service.js';
import { FeedPoller } from './feed-poller.service.js';
import { FeedReader } from './feed-reader.service.js';
import { FeedRefresher } from './feed-refresh.service.js';
import { FeedSubscriptions } from './feed-subscription.service.js';
import { FeedStore } from './feed.store.js';
import { FeedsService } from './feeds.service.js';
import { FeedItems, FeedSubscribe, FeedUnsubscribe } from './feeds.skills.js';
import { OpmlReader } from './opml-reader.service.js';

const SKILLS = [FeedSubscribe, FeedUnsubscribe, FeedItems];
const STORES = [FeedStore, FeedItemStore];
const POLLING = [FeedClock, FeedPlanner, FeedReader, FeedFetcher, FeedIntake, FeedRefresher, FeedPoller];

@Module({
  imports: [SkillsModule, HttpModule],
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
