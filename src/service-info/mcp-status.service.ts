import { Injectable } from '@nestjs/common';
import { ClientsService } from '../clients/clients.service.js';
import { Environment } from '../environment/environment.js';

/** Where the MCP server is in its life; told by its module. */
export type McpPhase = 'starting' | 'running' | 'stopping';

/** Running, but useless while nobody has a key: then `unconfigured`. */
export type McpState = McpPhase | 'unconfigured';

@Injectable()
export class McpStatus {
  private phase: McpPhase = 'starting';

  constructor(
    private readonly clients: ClientsService,
    private readonly environment: Environment,
  ) {}

  enter(phase: McpPhase): void {
    this.phase = phase;
  }

  /** Where clients reach the endpoint; null when only they know, because no PUBLIC_URL is set. */
  publicUrl(): string | null {
    const { PUBLIC_URL } = this.environment;
    return PUBLIC_URL && `${PUBLIC_URL.replace(/\/+$/, '')}/mcp`;
  }

  current(): McpState {
    return this.phase === 'running' && !this.clients.isConfigured() ? 'unconfigured' : this.phase;
  }
}
