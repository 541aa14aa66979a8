import { Module } from '@nestjs/common';
import { ConfigModule } from '../../platform/config/config.module.js';
import { EventsModule } from '../../platform/events/events.module.js';
import { ClientsModule } from '../clients/clients.module.js';
import { SingleSignOnModule } from '../single-sign-on/single-sign-on.module.js';
import { ExternalTokens } from './external-tokens.service.js';
import { TokenValidation } from './token-validation.service.js';

/** Access tokens of another authorization server than the service's own. */
@Module({
  imports: [ConfigModule, EventsModule, ClientsModule, SingleSignOnModule],
  providers: [ExternalTokens, TokenValidation],
  exports: [ExternalTokens],
})
export class ExternalIssuerModule {}
