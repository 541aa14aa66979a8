import { ApiProperty } from '@nestjs/swagger';
import type { ConnectedProgram } from '../../clients/connected-programs.service.js';
import type { ToolOutcome } from '../../events/app-events.js';
import type { McpState } from '../../service-info/mcp-status.service.js';
import type { MinuteOfCalls } from '../../telemetry/call-statistics.service.js';

export class CallMinute implements MinuteOfCalls {
  @ApiProperty()
  at!: Date;

  @ApiProperty()
  calls!: number;

  @ApiProperty()
  errors!: number;

  @ApiProperty({ type: Number, nullable: true, description: 'Null when there were no calls.' })
  p50Ms!: number | null;

  @ApiProperty({ type: Number, nullable: true, description: 'Null when there were no calls.' })
  p95Ms!: number | null;
}

export class CallError {
  @ApiProperty()
  at!: Date;

  @ApiProperty()
  tool!: string;

  @ApiProperty()
  client!: string;

  @ApiProperty({ enum: ['error', 'invalid', 'denied', 'timeout'] })
  outcome!: ToolOutcome;

  @ApiProperty()
  durationMs!: number;

  @ApiProperty({ type: String, nullable: true })
  message!: string | null;
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
    type: [CallMinute],
    description: 'Calls of this process in each of the last 60 minutes; the current minute comes last.',
  })
  minutes!: CallMinute[];

  @ApiProperty({ type: [CallError], description: 'The latest first; at most 50.' })
  latestErrors!: readonly CallError[];
}
