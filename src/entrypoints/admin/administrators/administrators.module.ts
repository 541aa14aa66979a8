import { Module } from '@nestjs/common';
import { AccountController } from './account.controller.js';
import { AdminBodiesModule } from '../api/body/admin-bodies.module.js';
import { AccountsModule } from '../../../access/accounts/accounts.module.js';
import { AdministratorsController } from './administrators.controller.js';

/** The accounts of people and scripts, and the caller's own account. */
@Module({
  imports: [AccountsModule, AdminBodiesModule],
  controllers: [AdministratorsController, AccountController],
})
export class AdministratorsModule {}
