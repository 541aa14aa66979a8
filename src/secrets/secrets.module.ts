import { Module } from '@nestjs/common';
import { DatabaseModule } from '../database/database.module.js';
import { Environment } from '../environment/environment.js';
import { EnvironmentModule } from '../environment/environment.module.js';
import { SealingKeys } from './sealing-keys.service.js';
import { SecretStore } from './secret.store.js';
import { SecretsService } from './secrets.service.js';

@Module({
  imports: [EnvironmentModule, DatabaseModule],
  providers: [
    SecretStore,
    SecretsService,
    {
      provide: SealingKeys,
      useFactory: (environment: Environment, secrets: SecretsService) => SealingKeys.load(environment, secrets),
      inject: [Environment, SecretsService],
    },
  ],
  exports: [SecretsService, SealingKeys],
})
export class SecretsModule {}
