import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { AuditModule } from '../../../../access/audit/audit.module.js';
import { ConfigModule } from '../../../../platform/config/config.module.js';
import { BodyBudget } from './body-budget.service.js';

/** What all controllers of the administration need: to read bodies, and to record changes. */
@Module({
  imports: [AuditModule, ConfigModule, DiscoveryModule],
  providers: [BodyBudget],
  exports: [AuditModule, BodyBudget, DiscoveryModule],
})
export class AdminBodiesModule {}
