import { Module } from '@nestjs/common';
import { TerminusModule } from '@nestjs/terminus';
import { DatabaseModule } from '../database/database.module.js';
import { ServiceInfoModule } from '../service-info/service-info.module.js';
import { TelemetryModule } from '../telemetry/telemetry.module.js';
import { HealthController } from './health.controller.js';
import { HealthService } from './health.service.js';

@Module({
  imports: [DatabaseModule, TerminusModule.forRoot({ logger: false }), ServiceInfoModule, TelemetryModule],
  controllers: [HealthController],
  providers: [HealthService],
})
export class HealthModule {}
