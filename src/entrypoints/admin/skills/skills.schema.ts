import { ApiProperty, ApiPropertyOptional, type ApiPropertyOptions } from '@nestjs/swagger';
import { IsBoolean, IsIn, IsInt, IsObject, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';
import type { JsonObject, SkillAnnotations } from '#skill-kit';
import { PERIODS, type Period } from '../../../access/audit/call-statistics.service.js';
import type { CatalogueEntry } from '../../../core/skills/skill-catalogue.service.js';
import { TOOL_LIMIT_BOUNDS, type ToolLimits } from '../../../core/skills/tool-limits.js';
import { MayBeLeftOut } from '../api/body/may-be-left-out.decorator.js';
import { PageOf, PageQuery } from '../api/page.schema.js';

export class SkillQuery {
  @ApiPropertyOptional({ enum: PERIODS, default: 'week', description: 'The time that calls are counted of.' })
  @IsOptional()
  @IsIn(PERIODS)
  period: Period = 'week';
}

export class SkillsQuery extends PageQuery {
  @ApiPropertyOptional({ maxLength: 200, description: 'Part of a name, a title or a description.' })
  @IsOptional()
  @IsString()
  @MaxLength(200)
  q?: string;

  @ApiPropertyOptional({ enum: PERIODS, default: 'week', description: 'The time that calls are counted of.' })
  @IsOptional()
  @IsIn(PERIODS)
  period: Period = 'week';
}

const { timeoutMs: TIMEOUT_BOUNDS, maxResultBytes: RESULT_BOUNDS } = TOOL_LIMIT_BOUNDS;
const TIMEOUT: ApiPropertyOptions = {
  type: 'integer',
  nullable: true,
  ...TIMEOUT_BOUNDS,
  description: 'Time limit of each call, in ms. Null: the setting mcp.tool_timeout_ms.',
};
const RESULT: ApiPropertyOptions = {
  type: 'integer',
  nullable: true,
  ...RESULT_BOUNDS,
  description: 'Size of a result, as bytes of JSON. Null: the setting mcp.max_result_bytes.',
};

/** What is left out stays as it is. */
export class SkillBody implements Partial<ToolLimits> {
  @ApiPropertyOptional({ description: 'Whether clients see the skill and may call it.' })
  @MayBeLeftOut()
  @IsBoolean()
  enabled?: boolean;

  @ApiPropertyOptional(TIMEOUT)
  @IsOptional()
  @IsInt()
  @Min(TIMEOUT_BOUNDS.minimum)
  @Max(TIMEOUT_BOUNDS.maximum)
  timeoutMs?: number | null;

  @ApiPropertyOptional(RESULT)
  @IsOptional()
  @IsInt()
  @Min(RESULT_BOUNDS.minimum)
  @Max(RESULT_BOUNDS.maximum)
  maxResultBytes?: number | null;
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

  @ApiProperty(TIMEOUT)
  timeoutMs!: number | null;

  @ApiProperty(RESULT)
  maxResultBytes!: number | null;

  @ApiProperty({ type: [String], description: 'Problems that some MCP clients have with this skill.' })
  warnings!: string[];

  @ApiProperty({ description: 'Number of calls in the period, on all replicas.' })
  calls!: number;

  @ApiProperty({ description: 'How many of the calls failed or were refused.' })
  errors!: number;

  @ApiProperty({ description: 'How many of the calls policy denied; they are among the errors.' })
  denied!: number;
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
