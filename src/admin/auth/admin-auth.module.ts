import { Module } from '@nestjs/common';
import { AuditModule } from '../../audit/audit.module.js';
import { DatabaseModule } from '../../database/database.module.js';
import { Environment } from '../../environment/environment.js';
import { EnvironmentModule } from '../../environment/environment.module.js';
import { SecretsModule } from '../../secrets/secrets.module.js';
import { SecretsService } from '../../secrets/secrets.service.js';
import { AdminAccess } from './admin-access.service.js';
import { AdminCookie, AdminDevice } from './admin-cookies.service.js';
import { AdminCredentials } from './admin-credentials.service.js';
import { AdminPassword } from './admin-password.service.js';
import { AdminSessionStore } from './admin-session.store.js';
import { AdminSessions } from './admin-sessions.service.js';
import { LoginThrottle } from './login-throttle.service.js';
import { PasswordQueue } from './password-queue.service.js';

@Module({
  imports: [AuditModule, EnvironmentModule, DatabaseModule, SecretsModule],
  providers: [
    {
      provide: AdminPassword,
      useFactory: (environment: Environment, secrets: SecretsService) => AdminPassword.load(environment, secrets),
      inject: [Environment, SecretsService],
    },
    AdminAccess,
    AdminCookie,
    AdminCredentials,
    AdminDevice,
    AdminSessionStore,
    AdminSessions,
    LoginThrottle,
    PasswordQueue,
  ],
  exports: [AdminAccess, AdminPassword, AuditModule],
})
export class AdminAuthModule {}
