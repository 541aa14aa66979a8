import { Injectable } from '@nestjs/common';
import { ClientsService } from './clients.service.js';
import { Environment } from '../../platform/environment/environment.js';
import { OAuthAddresses } from './oauth-addresses.service.js';

export type McpPhase = 'starting' | 'running' | 'stopping';

/** `unconfigured` = running, but nobody can call, because no key is set and sign-in is not available. */
export type McpState = McpPhase | 'unconfigured';

@Injectable()
export class McpStatus {
  private phase: McpPhase = 'starting';

  constructor(
    private readonly clients: ClientsService,
    private readonly environment: Environment,
    private readonly addresses: OAuthAddresses,
  ) {}

  enter(phase: McpPhase): void {
    this.phase = phase;
  }

  /** Returns the URL at which clients reach the endpoint; null when it is unknown, because PUBLIC_URL is not set. */
  publicUrl(): string | null {
    const { PUBLIC_URL } = this.environment;
    return PUBLIC_URL && `${PUBLIC_URL}/mcp`;
  }

  current(): McpState {
    const canCall = this.clients.isConfigured() || this.addresses.isOn();
    return this.phase === 'running' && !canCall ? 'unconfigured' : this.phase;
  }
}
