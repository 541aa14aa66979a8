import { Module } from '@nestjs/common';
import { Environment } from '../environment/environment.js';
import { EnvironmentModule } from '../environment/environment.module.js';
import { EventsModule } from '../events/events.module.js';
import { CallStatistics } from './call-statistics.service.js';
import { EscapedErrors } from './escaped-errors.service.js';
import { PinoLogger } from './pino-logger.service.js';

@Module({
  imports: [EnvironmentModule, EventsModule],
  providers: [
    CallStatistics,
    EscapedErrors,
    {
      provide: PinoLogger,
      useFactory: (environment: Environment) => PinoLogger.to(environment),
      inject: [Environment],
    },
  ],
  exports: [CallStatistics, EscapedErrors, PinoLogger],
})
export class TelemetryModule {}
