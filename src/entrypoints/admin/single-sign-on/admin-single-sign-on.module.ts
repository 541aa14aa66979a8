import { Module } from '@nestjs/common';
import { AccountsModule } from '../../../access/accounts/accounts.module.js';
import { SingleSignOnModule } from '../../../access/single-sign-on/single-sign-on.module.js';
import { ConfigModule } from '../../../platform/config/config.module.js';
import { EnvironmentModule } from '../../../platform/environment/environment.module.js';
import { AdminBodiesModule } from '../api/body/admin-bodies.module.js';
import { IdentitiesController, OwnIdentitiesController } from './account-identities.controller.js';
import { LoginProvidersController } from './login-providers.controller.js';
import { SsoController } from './sso.controller.js';
import { SsoLogins } from './sso-logins.service.js';

@Module({
  imports: [AccountsModule, AdminBodiesModule, ConfigModule, EnvironmentModule, SingleSignOnModule],
  controllers: [SsoController, LoginProvidersController, OwnIdentitiesController, IdentitiesController],
  providers: [SsoLogins],
  exports: [SsoLogins],
})
export class AdminSingleSignOnModule {}
