import { Module } from '@nestjs/common';
import { Registry } from 'prom-client';
import { AccountsModule } from '../../../access/accounts/accounts.module.js';
import { ClientsModule } from '../../../access/clients/clients.module.js';
import { DatabaseModule } from '../../../platform/database/database.module.js';
import { EventsModule } from '../../../platform/events/events.module.js';
import { TelemetryModule } from '../../../platform/telemetry/telemetry.module.js';
import { ActivityMetrics } from './activity-metrics.service.js';
import { MetricsController } from './metrics.controller.js';
import { Metrics } from './metrics.service.js';

@Module({
  imports: [AccountsModule, ClientsModule, DatabaseModule, EventsModule, TelemetryModule],
  controllers: [MetricsController],
  providers: [{ provide: Registry, useFactory: () => new Registry() }, ActivityMetrics, Metrics],
})
export class MetricsModule {}
