import { Module } from '@nestjs/common';
import { Environment } from '../../config/environment.js';
import { SecretsService } from '../../config/secrets.service.js';
import { AdminAccess } from './admin-access.service.js';
import { AdminCookie } from './admin-cookie.provider.js';
import { AdminCredentials } from './admin-credentials.service.js';
import { AdminDevice } from './admin-device.provider.js';
import { AdminPassword } from './admin-password.service.js';
import { AdminSessionStore } from './admin-session.store.js';
import { AdminSessions } from './admin-sessions.service.js';
import { LoginThrottle } from './login-throttle.service.js';
import { PasswordQueue } from './password-queue.service.js';

@Module({
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
  exports: [AdminAccess, AdminPassword],
})
export class AdminAuthModule {}
