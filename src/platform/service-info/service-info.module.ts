import { Module } from '@nestjs/common';
import { SecretsModule } from '../secrets/secrets.module.js';
import { IndexBuilding } from './index-building.service.js';
import { OwnPages } from './own-page.service.js';

@Module({
  imports: [SecretsModule],
  providers: [IndexBuilding, OwnPages],
  exports: [IndexBuilding, OwnPages],
})
export class ServiceInfoModule {}
