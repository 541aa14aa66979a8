import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsDate, IsIn, IsInt, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';
import { AUDIT_KINDS, type AuditItem, type AuditKind } from '../../../access/audit/audit-entry.js';
import type { BrokenLink, Verification } from '../../../access/audit/audit-chain.service.js';
import { PageQuery } from '../api/page.schema.js';

const ANY = {
  oneOf: [
    { type: 'object' as const, additionalProperties: true },
    { type: 'array' as const, items: {} },
  ],
};
const LATEST = 2 ** 53 - 1;

/** A time as text: the query string holds no more than this of it. */
const MOMENT = { type: String, format: 'date-time', maxLength: 40 } as const;

export class AuditExportQuery {
  @ApiPropertyOptional({ enum: AUDIT_KINDS })
  @IsOptional()
  @IsIn(AUDIT_KINDS)
  kind?: AuditKind;

  @ApiPropertyOptional({ maxLength: 200, description: 'Name of a client.' })
  @IsOptional()
  @IsString()
  @MaxLength(200)
  client?: string;

  @ApiPropertyOptional({ maxLength: 200, description: 'Name of an administrator.' })
  @IsOptional()
  @IsString()
  @MaxLength(200)
  actor?: string;

  @ApiPropertyOptional({ maxLength: 2048, description: 'Name of a tool or a prompt, a URI, or the path of a change.' })
  @IsOptional()
  @IsString()
  @MaxLength(2048)
  tool?: string;

  @ApiPropertyOptional({ maxLength: 100, example: 'denied' })
  @IsOptional()
  @IsString()
  @MaxLength(100)
  outcome?: string;

  @ApiPropertyOptional({ ...MOMENT, description: 'Only entries of this time or later.' })
  @IsOptional()
  @Type(() => Date)
  @IsDate()
  from?: Date;

  @ApiPropertyOptional({ ...MOMENT, description: 'Only entries before this time.' })
  @IsOptional()
  @Type(() => Date)
  @IsDate()
  to?: Date;

  @ApiPropertyOptional({
    maxLength: 200,
    description: 'A text that the subject, a name, the message, the arguments or the states contain.',
  })
  @IsOptional()
  @IsString()
  @MaxLength(200)
  q?: string;
}

export class AuditQuery extends AuditExportQuery implements PageQuery {
  @ApiPropertyOptional({ minimum: 1, maximum: 200, default: 50, type: 'integer' })
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(200)
  limit = 50;

  @ApiPropertyOptional({ maxLength: 500, description: 'The nextCursor of the page before.' })
  @IsOptional()
  @IsString()
  @MaxLength(500)
  cursor?: string;
}

export class AuditSeqParams {
  @ApiProperty({ minimum: 1, type: 'integer', description: 'Place in the chain.' })
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(LATEST)
  seq!: number;
}

export class AuditVerifyQuery {
  @ApiPropertyOptional({
    minimum: 0,
    type: 'integer',
    default: 0,
    description: 'The last entry that was checked before.',
  })
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(0)
  @Max(LATEST)
  after = 0;
}

export class AuditItemView implements AuditItem {
  @ApiProperty({ description: 'Place in the chain, from 1, without gaps.', type: 'integer' })
  seq!: number;

  @ApiProperty({ description: 'Version of the form of the entry.', type: 'integer', enum: [1] })
  v!: 1;

  @ApiProperty({ format: 'date-time' })
  at!: string;

  @ApiProperty({ enum: AUDIT_KINDS })
  kind!: AuditKind;

  @ApiPropertyOptional({ description: 'The client that did it.' })
  client?: string;

  @ApiPropertyOptional({ type: [String] })
  groups?: readonly string[];

  @ApiPropertyOptional({ description: 'The administrator that did it, or the name that a login was tried with.' })
  admin?: string;

  @ApiProperty({ example: 'callTool' })
  action!: string;

  @ApiPropertyOptional({ description: 'The tool, prompt, URI or path that it was done to.' })
  subject?: string;

  @ApiPropertyOptional({ enum: ['allow', 'deny'] })
  decision?: 'allow' | 'deny';

  @ApiPropertyOptional({ type: [String], description: 'The policies that decided.' })
  policies?: readonly string[];

  @ApiPropertyOptional({ description: 'Who confirmed the call, when a policy required that.' })
  approvedBy?: string;

  @ApiProperty({ example: 'ok' })
  outcome!: string;

  @ApiPropertyOptional()
  message?: string;

  @ApiPropertyOptional()
  durationMs?: number;

  @ApiPropertyOptional({ ...ANY, description: 'Without secrets; long values are cut.' })
  arguments?: unknown;

  @ApiPropertyOptional({ type: Boolean, description: 'Whether something of the arguments is missing.' })
  argumentsCut?: true;

  @ApiPropertyOptional({ description: 'The run of a workflow that made the call.' })
  run?: string;

  @ApiPropertyOptional()
  workflow?: string;

  @ApiPropertyOptional()
  session?: string;

  @ApiPropertyOptional({ description: 'The program, as it names itself.' })
  program?: string;

  @ApiPropertyOptional()
  programVersion?: string;

  @ApiPropertyOptional({ description: 'Version of the MCP protocol.' })
  protocol?: string;

  @ApiPropertyOptional({ description: 'What may be shown of the key.' })
  key?: string;

  @ApiPropertyOptional()
  address?: string;

  @ApiPropertyOptional()
  traceId?: string;

  @ApiPropertyOptional({ type: 'integer', description: 'How many events the entry stands for.' })
  count?: number;

  @ApiPropertyOptional({ ...ANY, nullable: true, description: 'The state before a change; null: there was none.' })
  before?: unknown;

  @ApiPropertyOptional({ ...ANY, nullable: true, description: 'The state after a change; null: there is none.' })
  after?: unknown;

  @ApiProperty({ description: 'SHA-256 of the hash of the entry before, a line break, and the stored entry.' })
  hash!: string;
}

class BrokenLinkView implements BrokenLink {
  @ApiProperty({ type: 'integer' })
  seq!: number;

  @ApiProperty()
  problem!: string;
}

class ChainLinkView {
  @ApiProperty({ type: 'integer' })
  seq!: number;

  @ApiProperty()
  hash!: string;
}

export class VerificationView implements Verification {
  @ApiProperty({ type: 'integer', description: 'Number of entries that were checked.' })
  checked!: number;

  @ApiProperty({ type: ChainLinkView, description: 'The last entry that was checked and found right.' })
  last!: ChainLinkView;

  @ApiProperty({ description: 'Whether the chain was checked to its end, or to its first broken link.' })
  isComplete!: boolean;

  @ApiProperty({ type: BrokenLinkView, nullable: true, description: 'The first broken link; null when there is none.' })
  broken!: BrokenLinkView | null;
}
