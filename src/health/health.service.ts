import { Injectable } from '@nestjs/common';
import { HealthCheckService, type HealthCheckResult, HealthIndicatorService } from '@nestjs/terminus';
import { DatabaseProbe } from '../database/database-probe.service.js';
import { McpStatus, type McpState } from '../service-info/mcp-status.service.js';
import { VERSION } from '../service-info/version.js';
import { EscapedErrors } from '../telemetry/escaped-errors.service.js';

export interface Health {
  status: 'ok';
  mcp: McpState;
  version: string;
  uptimeSeconds: number;
  /** Errors that nobody took care of since the start; each is a bug, and in the log. */
  escapedErrors: number;
}

@Injectable()
export class HealthService {
  constructor(
    private readonly checks: HealthCheckService,
    private readonly indicators: HealthIndicatorService,
    private readonly mcp: McpStatus,
    private readonly database: DatabaseProbe,
    private readonly escaped: EscapedErrors,
  ) {}

  current(): Health {
    return {
      status: 'ok',
      mcp: this.mcp.current(),
      version: VERSION,
      uptimeSeconds: Math.floor(process.uptime()),
      escapedErrors: this.escaped.count,
    };
  }

  /** Checks whether requests should be sent here. @throws ServiceUnavailableException with the reasons */
  assertReady(): Promise<HealthCheckResult> {
    return this.checks.check([() => this.checkMcp(), () => this.checkDatabase()]);
  }

  private checkMcp() {
    const indicator = this.indicators.check('mcp');
    const state = this.mcp.current();
    return state === 'running' ? indicator.up() : indicator.down(state);
  }

  private async checkDatabase() {
    const indicator = this.indicators.check('database');
    const problem = await this.database.findProblem();
    return problem === null ? indicator.up() : indicator.down(problem);
  }
}
