import { Injectable } from '@nestjs/common';
import { ClientsService } from '../clients/clients.service.js';
import { SessionsService } from '../clients/sessions.service.js';
import { CallStatistics } from '../telemetry/call-statistics.service.js';
import { McpStatus } from '../telemetry/mcp-status.service.js';
import { VERSION } from '../telemetry/version.js';
import type { Overview } from './overview.schema.js';

/** The numbers of the dashboard. */
@Injectable()
export class OverviewService {
  constructor(
    private readonly mcp: McpStatus,
    private readonly clients: ClientsService,
    private readonly sessions: SessionsService,
    private readonly statistics: CallStatistics,
  ) {}

  async current(now: Date): Promise<Overview> {
    return {
      mcp: this.mcp.current(),
      version: VERSION,
      uptimeSeconds: Math.floor(process.uptime()),
      clients: this.clients.count(),
      sessions: await this.sessions.count(),
      minutes: this.statistics.lastHour(now),
      latestErrors: this.statistics.latestErrors(),
    };
  }
}
