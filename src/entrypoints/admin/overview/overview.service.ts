import { Injectable } from '@nestjs/common';
import type { AuditItem } from '../../../access/audit/audit-entry.js';
import { CallStatistics, type Period } from '../../../access/audit/call-statistics.service.js';
import { ClientsService } from '../../../access/clients/clients.service.js';
import { ConnectedClients } from '../../../access/clients/connected-clients.service.js';
import { SessionStore } from '../../../access/clients/session.store.js';
import { McpStatus } from '../../../access/clients/mcp-status.service.js';
import { VERSION } from '../../../platform/service-info/version.js';
import type { Overview } from './overview.schema.js';

const MOST_PROGRAMS = 100;
const MOST_CALLERS = 50;

/** Gathers the statistics of the dashboard. */
@Injectable()
export class OverviewService {
  constructor(
    private readonly mcp: McpStatus,
    private readonly clients: ClientsService,
    private readonly sessions: SessionStore,
    private readonly programs: ConnectedClients,
    private readonly statistics: CallStatistics,
  ) {}

  async current(period: Period, now: Date): Promise<Overview> {
    return {
      mcp: this.mcp.current(),
      mcpUrl: this.mcp.publicUrl(),
      keyConfigured: this.clients.isConfigured(),
      version: VERSION,
      uptimeSeconds: Math.floor(process.uptime()),
      clients: this.clients.count(),
      sessions: await this.sessions.count(),
      streams: this.programs.streamCount(),
      programs: this.programs.list(MOST_PROGRAMS, now.getTime()),
      spans: await this.statistics.spans(period, now),
      callers: await this.callers(period, now),
      latestErrors: (await this.statistics.latestErrors(period, now)).map(toCallError),
    };
  }

  private async callers(period: Period, now: Date): Promise<Overview['callers']> {
    const totals = await this.statistics.totals('client', period, now);
    return [...totals]
      .map(([client, numbers]) => ({ client, ...numbers }))
      .sort((left, right) => right.denied - left.denied || right.calls - left.calls)
      .slice(0, MOST_CALLERS);
  }
}

const toCallError = (item: AuditItem): Overview['latestErrors'][number] => {
  const { seq, at, subject = '', client = '', outcome, durationMs = 0, message = null } = item;
  return { seq, at, tool: subject, client, outcome, durationMs, message };
};
