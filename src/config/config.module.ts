import { Global, Module } from '@nestjs/common';
import { ConfigModule as NestConfigModule, registerAs } from '@nestjs/config';
import { EventBus } from '../events/event-bus.service.js';
import { Environment, parseEnvironment } from './environment.js';
import { SealingKeys } from './sealing-keys.service.js';
import { SecretStore } from './secret.store.js';
import { SecretsService } from './secrets.service.js';
import { SettingsService } from './settings.service.js';
import { SettingsStore } from './settings.store.js';

// Loaded when the application is created, not when this file is imported: so what is wrong with it can be reported well.
const environmentConfig = registerAs('environment', () => parseEnvironment(process.env));

@Global()
@Module({
  imports: [NestConfigModule.forRoot({ ignoreEnvFile: true, cache: true, load: [environmentConfig] })],
  providers: [
    { provide: Environment, useFactory: (parsed: Environment) => parsed, inject: [environmentConfig.KEY] },
    SettingsStore,
    SecretStore,
    SecretsService,
    {
      provide: SealingKeys,
      useFactory: (environment: Environment, secrets: SecretsService) => SealingKeys.load(environment, secrets),
      inject: [Environment, SecretsService],
    },
    {
      provide: SettingsService,
      useFactory: (store: SettingsStore, environment: Environment, sealing: SealingKeys, events: EventBus) =>
        SettingsService.load({ store, environment, sealing, events }),
      inject: [SettingsStore, Environment, SealingKeys, EventBus],
    },
  ],
  exports: [Environment, SettingsService, SecretsService],
})
export class ConfigModule {}
