import { Module } from '@nestjs/common';
import { ConfigModule } from '../../platform/config/config.module.js';
import { DatabaseModule } from '../../platform/database/database.module.js';
import { EnvironmentModule } from '../../platform/environment/environment.module.js';
import { EventsModule } from '../../platform/events/events.module.js';
import { OutgoingHttpModule } from '../../platform/outgoing-http/outgoing-http.module.js';
import { SecretsModule } from '../../platform/secrets/secrets.module.js';
import { ClientsModule } from '../clients/clients.module.js';
import { AccessTokens } from './access-tokens.service.js';
import { ArtifactStore } from './artifact.store.js';
import { AuthorizationServer, OAuthStores } from './authorization-server.service.js';
import { GrantStore } from './grant.store.js';
import { Grants } from './grants.service.js';
import { OAuthHousekeeping } from './oauth-housekeeping.service.js';
import { ProgramDocuments } from './program-documents.service.js';
import { ProgramStore } from './program.store.js';
import { RegisteredPrograms } from './registered-programs.service.js';
import { SignIns } from './sign-ins.service.js';

@Module({
  imports: [
    ConfigModule,
    DatabaseModule,
    EnvironmentModule,
    EventsModule,
    OutgoingHttpModule,
    SecretsModule,
    ClientsModule,
  ],
  providers: [
    AccessTokens,
    ArtifactStore,
    AuthorizationServer,
    Grants,
    GrantStore,
    OAuthHousekeeping,
    OAuthStores,
    ProgramDocuments,
    ProgramStore,
    RegisteredPrograms,
    SignIns,
  ],
  exports: [AccessTokens, AuthorizationServer, Grants, RegisteredPrograms, SignIns],
})
export class OAuthModule {}
