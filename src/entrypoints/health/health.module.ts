import { Module } from '@nestjs/common';
import { TerminusModule } from '@nestjs/terminus';
import { ClientsModule } from '../../access/clients/clients.module.js';
import { DatabaseModule } from '../../platform/database/database.module.js';
import { ServiceInfoModule } from '../../platform/service-info/service-info.module.js';
import { TelemetryModule } from '../../platform/telemetry/telemetry.module.js';
import { PolicyModule } from '../../access/policy/policy.module.js';
import { HealthFacts } from './health-facts.service.js';
import { HealthController } from './health.controller.js';
import { HealthService } from './health.service.js';

@Module({
  imports: [
    DatabaseModule,
    TerminusModule.forRoot({ logger: false }),
    ClientsModule,
    ServiceInfoModule,
    TelemetryModule,
    PolicyModule,
  ],
  controllers: [HealthController],
  providers: [HealthFacts, HealthService],
})
export class HealthModule {}
