import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsInt, IsNumber, IsOptional, IsString, Matches, Max, MaxLength, Min, MinLength } from 'class-validator';
import type { MemoryEntry, MemoryVersion, NamespaceSize, SavedMemory } from '../../../features/memory/memory-entry.js';
import {
  KEY,
  MAX_CONTENT,
  MAX_IMPORTANCE,
  memoryUri,
  NAME_RULE,
  NAMESPACE,
} from '../../../features/memory/memory.rules.js';
import { Tags } from '../../../platform/text/tags.schema.js';
import { MAX_TAG, MAX_TAGS } from '../../../platform/text/words.rules.js';
import { MayBeLeftOut } from '../api/body/may-be-left-out.decorator.js';
import { SearchQuery } from '../api/page.schema.js';

export class MemoryQuery extends SearchQuery {
  @ApiPropertyOptional({ pattern: NAMESPACE.source })
  @IsOptional()
  @Matches(NAMESPACE, { message: `$property ${NAME_RULE}` })
  namespace?: string;

  @ApiPropertyOptional({ maxLength: MAX_TAG, description: 'Only entries with this tag; ignored when q is given.' })
  @IsOptional()
  @IsString()
  @MaxLength(MAX_TAG)
  tag?: string;
}

export class MemoryBody {
  @ApiProperty({ maxLength: MAX_CONTENT })
  @IsString()
  @MinLength(1)
  @MaxLength(MAX_CONTENT)
  content!: string;

  @ApiPropertyOptional({ type: 'array', maxItems: MAX_TAGS, items: { type: 'string', maxLength: MAX_TAG } })
  @MayBeLeftOut()
  @Tags()
  tags?: string[];

  @ApiPropertyOptional({ minimum: 1, maximum: MAX_IMPORTANCE, default: 3 })
  @MayBeLeftOut()
  @IsInt()
  @Min(1)
  @Max(MAX_IMPORTANCE)
  importance?: number;

  @ApiPropertyOptional({ type: Number, nullable: true, description: 'Null: never.' })
  @IsOptional()
  @IsNumber()
  @Min(0.001)
  @Max(36_500)
  expiresInDays?: number | null;
}

export class NewMemoryBody extends MemoryBody {
  @ApiPropertyOptional({ pattern: NAMESPACE.source, default: 'shared' })
  @MayBeLeftOut()
  @Matches(NAMESPACE, { message: `$property ${NAME_RULE}` })
  namespace?: string;

  @ApiProperty({ pattern: KEY.source })
  @Matches(KEY, { message: `$property ${NAME_RULE}` })
  key!: string;
}

export class MemoryView implements MemoryEntry {
  @ApiProperty({ example: 'memory://shared/deploy-day' })
  uri!: string;

  @ApiProperty()
  namespace!: string;

  @ApiProperty()
  key!: string;

  @ApiProperty()
  content!: string;

  @ApiProperty({ type: [String] })
  tags!: readonly string[];

  @ApiProperty({ minimum: 1, maximum: MAX_IMPORTANCE })
  importance!: number;

  @ApiProperty({ description: 'The client whose key saved it last.' })
  client!: string;

  @ApiProperty({ type: String, nullable: true, description: 'The program that saved it, as it names itself.' })
  program!: string | null;

  @ApiProperty({ description: 'Incremented with each change.' })
  version!: number;

  @ApiProperty()
  createdAt!: Date;

  @ApiProperty()
  updatedAt!: Date;

  @ApiProperty({ type: Date, nullable: true, description: 'Null: never.' })
  expiresAt!: Date | null;
}

export class SavedMemoryView extends MemoryView {
  @ApiProperty({ enum: ['created', 'updated', 'unchanged'] })
  outcome!: SavedMemory['outcome'];

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Key of another entry of the namespace that says the same.',
  })
  sameAs!: string | null;
}

export class MemoryVersionView implements MemoryVersion {
  @ApiProperty()
  version!: number;

  @ApiProperty()
  content!: string;

  @ApiProperty({ type: [String] })
  tags!: readonly string[];

  @ApiProperty()
  importance!: number;

  @ApiProperty()
  client!: string;

  @ApiProperty({ type: String, nullable: true, description: 'The program that saved it, as it names itself.' })
  program!: string | null;

  @ApiProperty()
  savedAt!: Date;
}

export class NamespaceView implements NamespaceSize {
  @ApiProperty({ pattern: NAMESPACE.source })
  namespace!: string;

  @ApiProperty({ description: 'Number of entries in it.' })
  entries!: number;
}

export function toMemoryView(entry: MemoryEntry): MemoryView {
  const { namespace, key, content, tags, importance, client, program, version, createdAt, updatedAt, expiresAt } =
    entry;
  const uri = memoryUri(entry);
  return { uri, namespace, key, content, tags, importance, client, program, version, createdAt, updatedAt, expiresAt };
}
