import { Module } from '@nestjs/common';
import { DatabaseModule } from '../database/database.module.js';
import { Environment } from '../environment/environment.js';
import { EnvironmentModule } from '../environment/environment.module.js';
import { EventBus } from '../events/event-bus.service.js';
import { EventsModule } from '../events/events.module.js';
import { SealingKeys } from '../secrets/sealing-keys.service.js';
import { SecretsModule } from '../secrets/secrets.module.js';
import { SettingsService } from './settings.service.js';
import { SettingsStore } from './settings.store.js';

@Module({
  imports: [EnvironmentModule, DatabaseModule, SecretsModule, EventsModule],
  providers: [
    SettingsStore,
    {
      provide: SettingsService,
      useFactory: (store: SettingsStore, environment: Environment, sealing: SealingKeys, events: EventBus) =>
        SettingsService.load({ store, environment, sealing, events }),
      inject: [SettingsStore, Environment, SealingKeys, EventBus],
    },
  ],
  exports: [SettingsService],
})
export class ConfigModule {}
