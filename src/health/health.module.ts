import { Module } from '@nestjs/common';
import { TerminusModule } from '@nestjs/terminus';
import { TelemetryModule } from '../telemetry/telemetry.module.js';
import { HealthController } from './health.controller.js';
import { HealthService } from './health.service.js';

@Module({
  imports: [TerminusModule.forRoot({ logger: false }), TelemetryModule],
  controllers: [HealthController],
  providers: [HealthService],
})
export class HealthModule {}
