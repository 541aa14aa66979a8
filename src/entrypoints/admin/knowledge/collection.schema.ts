import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Max,
  MaxLength,
  Min,
  MinLength,
} from 'class-validator';
import { Nested } from '#skill-kit';
import type { TagCount } from '../../../features/knowledge/collection/document-count.store.js';
import type {
  ChangedDocument,
  ChangeOutcome,
} from '../../../features/knowledge/collection/document-collection.service.js';
import { Tags } from '../../../platform/text/tags.schema.js';
import { MAX_TAG, MAX_TAGS } from '../../../platform/text/words.rules.js';
import { MayBeLeftOut } from '../api/body/may-be-left-out.decorator.js';

/** Documents that one request changes. */
const MAX_DOCUMENTS = 100;
const MAX_ID = 200;

export class CountQuery {
  @ApiPropertyOptional({ maxLength: MAX_TAG, description: 'Counts the documents with this tag as those that match.' })
  @IsOptional()
  @IsString()
  @MaxLength(MAX_TAG)
  tag?: string;
}

export class DocumentCount {
  @ApiProperty({ description: 'All documents.' })
  documents!: number;

  @ApiProperty({ description: 'Those with the tag; all of them when none is given.' })
  matching!: number;
}

export class TagsQuery {
  @ApiPropertyOptional({ maxLength: MAX_TAG, description: 'A part of the tags.' })
  @IsOptional()
  @IsString()
  @MaxLength(MAX_TAG)
  q?: string;

  @ApiPropertyOptional({ minimum: 1, maximum: 100, default: 20 })
  @IsInt()
  @Min(1)
  @Max(100)
  @Type(() => Number)
  limit: number = 20;
}

export class TagItem implements TagCount {
  @ApiProperty()
  tag!: string;

  @ApiProperty({ description: 'How many documents have it.' })
  documents!: number;
}

class SeenDocumentBody {
  @ApiProperty({ maxLength: MAX_ID })
  @IsString()
  @MinLength(1)
  @MaxLength(MAX_ID)
  id!: string;

  @ApiProperty({ minimum: 1, description: 'The version that is known; a document that is another one stays as it is.' })
  @IsInt()
  @Min(1)
  version!: number;
}

const CHANGES = ['delete', 'tag'] as const;

export class DocumentsChange {
  @ApiProperty({ enum: CHANGES })
  @IsIn(CHANGES)
  change!: (typeof CHANGES)[number];

  @ApiProperty({ type: [SeenDocumentBody], minItems: 1, maxItems: MAX_DOCUMENTS })
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_DOCUMENTS)
  @Nested(() => SeenDocumentBody, { each: true })
  documents!: SeenDocumentBody[];

  @ApiPropertyOptional({ type: 'array', maxItems: MAX_TAGS, items: { type: 'string', maxLength: MAX_TAG } })
  @MayBeLeftOut()
  @Tags()
  addTags?: string[];

  @ApiPropertyOptional({ type: 'array', maxItems: MAX_TAGS, items: { type: 'string', maxLength: MAX_TAG } })
  @MayBeLeftOut()
  @Tags()
  removeTags?: string[];
}

export class ChangedDocumentView implements ChangedDocument {
  @ApiProperty()
  id!: string;

  @ApiProperty({ type: String, nullable: true, description: 'Null when it is not known.' })
  title!: string | null;

  @ApiProperty({
    enum: ['deleted', 'updated', 'unchanged', 'outdated', 'missing', 'failed'],
    description:
      'outdated: it is another version; missing: there is no such document. These and failed ones stay as they are.',
  })
  outcome!: ChangeOutcome;

  @ApiProperty({ type: Number, nullable: true, description: 'The version that it is now; null: there is none.' })
  version!: number | null;

  @ApiProperty({ type: String, nullable: true, description: 'Why it stays as it is.' })
  problem!: string | null;
}

export class ChangeReport {
  @ApiProperty({ type: [ChangedDocumentView], description: 'In the order of the request.' })
  documents!: ChangedDocumentView[];
}
