import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsOptional, IsString, MaxLength, IsObject } from 'class-validator';
import type { JsonObject, SkillAnnotations } from '#skill-kit';
import type { CatalogueEntry } from '../../skills/skill-catalogue.service.js';
import { PageOf, PageQuery } from '../api/page.schema.js';

export class SkillsQuery extends PageQuery {
  @ApiPropertyOptional({ maxLength: 200, description: 'Part of a name, a title or a description.' })
  @IsOptional()
  @IsString()
  @MaxLength(200)
  q?: string;
}

export class SkillBody {
  @ApiProperty()
  @IsBoolean()
  enabled!: boolean;
}

export class SkillView implements CatalogueEntry {
  @ApiProperty()
  name!: string;

  @ApiProperty({ type: String, nullable: true })
  title!: string | null;

  @ApiProperty()
  description!: string;

  @ApiProperty({ type: Object, additionalProperties: true, description: 'A JSON Schema.' })
  inputSchema!: JsonObject;

  @ApiProperty({ type: Object, additionalProperties: true, nullable: true, description: 'A JSON Schema.' })
  outputSchema!: JsonObject | null;

  @ApiProperty({ type: Object, additionalProperties: { type: 'boolean' }, nullable: true })
  annotations!: SkillAnnotations | null;

  @ApiProperty()
  enabled!: boolean;

  @ApiProperty({ type: [String], description: 'Problems that some MCP clients have with this skill.' })
  warnings!: string[];

  @ApiProperty({ description: 'Counted since this process started.' })
  calls!: number;

  @ApiProperty({ description: 'Counted since this process started.' })
  errors!: number;
}

export class SkillPage extends PageOf(SkillView) {
  @ApiProperty({ type: [String], description: 'Problems that some MCP clients have with the catalogue as a whole.' })
  warnings!: string[];
}

export class SkillTrialBody {
  @ApiProperty({
    type: Object,
    additionalProperties: true,
    description: 'Arguments that fit the input schema of the skill.',
  })
  @IsObject()
  arguments!: JsonObject;
}
