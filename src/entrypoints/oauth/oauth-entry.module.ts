import { type MiddlewareConsumer, Module, type NestModule } from '@nestjs/common';
import { ClientsModule } from '../../access/clients/clients.module.js';
import { OAuthModule } from '../../access/oauth/oauth.module.js';
import { DatabaseModule } from '../../platform/database/database.module.js';
import { NetworkModule } from '../../platform/network/network.module.js';
import { OAuthMiddleware } from './oauth.middleware.js';
import { Newcomers } from './newcomers.service.js';

@Module({
  imports: [ClientsModule, OAuthModule, DatabaseModule, NetworkModule],
  providers: [Newcomers, OAuthMiddleware],
})
export class OAuthEntryModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(OAuthMiddleware).forRoutes('oauth/*path', '.well-known/*path');
  }
}
