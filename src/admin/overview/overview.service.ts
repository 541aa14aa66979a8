import { Injectable } from '@nestjs/common';
import { ClientsService } from '../../clients/clients.service.js';
import { ConnectedPrograms } from '../../clients/connected-programs.service.js';
import { SessionStore } from '../../clients/session.store.js';
import { McpStatus } from '../../service-info/mcp-status.service.js';
import { VERSION } from '../../service-info/version.js';
import { CallStatistics } from '../../telemetry/call-statistics.service.js';
import type { Overview } from './overview.schema.js';

const MOST_PROGRAMS = 100;

/** Gathers the numbers of the dashboard. */
@Injectable()
export class OverviewService {
  constructor(
    private readonly mcp: McpStatus,
    private readonly clients: ClientsService,
    private readonly sessions: SessionStore,
    private readonly programs: ConnectedPrograms,
    private readonly statistics: CallStatistics,
  ) {}

  async current(now: Date): Promise<Overview> {
    return {
      mcp: this.mcp.current(),
      mcpUrl: this.mcp.publicUrl(),
      keyConfigured: this.clients.isConfigured(),
      version: VERSION,
      uptimeSeconds: Math.floor(process.uptime()),
      clients: this.clients.count(),
      sessions: await this.sessions.count(),
      streams: this.programs.streamCount(),
      programs: this.programs.list(MOST_PROGRAMS),
      minutes: this.statistics.lastHour(now),
      latestErrors: this.statistics.latestErrors(),
    };
  }
}
