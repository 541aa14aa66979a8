import { ApiProperty, ApiPropertyOptional, type ApiPropertyOptions } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  ArrayUnique,
  IsArray,
  IsInt,
  IsOptional,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
} from 'class-validator';
import { Nested } from '#skill-kit';
import {
  CLIENT_NAME,
  CLIENT_NAME_RULE,
  type ClientKey,
  type ClientLimits,
  MAX_GROUPS,
  MAX_NOTE,
  MAX_OVERLAP_HOURS,
} from '../../../access/clients/client.js';
import type { PolicyOutlook } from '../../../access/policy/policy-request.js';
import { MayBeLeftOut } from '../api/body/may-be-left-out.decorator.js';

const MOST_REQUESTS = 1_000_000;
const MOST_AT_ONCE = 100_000;
/** A time with its offset, so that it means the same everywhere. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/;

const limit = (minimum: number, maximum: number, description: string): ApiPropertyOptions => ({
  type: 'integer',
  nullable: true,
  minimum,
  maximum,
  description: `${description} Null: the setting for every client.`,
});
const REQUESTS = limit(0, MOST_REQUESTS, 'Requests a minute; 0 is no limit.');
const CALLS = limit(1, MOST_AT_ONCE, 'Calls at once to one process.');
const STREAMS = limit(1, MOST_AT_ONCE, 'Streams open to one process.');
const SESSIONS = limit(1, MOST_AT_ONCE, 'Sessions.');

class ClientLimitsBody implements Partial<ClientLimits> {
  @ApiPropertyOptional(REQUESTS)
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(MOST_REQUESTS)
  requestsPerMinute?: number | null;

  @ApiPropertyOptional(CALLS)
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(MOST_AT_ONCE)
  calls?: number | null;

  @ApiPropertyOptional(STREAMS)
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(MOST_AT_ONCE)
  streams?: number | null;

  @ApiPropertyOptional(SESSIONS)
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(MOST_AT_ONCE)
  sessions?: number | null;
}

const GROUPS: ApiPropertyOptions = {
  type: [String],
  maxItems: MAX_GROUPS,
  uniqueItems: true,
  items: { type: 'string', pattern: CLIENT_NAME.source },
  description: 'Policies name them. A group exists as long as a client is in it.',
};

/** What is left out stays as it is. */
export class ClientBody {
  @ApiPropertyOptional({ maxLength: MAX_NOTE, description: 'Who uses the key, and for what.' })
  @MayBeLeftOut()
  @IsString()
  @MaxLength(MAX_NOTE)
  note?: string;

  @ApiPropertyOptional(GROUPS)
  @MayBeLeftOut()
  @IsArray()
  @ArrayMaxSize(MAX_GROUPS)
  @ArrayUnique()
  @Matches(CLIENT_NAME, { each: true, message: `each of $property ${CLIENT_NAME_RULE}` })
  groups?: string[];

  @ApiPropertyOptional({
    type: String,
    format: 'date-time',
    maxLength: 40,
    nullable: true,
    description: 'When its keys stop to be valid, with an offset such as Z; null: never.',
  })
  @IsOptional()
  @IsString()
  @MaxLength(40)
  @Matches(TIME, { message: '$property must be a time with its offset, such as 2026-11-21T10:15:00Z' })
  expiresAt?: string | null;

  @ApiPropertyOptional({ type: ClientLimitsBody, description: 'Those left out are as for every client.' })
  @MayBeLeftOut()
  @Nested(() => ClientLimitsBody)
  limits?: ClientLimitsBody;
}

export class NewClientBody extends ClientBody {
  @ApiProperty({
    pattern: CLIENT_NAME.source,
    example: 'ci',
    description: 'Not default, admin or service. It cannot be changed later.',
  })
  @Matches(CLIENT_NAME, { message: `$property ${CLIENT_NAME_RULE}` })
  name!: string;
}

export class RotationBody {
  @ApiProperty({
    type: 'integer',
    minimum: 0,
    maximum: MAX_OVERLAP_HOURS,
    description: 'How long the former key stays valid. With 0 it ends at once, and so does what was opened with it.',
  })
  @IsInt()
  @Min(0)
  @Max(MAX_OVERLAP_HOURS)
  overlapHours!: number;
}

class ClientLimitsView implements ClientLimits {
  @ApiProperty(REQUESTS)
  requestsPerMinute!: number | null;

  @ApiProperty(CALLS)
  calls!: number | null;

  @ApiProperty(STREAMS)
  streams!: number | null;

  @ApiProperty(SESSIONS)
  sessions!: number | null;
}

class ClientKeyView implements ClientKey {
  @ApiProperty()
  id!: string;

  @ApiProperty({ example: 'ask_7Gq2mZ0x', description: 'The first characters of the key.' })
  shown!: string;

  @ApiProperty()
  createdAt!: Date;

  @ApiProperty({ type: Date, nullable: true, description: 'Null: not before its client.' })
  expiresAt!: Date | null;
}

export class ClientView {
  @ApiProperty({ example: 'ci' })
  name!: string;

  @ApiProperty({
    description: 'Whether it is the client of mcp.api_key, which always exists and cannot be changed here.',
  })
  isDefault!: boolean;

  @ApiProperty({ description: 'Whether it has a key that is valid now.' })
  hasValidKey!: boolean;

  @ApiProperty()
  note!: string;

  @ApiProperty({ type: [String] })
  groups!: readonly string[];

  @ApiProperty({ type: ClientLimitsView })
  limits!: ClientLimits;

  @ApiProperty({ type: [ClientKeyView], description: 'The oldest first. The key of the client default is a setting.' })
  keys!: ClientKey[];

  @ApiProperty({ type: Date, nullable: true, description: 'Null: never.' })
  expiresAt!: Date | null;

  @ApiProperty({ type: Date, nullable: true, description: 'Null for the client default.' })
  createdAt!: Date | null;

  @ApiProperty({ type: Date, nullable: true, description: 'When it last called, to about a minute; null: never.' })
  lastUsedAt!: Date | null;

  @ApiProperty({ type: String, nullable: true, description: 'Where its last call came from.' })
  lastAddress!: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'The program of its last call, as it names itself.' })
  lastProgram!: string | null;
}

export class ClientKeyShown extends ClientView {
  @ApiProperty({ description: 'The new key. It is not shown again.' })
  key!: string;
}

const USES = ['allowed', 'depends', 'approval', 'refused'] as const satisfies readonly PolicyOutlook['use'][];

export class ClientToolView {
  @ApiProperty()
  name!: string;

  @ApiProperty({ type: String, nullable: true })
  title!: string | null;

  @ApiProperty({
    enum: USES,
    description:
      'Whether calls are allowed; with "depends", arguments or the time decide, and with "approval", a person must confirm each call.',
  })
  use!: PolicyOutlook['use'];

  @ApiProperty({ type: [String], description: 'Names of the policies that decide.' })
  policies!: string[];
}

export class ClientGroupsView {
  @ApiProperty({ type: [String], description: 'In alphabetical order.' })
  items!: string[];
}
