import { Module } from '@nestjs/common';
import { ClientsModule } from '../../access/clients/clients.module.js';
import { ExternalIssuerModule } from '../../access/external-issuer/external-issuer.module.js';
import { OAuthModule } from '../../access/oauth/oauth.module.js';
import { ConfigModule } from '../../platform/config/config.module.js';
import { DatabaseModule } from '../../platform/database/database.module.js';
import { EnvironmentModule } from '../../platform/environment/environment.module.js';
import { EventsModule } from '../../platform/events/events.module.js';
import { NetworkModule } from '../../platform/network/network.module.js';
import { PolicyModule } from '../../access/policy/policy.module.js';
import { ServiceInfoModule } from '../../platform/service-info/service-info.module.js';
import { SkillsModule } from '../../core/skills/skills.module.js';
import { ApiKeyGuard } from './api-key.guard.js';
import { CapabilitiesModule } from './capabilities.module.js';
import { ChangeNotifier } from './change-notifier.service.js';
import { EndpointLimitsService, McpProtocol, McpTransport } from './mcp-transport.provider.js';
import { Housekeeping } from './housekeeping.service.js';
import { McpStorageModule } from './mcp-storage.module.js';
import { McpErrorFilter } from './mcp-error.filter.js';
import { McpController } from './mcp.controller.js';
import { NoOAuthController } from './no-oauth.controller.js';
import { OriginGuard } from './origin.guard.js';
import { PolicyChanges } from './policy-changes.service.js';
import { RateLimitGuard } from './rate-limit.guard.js';
import { RelayListener, ReplicaSync } from './replica-sync.service.js';
import { SignedIn } from './signed-in.service.js';
import { StraightWay } from './straight-way.js';
import { ToolSet } from './tool-set.service.js';

@Module({
  imports: [
    EnvironmentModule,
    ConfigModule,
    NetworkModule,
    DatabaseModule,
    McpStorageModule,
    CapabilitiesModule,
    EventsModule,
    ClientsModule,
    SkillsModule,
    ServiceInfoModule,
    PolicyModule,
    ExternalIssuerModule,
    OAuthModule,
  ],
  controllers: [McpController, NoOAuthController],
  providers: [
    StraightWay,
    SignedIn,
    OriginGuard,
    ApiKeyGuard,
    RateLimitGuard,
    McpErrorFilter,
    McpTransport,
    McpProtocol,
    EndpointLimitsService,
    ChangeNotifier,
    PolicyChanges,
    ReplicaSync,
    RelayListener,
    ToolSet,
    Housekeeping,
  ],
  exports: [McpTransport],
})
export class McpModule {}
