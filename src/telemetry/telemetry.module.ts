import { Module } from '@nestjs/common';
import { ClientsModule } from '../clients/clients.module.js';
import { Environment } from '../config/environment.js';
import { CallStatistics } from './call-statistics.service.js';
import { EscapedErrors } from './escaped-errors.service.js';
import { McpStatus } from './mcp-status.service.js';
import { PinoLogger } from './pino-logger.service.js';

@Module({
  imports: [ClientsModule],
  providers: [
    CallStatistics,
    EscapedErrors,
    McpStatus,
    {
      provide: PinoLogger,
      useFactory: (environment: Environment) => PinoLogger.to(environment),
      inject: [Environment],
    },
  ],
  exports: [CallStatistics, EscapedErrors, McpStatus, PinoLogger],
})
export class TelemetryModule {}
