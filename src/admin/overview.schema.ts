import { ApiProperty } from '@nestjs/swagger';
import type { ToolOutcome } from '../events/app-events.js';
import type { MinuteOfCalls } from '../telemetry/call-statistics.service.js';
import type { McpState } from '../telemetry/mcp-status.service.js';

export class CallMinute implements MinuteOfCalls {
  @ApiProperty()
  at!: Date;

  @ApiProperty()
  calls!: number;

  @ApiProperty()
  errors!: number;

  @ApiProperty({ type: Number, nullable: true, description: 'Null without calls.' })
  p50Ms!: number | null;

  @ApiProperty({ type: Number, nullable: true, description: 'Null without calls.' })
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

export class Overview {
  @ApiProperty({ enum: ['running', 'unconfigured', 'starting', 'stopping'] })
  mcp!: McpState;

  @ApiProperty()
  version!: string;

  @ApiProperty()
  uptimeSeconds!: number;

  @ApiProperty({ description: 'Clients that have a key.' })
  clients!: number;

  @ApiProperty({ description: 'MCP sessions of the protocol versions that have sessions.' })
  sessions!: number;

  @ApiProperty({ type: [CallMinute], description: 'The last 60 minutes of this process, the running one last.' })
  minutes!: CallMinute[];

  @ApiProperty({ type: [CallError], description: 'The latest first; at most 50.' })
  latestErrors!: readonly CallError[];
}
