import { Module } from '@nestjs/common';
import { TerminusModule } from '@nestjs/terminus';
import { DatabaseModule } from '../database/database.module.js';
import { ServiceInfoModule } from '../service-info/service-info.module.js';
import { TelemetryModule } from '../telemetry/telemetry.module.js';
import { PolicyModule } from '../policy/policy.module.js';
import { HealthFacts } from './health-facts.service.js';
import { HealthController } from './health.controller.js';
import { HealthService } from './health.service.js';

@Module({
  imports: [
    DatabaseModule,
    TerminusModule.forRoot({ logger: false }),
    ServiceInfoModule,
    TelemetryModule,
    PolicyModule,
  ],
  controllers: [HealthController],
  providers: [HealthFacts, HealthService],
})
export class HealthModule {}
