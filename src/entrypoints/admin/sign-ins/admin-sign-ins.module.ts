import { Module } from '@nestjs/common';
import { AccountsModule } from '../../../access/accounts/accounts.module.js';
import { OAuthModule } from '../../../access/oauth/oauth.module.js';
import { EventsModule } from '../../../platform/events/events.module.js';
import { AdminBodiesModule } from '../api/body/admin-bodies.module.js';
import { AdminClientsModule } from '../clients/admin-clients.module.js';
import { GrantsController, OwnGrantsController } from './grants.controller.js';
import { ProgramsController } from './programs.controller.js';
import { SignInsController } from './sign-ins.controller.js';

/** Lets people allow programs to act for them, and administrators see these grants. */
@Module({
  imports: [AccountsModule, AdminBodiesModule, AdminClientsModule, EventsModule, OAuthModule],
  controllers: [SignInsController, GrantsController, OwnGrantsController, ProgramsController],
})
export class AdminSignInsModule {}
