import { Module } from '@nestjs/common';
import { DatabaseModule } from '../database/database.module.js';
import { Environment } from '../environment/environment.js';
import { EnvironmentModule } from '../environment/environment.module.js';
import { SealedColumns } from './sealed-columns.store.js';
import { SealingKeys } from './sealing-keys.service.js';
import { SecretStore } from './secret.store.js';
import { SecretsService } from './secrets.service.js';

@Module({
  imports: [EnvironmentModule, DatabaseModule],
  providers: [
    SecretStore,
    SecretsService,
    SealedColumns,
    {
      provide: SealingKeys,
      useFactory: async (environment: Environment, secrets: SecretsService, columns: SealedColumns) => {
        const keys = await SealingKeys.load(environment, secrets);
        await columns.reseal(keys);
        return keys;
      },
      inject: [Environment, SecretsService, SealedColumns],
    },
  ],
  exports: [SecretsService, SealingKeys],
})
export class SecretsModule {}
