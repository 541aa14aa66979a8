import { Module } from '@nestjs/common';
import { FeedsModule } from '../../../features/feeds/feeds.module.js';
import { AdminBodiesModule } from '../api/body/admin-bodies.module.js';
import { AdminAuthModule } from '../../../access/accounts/admin-auth.module.js';
import { AdminFeedItems } from './admin-feed-items.service.js';
import { AdminFeeds } from './admin-feeds.service.js';
import { FeedItemsController } from './feed-items.controller.js';
import { FeedsController } from './feeds.controller.js';

/** Feeds and their items. */
@Module({
  imports: [AdminAuthModule, AdminBodiesModule, FeedsModule],
  controllers: [FeedsController, FeedItemsController],
  providers: [AdminFeeds, AdminFeedItems],
})
export class AdminFeedsModule {}
