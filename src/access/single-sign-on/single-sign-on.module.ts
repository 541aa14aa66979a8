import { Module } from '@nestjs/common';
import { DatabaseModule } from '../../platform/database/database.module.js';
import { EventsModule } from '../../platform/events/events.module.js';
import { OutgoingHttpModule } from '../../platform/outgoing-http/outgoing-http.module.js';
import { SecretsModule } from '../../platform/secrets/secrets.module.js';
import { SecretsService } from '../../platform/secrets/secrets.service.js';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AdminCookies } from '../accounts/admin-cookies.service.js';
import { AccountIdentities } from './account-identities.service.js';
import { AccountIdentityStore } from './account-identity.store.js';
import { ProviderClient } from './provider-client.service.js';
import { LoginAccounts } from './login-accounts.service.js';
import { LoginAttempts } from './login-attempts.service.js';
import { LoginProviderStore } from './login-provider.store.js';
import { LoginProviders } from './login-providers.service.js';
import { SingleSignOn } from './single-sign-on.service.js';

/** Logging in at a company's OpenID Connect provider. */
@Module({
  imports: [AccountsModule, DatabaseModule, EventsModule, OutgoingHttpModule, SecretsModule],
  providers: [
    {
      provide: LoginAttempts,
      useFactory: (cookies: AdminCookies, store: AccountIdentityStore, secrets: SecretsService) =>
        LoginAttempts.load(cookies, store, secrets),
      inject: [AdminCookies, AccountIdentityStore, SecretsService],
    },
    AccountIdentities,
    AccountIdentityStore,
    ProviderClient,
    LoginAccounts,
    LoginProviders,
    LoginProviderStore,
    SingleSignOn,
  ],
  exports: [AccountIdentities, ProviderClient, LoginAccounts, LoginProviders, SingleSignOn],
})
export class SingleSignOnModule {}
