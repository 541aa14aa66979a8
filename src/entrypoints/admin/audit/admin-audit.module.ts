import { Module } from '@nestjs/common';
import { ClientsModule } from '../../../access/clients/clients.module.js';
import { OAuthModule } from '../../../access/oauth/oauth.module.js';
import { ServiceInfoModule } from '../../../platform/service-info/service-info.module.js';
import { AdminBodiesModule } from '../api/body/admin-bodies.module.js';
import { AccountsModule } from '../../../access/accounts/accounts.module.js';
import { OverviewController } from '../overview/overview.controller.js';
import { OverviewService } from '../overview/overview.service.js';
import { AuditController } from './audit.controller.js';

/** The audit log, and the statistics of the overview. */
@Module({
  imports: [AccountsModule, AdminBodiesModule, ClientsModule, OAuthModule, ServiceInfoModule],
  controllers: [AuditController, OverviewController],
  providers: [OverviewService],
})
export class AdminAuditModule {}
