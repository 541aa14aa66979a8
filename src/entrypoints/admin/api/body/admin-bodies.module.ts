import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { AuditModule } from '../../../../access/audit/audit.module.js';
import { ConfigModule } from '../../../../platform/config/config.module.js';
import { BodyBudget } from './body-budget.service.js';

/** Shared by all controllers of the administration: reads bodies, and records changes. */
@Module({
  imports: [AuditModule, ConfigModule, DiscoveryModule],
  providers: [BodyBudget],
  exports: [AuditModule, BodyBudget, DiscoveryModule],
})
export class AdminBodiesModule {}
