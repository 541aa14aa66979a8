import { Module } from '@nestjs/common';
import { ConfigModule, registerAs } from '@nestjs/config';
import { Environment, parseEnvironment } from './environment.js';

// Parsed when the application is created, not when this file is imported, so that errors can be reported well.
const environmentConfig = registerAs('environment', () => parseEnvironment(process.env));

@Module({
  imports: [ConfigModule.forRoot({ ignoreEnvFile: true, cache: true, load: [environmentConfig] })],
  providers: [{ provide: Environment, useFactory: (parsed: Environment) => parsed, inject: [environmentConfig.KEY] }],
  exports: [Environment],
})
export class EnvironmentModule {}
