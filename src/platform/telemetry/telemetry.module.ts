import { Module } from '@nestjs/common';
import { Environment } from '../environment/environment.js';
import { EnvironmentModule } from '../environment/environment.module.js';
import { UnhandledErrors } from './unhandled-errors.service.js';
import { PinoLogger } from './pino-logger.service.js';

@Module({
  imports: [EnvironmentModule],
  providers: [
    UnhandledErrors,
    {
      provide: PinoLogger,
      useFactory: (environment: Environment) => PinoLogger.toStderr(environment),
      inject: [Environment],
    },
  ],
  exports: [UnhandledErrors, PinoLogger],
})
export class TelemetryModule {}
