import { ApiProperty } from '@nestjs/swagger';
import type { ConnectedProgram } from '../../clients/connected-programs.service.js';
import type { ToolOutcome } from '../../events/app-events.js';
import type { MinuteOfCalls } from '../../telemetry/call-statistics.service.js';
import type { McpState } from '../../service-info/mcp-status.service.js';

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

class ProgramView implements ConnectedProgram {
  @ApiProperty({ description: 'Whose key it uses.' })
  client!: string;

  @ApiProperty({ description: 'What it calls itself; unknown when it does not say.' })
  name!: string;

  @ApiProperty()
  version!: string;

  @ApiProperty({ example: '2026-07-28' })
  protocolVersion!: string;

  @ApiProperty()
  lastSeenAt!: Date;

  @ApiProperty({ description: 'Streams that it holds open to this process.' })
  streams!: number;
}

export class Overview {
  @ApiProperty({ enum: ['running', 'unconfigured', 'starting', 'stopping'] })
  mcp!: McpState;

  @ApiProperty({ type: String, nullable: true, description: 'Of the MCP endpoint; null unless PUBLIC_URL is set.' })
  mcpUrl!: string | null;

  @ApiProperty({ description: 'Whether any key is set: without one nobody can call.' })
  keyConfigured!: boolean;

  @ApiProperty()
  version!: string;

  @ApiProperty()
  uptimeSeconds!: number;

  @ApiProperty({ description: 'Clients that have a key.' })
  clients!: number;

  @ApiProperty({ description: 'MCP sessions of the protocol versions that have sessions.' })
  sessions!: number;

  @ApiProperty({ description: 'Streams that MCP clients hold open to this process.' })
  streams!: number;

  @ApiProperty({
    type: [ProgramView],
    description: 'Programs that called this process since it started, the one seen last first; at most 100.',
  })
  programs!: ConnectedProgram[];

  @ApiProperty({ type: [CallMinute], description: 'The last 60 minutes of this process, the running one last.' })
  minutes!: CallMinute[];

  @ApiProperty({ type: [CallError], description: 'The latest first; at most 50.' })
  latestErrors!: readonly CallError[];
}
