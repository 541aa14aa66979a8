import { Injectable } from '@nestjs/common';
import { ClientsService } from '../clients/clients.service.js';

/** Where the MCP server is in its life; told by its module. */
export type McpPhase = 'starting' | 'running' | 'stopping';

/** Running, but useless while nobody has a key: then `unconfigured`. */
export type McpState = McpPhase | 'unconfigured';

@Injectable()
export class McpStatus {
  private phase: McpPhase = 'starting';

  constructor(private readonly clients: ClientsService) {}

  enter(phase: McpPhase): void {
    this.phase = phase;
  }

  current(): McpState {
    return this.phase === 'running' && !this.clients.isConfigured() ? 'unconfigured' : this.phase;
  }
}
