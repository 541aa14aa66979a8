import { Module } from '@nestjs/common';
import { ConfigModule } from '../../platform/config/config.module.js';
import { DatabaseModule } from '../../platform/database/database.module.js';
import { EventsModule } from '../../platform/events/events.module.js';
import { OutgoingHttpModule } from '../../platform/outgoing-http/outgoing-http.module.js';
import { servesResources } from '../../core/resources/resource.router.js';
import { ResourcesModule } from '../../core/resources/resources.module.js';
import { registersSkills } from '../../core/skills/skill.registry.js';
import { SkillsModule } from '../../core/skills/skills.module.js';
import { FeedItemStore } from './store/feed-item.store.js';
import { FeedStore } from './store/feed.store.js';
import { FeedsService } from './feeds.service.js';
import { FeedItems, FeedSubscribe, FeedUnsubscribe } from './feeds.skills.js';
import { FeedFetcher } from './polling/fetcher.service.js';
import { FeedClock, FeedPlanner } from './polling/planner.service.js';
import { FeedPoller } from './polling/poller.service.js';
import { FeedIntake, FeedRefresher } from './polling/refresher.service.js';
import { FeedReader } from './reading/reader.service.js';
import { FeedImport, OpmlReader } from './subscribing/feed-import.service.js';
import { FeedSubscriptions } from './subscribing/subscriptions.service.js';
import { PolicyModule } from '../../access/policy/policy.module.js';
import { FeedResources } from './feeds.provider.js';

const SKILLS = [FeedSubscribe, FeedUnsubscribe, FeedItems];
const STORES = [FeedStore, FeedItemStore];
const POLLING = [FeedClock, FeedPlanner, FeedReader, FeedFetcher, FeedIntake, FeedRefresher, FeedPoller];

@Module({
  imports: [
    PolicyModule,
    ConfigModule,
    DatabaseModule,
    EventsModule,
    SkillsModule,
    ResourcesModule,
    OutgoingHttpModule,
  ],
  providers: [
    FeedResources,
    servesResources(FeedResources),
    ...STORES,
    ...POLLING,
    FeedSubscriptions,
    OpmlReader,
    FeedImport,
    FeedsService,
    ...SKILLS,
    registersSkills(...SKILLS),
  ],
  exports: [FeedsService, FeedSubscriptions, FeedImport],
})
export class FeedsModule {}
