import { Module } from '@nestjs/common';
import { FeedsModule } from '../../../features/feeds/feeds.module.js';
import { AdminBodiesModule } from '../api/body/admin-bodies.module.js';
import { AccountsModule } from '../../../access/accounts/accounts.module.js';
import { FeedItemsController, FeedsController } from './feeds.controller.js';

@Module({
  imports: [AccountsModule, AdminBodiesModule, FeedsModule],
  controllers: [FeedsController, FeedItemsController],
})
export class AdminFeedsModule {}
