import { Injectable } from '@nestjs/common';
import { ClientsService } from './clients.service.js';
import { Environment } from '../../platform/environment/environment.js';

/** The phase that the MCP server is in; set by its module. */
export type McpPhase = 'starting' | 'running' | 'stopping';

/** `unconfigured` = running, but nobody can call, because no key is set. */
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

  /** Returns the URL at which clients reach the endpoint; null when it is not known, because no PUBLIC_URL is set. */
  publicUrl(): string | null {
    const { PUBLIC_URL } = this.environment;
    return PUBLIC_URL && `${PUBLIC_URL.replace(/\/+$/, '')}/mcp`;
  }

  current(): McpState {
    return this.phase === 'running' && !this.clients.isConfigured() ? 'unconfigured' : this.phase;
  }
}
