import { Module } from '@nestjs/common';
import { AccountController } from '../account/account.controller.js';
import { OwnAccount } from '../account/own-account.service.js';
import { AdminBodiesModule } from '../api/body/admin-bodies.module.js';
import { AdminAuthModule } from '../../../access/accounts/admin-auth.module.js';
import { AdminAdministrators } from './admin-administrators.service.js';
import { AdministratorsController } from './administrators.controller.js';

/** The accounts of administrators, and one's own. */
@Module({
  imports: [AdminAuthModule, AdminBodiesModule],
  controllers: [AdministratorsController, AccountController],
  providers: [AdminAdministrators, OwnAccount],
})
export class AdministratorsModule {}
