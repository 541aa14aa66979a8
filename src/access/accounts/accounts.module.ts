import { Module } from '@nestjs/common';
import { ConfigModule } from '../../platform/config/config.module.js';
import { AuditModule } from '../audit/audit.module.js';
import { DatabaseModule } from '../../platform/database/database.module.js';
import { Environment } from '../../platform/environment/environment.js';
import { EnvironmentModule } from '../../platform/environment/environment.module.js';
import { EventsModule } from '../../platform/events/events.module.js';
import { SecretsModule } from '../../platform/secrets/secrets.module.js';
import { SecretsService } from '../../platform/secrets/secrets.service.js';
import { AdminAccess } from './admin-access.service.js';
import { AdminCookies } from './admin-cookies.service.js';
import { AdminCredentials } from './admin-credentials.service.js';
import { AdminPassword } from './admin-password.service.js';
import { AdminSessionStore } from './admin-session.store.js';
import { AdminSessions } from './admin-sessions.service.js';
import { AdministratorStore } from './administrator.store.js';
import { Administrators } from './administrators.service.js';
import { LoginThrottle } from './login-throttle.service.js';
import { PasswordQueue } from './password-queue.service.js';

@Module({
  imports: [AuditModule, ConfigModule, EnvironmentModule, DatabaseModule, SecretsModule, EventsModule],
  providers: [
    {
      provide: AdminPassword,
      useFactory: (environment: Environment, store: AdministratorStore) => AdminPassword.load(environment, store),
      inject: [Environment, AdministratorStore],
    },
    {
      provide: AdminCookies,
      useFactory: (environment: Environment, secrets: SecretsService) => AdminCookies.load(environment, secrets),
      inject: [Environment, SecretsService],
    },
    AdminAccess,
    AdminCredentials,
    Administrators,
    AdministratorStore,
    AdminSessionStore,
    AdminSessions,
    LoginThrottle,
    PasswordQueue,
  ],
  exports: [AdminAccess, AdminCookies, AdminPassword, Administrators, AuditModule, LoginThrottle],
})
export class AccountsModule {}
