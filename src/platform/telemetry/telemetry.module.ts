import { Module } from '@nestjs/common';
import { Environment } from '../environment/environment.js';
import { EnvironmentModule } from '../environment/environment.module.js';
import { EscapedErrors } from './escaped-errors.service.js';
import { PinoLogger } from './pino-logger.service.js';

@Module({
  imports: [EnvironmentModule],
  providers: [
    EscapedErrors,
    {
      provide: PinoLogger,
      useFactory: (environment: Environment) => PinoLogger.to(environment),
      inject: [Environment],
    },
  ],
  exports: [EscapedErrors, PinoLogger],
})
export class TelemetryModule {}
