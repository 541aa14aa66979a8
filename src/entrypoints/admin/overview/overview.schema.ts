import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';
import {
  type CallTotals,
  PERIODS,
  type Period,
  type SpanOfCalls,
} from '../../../access/audit/call-statistics.service.js';
import type { ConnectedProgram } from '../../../access/clients/connected-clients.service.js';
import type { McpState } from '../../../access/clients/mcp-status.service.js';

export class OverviewQuery {
  @ApiPropertyOptional({ enum: PERIODS, default: 'hour', description: 'What the numbers of calls are about.' })
  @IsOptional()
  @IsIn(PERIODS)
  period: Period = 'hour';
}

class CallSpan implements SpanOfCalls {
  @ApiProperty({ description: 'When it began.' })
  at!: Date;

  @ApiProperty()
  calls!: number;

  @ApiProperty()
  errors!: number;

  @ApiProperty({ description: 'Calls that policy denied; they are among the errors.' })
  denied!: number;

  @ApiProperty({ type: Number, nullable: true, description: 'Null when there were no calls.' })
  p50Ms!: number | null;

  @ApiProperty({ type: Number, nullable: true, description: 'Null when there were no calls.' })
  p95Ms!: number | null;
}

class CallError {
  @ApiProperty({ type: 'integer', description: 'Number of the entry in the audit log.' })
  seq!: number;

  @ApiProperty({ format: 'date-time' })
  at!: string;

  @ApiProperty()
  tool!: string;

  @ApiProperty()
  client!: string;

  @ApiProperty({ enum: ['error', 'invalid', 'denied', 'unknown', 'timeout'] })
  outcome!: string;

  @ApiProperty()
  durationMs!: number;

  @ApiProperty({ type: String, nullable: true })
  message!: string | null;
}

class Caller implements CallTotals {
  @ApiProperty({ description: 'Name of a client.' })
  client!: string;

  @ApiProperty()
  calls!: number;

  @ApiProperty()
  errors!: number;

  @ApiProperty({ description: 'Calls that policy denied; they are among the errors.' })
  denied!: number;
}

class ProgramView implements ConnectedProgram {
  @ApiProperty({ description: 'Name of the client whose key it uses.' })
  client!: string;

  @ApiProperty({ description: 'The name that the program gives; "unknown" when it gives none.' })
  name!: string;

  @ApiProperty()
  version!: string;

  @ApiProperty({ example: '2026-07-28' })
  protocolVersion!: string;

  @ApiProperty()
  lastSeenAt!: Date;

  @ApiProperty({ description: 'Number of streams that it holds open to this process.' })
  streams!: number;
}

export class Overview {
  @ApiProperty({ enum: ['running', 'unconfigured', 'starting', 'stopping'] })
  mcp!: McpState;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'URL of the MCP endpoint; null when PUBLIC_URL is not set.',
  })
  mcpUrl!: string | null;

  @ApiProperty({ description: 'Whether an API key is set; without one, all calls are refused.' })
  keyConfigured!: boolean;

  @ApiProperty()
  version!: string;

  @ApiProperty()
  uptimeSeconds!: number;

  @ApiProperty({ description: 'Number of clients that have a key.' })
  clients!: number;

  @ApiProperty({ description: 'Number of open MCP sessions. Protocol version 2026-07-28 has no sessions.' })
  sessions!: number;

  @ApiProperty({ description: 'Number of streams that MCP clients hold open to this process.' })
  streams!: number;

  @ApiProperty({
    type: [ProgramView],
    description: 'Programs that have called this process since it started, the latest caller first; at most 100.',
  })
  programs!: ConnectedProgram[];

  @ApiProperty({
    type: [CallSpan],
    description:
      'Calls in each part of the period, of all replicas: 60 minutes, 24 hours, or 28 times 6 hours; the current one comes last.',
  })
  spans!: CallSpan[];

  @ApiProperty({
    type: [Caller],
    description: 'Clients that called in the period, those that were denied most first; at most 50.',
  })
  callers!: Caller[];

  @ApiProperty({ type: [CallError], description: 'Calls of the period that failed, the latest first; at most 50.' })
  latestErrors!: readonly CallError[];
}

export class OwnPagePass {
  @ApiProperty({ description: 'Valid for ten minutes.' })
  pass!: string;
}
