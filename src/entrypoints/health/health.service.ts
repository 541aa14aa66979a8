import { Injectable } from '@nestjs/common';
import { HealthCheckService, type HealthCheckResult, HealthIndicatorService } from '@nestjs/terminus';
import { DatabaseProbe } from '../../platform/database/database-probe.service.js';
import { type Health, HealthFacts } from './health-facts.service.js';

/** Well below the second after which Kubernetes gives up a probe: the details arrive whatever the database does. */
const PATIENCE_MS = 500;

@Injectable()
export class HealthService {
  constructor(
    private readonly checks: HealthCheckService,
    private readonly indicators: HealthIndicatorService,
    private readonly facts: HealthFacts,
    private readonly database: DatabaseProbe,
  ) {}

  async current(): Promise<Health> {
    const problem = await this.database.findProblem(PATIENCE_MS);
    return { ...this.facts.current(), database: problem === null ? 'ok' : 'failed' };
  }

  /** Checks whether requests should be sent here. @throws ServiceUnavailableException with the reasons */
  assertReady(): Promise<HealthCheckResult> {
    return this.checks.check([() => this.checkMcp(), () => this.checkPolicies(), () => this.checkDatabase()]);
  }

  private checkMcp() {
    const indicator = this.indicators.check('mcp');
    const state = this.facts.current().mcp;
    return state === 'running' ? indicator.up() : indicator.down(state);
  }

  private checkPolicies() {
    const indicator = this.indicators.check('policies');
    return this.facts.current().policies === 'ok' ? indicator.up() : indicator.down('they cannot be evaluated');
  }

  private async checkDatabase() {
    const indicator = this.indicators.check('database');
    const problem = await this.database.findProblem();
    return problem === null ? indicator.up() : indicator.down(problem);
  }
}
