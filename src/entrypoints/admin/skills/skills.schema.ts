import type { JsonObject, SkillAnnotations } from '#skill-kit';
import { PERIODS, type Period } from '../../../access/audit/call-statistics.service.js';
import type { CatalogueEntry } from '../../../core/skills/skill-catalogue.service.js';
import { TOOL_LIMIT_BOUNDS, type ToolLimits } from '../../../core/skills/tool-limits.js';
import { AnyObject, Amount, Flag, Integer, OneOf, Text, Texts } from '../api/fields.decorators.js';
import { PageOf, PageQuery } from '../api/page.schema.js';

export class SkillQuery {
  @OneOf(PERIODS, { optional: true, default: 'week', says: 'Period for the call statistics.' })
  period: Period = 'week';
}

export class SkillsQuery extends PageQuery {
  @Text({ max: 200, optional: true, says: 'Part of a name, a title or a description.' }) q?: string;

  @OneOf(PERIODS, { optional: true, default: 'week', says: 'Period for the call statistics.' })
  period: Period = 'week';
}

/** A limit of calls: from `minimum` to `maximum`. */
const limit = ({ minimum, maximum }: { minimum: number; maximum: number }, says: string) => ({
  min: minimum,
  max: maximum,
  nullable: true,
  says,
});
const TIMEOUT = limit(
  TOOL_LIMIT_BOUNDS.timeoutMs,
  'Time limit of each call, in ms. Null: the setting mcp.tool_timeout_ms.',
);
const RESULT = limit(
  TOOL_LIMIT_BOUNDS.maxResultBytes,
  'Size of a result, as bytes of JSON. Null: the setting mcp.max_result_bytes.',
);

/** What is left out stays as it is. */
export class SkillBody implements Partial<ToolLimits> {
  @Flag({ optional: true, says: 'Whether clients see the skill and may call it.' }) enabled?: boolean;
  @Integer({ ...TIMEOUT, optional: true }) timeoutMs?: number | null;
  @Integer({ ...RESULT, optional: true }) maxResultBytes?: number | null;
}

export class SkillView implements CatalogueEntry {
  @Text() name!: string;
  @Text({ nullable: true }) title!: string | null;
  @Text() description!: string;
  @AnyObject({ says: 'JSON Schema of the arguments.' }) inputSchema!: JsonObject;
  @AnyObject({ nullable: true, says: 'JSON Schema of the structured result; null without one.' })
  outputSchema!: JsonObject | null;

  @AnyObject({ nullable: true, doc: { additionalProperties: { type: 'boolean' } } })
  annotations!: SkillAnnotations | null;

  @Flag() enabled!: boolean;
  @Integer(TIMEOUT) timeoutMs!: number | null;
  @Integer(RESULT) maxResultBytes!: number | null;
  @Texts({ says: 'Problems that some MCP clients have with this skill.' }) warnings!: string[];
  @Amount({ says: 'Number of calls in the period, on all replicas.' }) calls!: number;
  @Amount({ says: 'Number of calls that failed or were refused.' }) errors!: number;
  @Amount({ says: 'Number of calls denied by policy, which also count as errors.' }) denied!: number;
}

export class SkillPage extends PageOf(SkillView) {
  @Texts({ says: 'Problems that some MCP clients have with the catalogue as a whole.' }) warnings!: string[];
}

export class SkillTrialBody {
  @AnyObject({ says: 'Arguments that fit the input schema of the skill.' }) arguments!: JsonObject;
}
