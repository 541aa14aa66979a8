import { Injectable } from '@nestjs/common';
import { PolicyService } from '../../access/policy/policy.service.js';
import { IndexBuilding } from '../../platform/service-info/index-building.service.js';
import { type McpState, McpStatus } from '../../access/clients/mcp-status.service.js';
import { VERSION } from '../../platform/service-info/version.js';
import { UnhandledErrors } from '../../platform/telemetry/unhandled-errors.service.js';

export interface Health {
  status: 'ok';
  mcp: McpState;
  /** `failed`: it does not take what is written. `/health/ready` says why. */
  database: 'ok' | 'failed';
  /** `failed`: the policies cannot be evaluated, so every call is refused. */
  policies: 'ok' | 'failed';
  /** `indexing`: changes of an import or an update are being indexed. Search results are incomplete, and say so. */
  search: 'complete' | 'indexing';
  version: string;
  uptimeSeconds: number;
  /** Number of unhandled errors since the start; each is a bug, and logged. */
  escapedErrors: number;
}

@Injectable()
export class HealthFacts {
  constructor(
    private readonly mcp: McpStatus,
    private readonly policies: PolicyService,
    private readonly escaped: UnhandledErrors,
    private readonly building: IndexBuilding,
  ) {}

  current(): Omit<Health, 'database'> {
    return {
      status: 'ok',
      mcp: this.mcp.current(),
      policies: this.policies.problem() === null ? 'ok' : 'failed',
      search: this.building.list().length === 0 ? 'complete' : 'indexing',
      version: VERSION,
      uptimeSeconds: Math.floor(process.uptime()),
      escapedErrors: this.escaped.count,
    };
  }
}
