import { Module } from '@nestjs/common';
import { ConfigModule } from '../../platform/config/config.module.js';
import { DatabaseModule } from '../../platform/database/database.module.js';
import { EventsModule } from '../../platform/events/events.module.js';
import { PolicyClock, PolicyService } from './policy.service.js';
import { PolicyHours } from './policy-hours.service.js';
import { PolicyStore } from './policy.store.js';
import { ReadableResources } from './readable-resources.service.js';

@Module({
  imports: [ConfigModule, DatabaseModule, EventsModule],
  providers: [PolicyClock, PolicyHours, PolicyService, PolicyStore, ReadableResources],
  exports: [PolicyClock, PolicyService, PolicyStore, ReadableResources],
})
export class PolicyModule {}
