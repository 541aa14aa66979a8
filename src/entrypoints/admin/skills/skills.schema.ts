import type { JsonObject, SkillAnnotations } from '#skill-kit';
import { PERIODS as PARTED_PERIODS, type Period } from '../../../access/audit/call-statistics.service.js';
import {
  SKILL_SOURCES,
  SKILL_STATES,
  type SkillItem,
  type SkillSourceName,
  type SourcedState,
} from '../../../core/skills/skill-sources.service.js';
import { TOOL_LIMIT_BOUNDS, type ToolLimits } from '../../../core/skills/tool-limits.js';
import { AnyObject, Amount, Flag, Integer, OneOf, Text, Texts } from '../api/fields.decorators.js';
import { PageOf, PageQuery } from '../api/page.schema.js';

const PERIODS = [...PARTED_PERIODS, 'month'] as const;

const PERIOD =
  'Period for the call statistics; a month has 30 days, and `hour` is this hour of the clock and the one before.';

export class SkillQuery {
  @OneOf(PERIODS, { optional: true, default: 'week', says: PERIOD })
  period: Period | 'month' = 'week';
}

export class SkillsQuery extends PageQuery {
  @Text({ max: 200, optional: true, says: 'Part of a name, a title or a description.' }) q?: string;

  @OneOf(SKILL_SOURCES, { optional: true, says: 'Only those from here.' }) source?: SkillSourceName;
  @OneOf(SKILL_STATES, { optional: true, says: 'Only those in this state.' }) state?: SourcedState;

  @OneOf(PERIODS, { optional: true, default: 'week', says: PERIOD })
  period: Period | 'month' = 'week';
}

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

/** Omitted members stay unchanged. */
export class SkillBody implements Partial<ToolLimits> {
  @Flag({ optional: true, says: 'Whether clients see the skill and may call it.' }) enabled?: boolean;
  @Integer({ ...TIMEOUT, optional: true }) timeoutMs?: number | null;
  @Integer({ ...RESULT, optional: true }) maxResultBytes?: number | null;
}

export class SkillView implements SkillItem {
  @Text() name!: string;
  @Text({ nullable: true }) title!: string | null;
  @Text({ says: 'Empty where it is not known.' }) description!: string;
  @OneOf(SKILL_SOURCES, { says: 'Where it comes from.' }) source!: SkillSourceName;
  @Text({
    nullable: true,
    says: 'Name of the module, package or workflow that it belongs to; null = there is none: it is built in, or a file with mistakes.',
  })
  owner!: string | null;

  @OneOf(SKILL_STATES, {
    says: 'waiting: an administrator has to approve something; broken: something is wrong, as problems say.',
  })
  state!: SourcedState;

  @Texts({ says: 'What is wrong, with file and line where they are known.' }) problems!: string[];
  @AnyObject({ nullable: true, says: 'JSON Schema of the arguments; null = it is no tool now.' })
  inputSchema!: JsonObject | null;

  @AnyObject({ nullable: true, says: 'JSON Schema of the structured result; null without one.' })
  outputSchema!: JsonObject | null;

  @AnyObject({ nullable: true, doc: { additionalProperties: { type: 'boolean' } } })
  annotations!: SkillAnnotations | null;

  @Flag({ says: 'Whether clients see the tool and may call it.' }) enabled!: boolean;
  @Integer(TIMEOUT) timeoutMs!: number | null;
  @Integer(RESULT) maxResultBytes!: number | null;
  @Texts({ says: 'Problems that some MCP clients have with this skill.' }) warnings!: string[];
  @Amount({ says: 'Number of calls in the period, on all replicas; of a package, its uses.' }) calls!: number;
  @Amount({ says: 'Number of calls that failed or were refused.' }) errors!: number;
  @Amount({ says: 'Number of calls denied by policy, which also count as errors.' }) denied!: number;
  @Amount({ says: 'Number of calls in the last 24 hours.' }) callsInDay!: number;
}

export class SkillPage extends PageOf(SkillView) {
  @Texts({ says: 'Problems that some MCP clients have with the catalogue as a whole.' }) warnings!: string[];
}

export class SkillTrialBody {
  @AnyObject({ says: 'Arguments that fit the input schema of the skill.' }) arguments!: JsonObject;
}
