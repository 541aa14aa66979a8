import { Module } from '@nestjs/common';
import { ConfigModule } from '../../platform/config/config.module.js';
import { DatabaseModule } from '../../platform/database/database.module.js';
import { EventsModule } from '../../platform/events/events.module.js';
import { AuditAppendStore } from './audit-append.store.js';
import { AuditBatchStore } from './audit-batch.store.js';
import { AuditChain } from './audit-chain.service.js';
import { AuditHousekeeping } from './audit-housekeeping.service.js';
import { AuditLog } from './audit-log.service.js';
import { AuditReader } from './audit-reader.service.js';
import { AuditTexts } from './audit-texts.service.js';
import { AuditTrail } from './audit-trail.service.js';
import { CallCountStore } from './call-count.store.js';
import { CallStatistics } from './call-statistics.service.js';

@Module({
  imports: [ConfigModule, DatabaseModule, EventsModule],
  providers: [
    AuditAppendStore,
    AuditBatchStore,
    AuditChain,
    AuditHousekeeping,
    AuditLog,
    AuditReader,
    AuditTexts,
    AuditTrail,
    CallCountStore,
    CallStatistics,
  ],
  exports: [AuditChain, AuditLog, AuditReader, AuditTrail, CallStatistics],
})
export class AuditModule {}
