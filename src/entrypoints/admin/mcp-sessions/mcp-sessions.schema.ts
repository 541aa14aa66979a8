import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, IsString, MaxLength } from 'class-validator';
import type { SessionSummary } from '../../../access/clients/session.js';
import { PageQuery } from '../api/page.schema.js';

export class SessionQuery extends PageQuery {
  @ApiPropertyOptional({ maxLength: 64, description: 'Name of a client: only its sessions.' })
  @IsOptional()
  @IsString()
  @MaxLength(64)
  client?: string;
}

export class SessionView {
  @ApiProperty()
  id!: string;

  @ApiProperty({ description: 'Name of the client whose key it uses.' })
  client!: string;

  @ApiProperty({ type: String, nullable: true, description: 'What the connected program calls itself.' })
  clientName!: string | null;

  @ApiProperty({ type: String, nullable: true })
  clientVersion!: string | null;

  @ApiProperty({ example: '2025-11-25' })
  protocolVersion!: string;

  @ApiProperty()
  since!: Date;

  @ApiProperty()
  lastSeen!: Date;

  @ApiProperty({ description: 'Number of streams that it holds open to this process.' })
  streams!: number;
}

export function toSessionView(session: SessionSummary, streams: number): SessionView {
  const { id, client, clientName, clientVersion, protocolVersion, createdAt, lastSeenAt } = session;
  return { id, client, clientName, clientVersion, protocolVersion, since: createdAt, lastSeen: lastSeenAt, streams };
}
