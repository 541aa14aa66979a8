import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsNotIn,
  IsObject,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
  MinLength,
  ValidateIf,
} from 'class-validator';
import { Nested } from '#skill-kit';
import { LONGEST_POLICY, type StoredPolicy } from '../../../access/policy/policy.js';
import { WEEKDAYS } from '../../../access/policy/policy-context.js';
import { MayBeLeftOut } from '../api/body/may-be-left-out.decorator.js';
import { ProblemField } from '../api/problem.schema.js';

const NAME = /^[a-z0-9][a-z0-9-]{0,63}$/;
const NAME_MEANING = 'name must be lower case letters, digits and hyphens, at most 64 characters';
/** They would be taken for other addresses. */
const RESERVED_NAMES = ['new', 'templates'];
const LONGEST_NAME = 200;
const LONGEST_URI = 4_096;
const MOST_GROUPS = 32;

export class PolicyText {
  @ApiProperty({ maxLength: LONGEST_POLICY, description: 'One policy in the Cedar language.' })
  @IsString()
  @MinLength(1)
  @MaxLength(LONGEST_POLICY)
  policy!: string;
}

export class NewPolicyBody extends PolicyText {
  @ApiProperty({ pattern: NAME.source, example: 'interns-read-only' })
  @Matches(NAME, { message: NAME_MEANING })
  @IsNotIn(RESERVED_NAMES, { message: `name must not be ${RESERVED_NAMES.join(' or ')}` })
  name!: string;

  @ApiPropertyOptional({ default: true })
  @MayBeLeftOut()
  @IsBoolean()
  enabled?: boolean;
}

export class PolicyBody {
  @ApiPropertyOptional({ maxLength: LONGEST_POLICY, description: 'The new text; without it, the text stays as it is.' })
  @MayBeLeftOut()
  @IsString()
  @MinLength(1)
  @MaxLength(LONGEST_POLICY)
  policy?: string;

  @ApiPropertyOptional()
  @MayBeLeftOut()
  @IsBoolean()
  enabled?: boolean;
}

export class PolicyView implements Omit<StoredPolicy, 'compiled'> {
  @ApiProperty()
  name!: string;

  @ApiProperty({ description: 'The policy in the Cedar language.' })
  policy!: string;

  @ApiProperty({ enum: ['permit', 'forbid'] })
  effect!: 'permit' | 'forbid';

  @ApiProperty()
  enabled!: boolean;

  @ApiProperty()
  createdAt!: Date;

  @ApiProperty()
  updatedAt!: Date;

  @ApiProperty({ description: 'Who changed it last; empty when nobody has.' })
  updatedBy!: string;
}

export class SavedPolicyView extends PolicyView {
  @ApiProperty({ type: [ProblemField], description: 'What is noteworthy, such as that the policy can never apply.' })
  warnings!: ProblemField[];
}

export class PolicyCheckView {
  @ApiProperty({ type: [ProblemField], description: 'What keeps the policy from being saved.' })
  errors!: ProblemField[];

  @ApiProperty({ type: [ProblemField] })
  warnings!: ProblemField[];

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The policy in the usual layout; null when it has mistakes.',
  })
  formatted!: string | null;
}

export class PolicyTemplateView {
  @ApiProperty()
  name!: string;

  @ApiProperty()
  title!: string;

  @ApiProperty({ description: 'A policy in which words in angle brackets are to be replaced.' })
  policy!: string;
}

/** A policy as it would be after a change. */
export class PolicyDraft {
  @ApiProperty({
    pattern: NAME.source,
    description: 'The policy that is added, or changed when there is one of this name.',
  })
  @Matches(NAME, { message: NAME_MEANING })
  name!: string;

  @ApiProperty({
    type: String,
    nullable: true,
    maxLength: LONGEST_POLICY,
    description: 'Its text; null: what happens without the policy.',
  })
  @ValidateIf((_, value) => value !== null)
  @IsString()
  @MaxLength(LONGEST_POLICY)
  policy!: string | null;
}

export class PolicyTestBody {
  @ApiProperty({ maxLength: LONGEST_NAME, description: 'Name of the client. It need not exist.' })
  @IsString()
  @MaxLength(LONGEST_NAME)
  client!: string;

  @ApiPropertyOptional({
    type: 'array',
    items: { type: 'string', maxLength: LONGEST_NAME },
    maxItems: MOST_GROUPS,
    description: 'Groups of the client; without them, those that it is in.',
  })
  @MayBeLeftOut()
  @IsArray()
  @ArrayMaxSize(MOST_GROUPS)
  @IsString({ each: true })
  @MaxLength(LONGEST_NAME, { each: true })
  groups?: string[];

  @ApiProperty({ enum: ['callTool', 'readResource', 'getPrompt'] })
  @IsIn(['callTool', 'readResource', 'getPrompt'])
  action!: 'callTool' | 'readResource' | 'getPrompt';

  @ApiProperty({ maxLength: LONGEST_URI, description: 'Name of the tool or prompt, or URI of the resource.' })
  @IsString()
  @MinLength(1)
  @MaxLength(LONGEST_URI)
  resource!: string;

  @ApiPropertyOptional({ type: 'object', additionalProperties: true, description: 'Arguments of the call.' })
  @MayBeLeftOut()
  @IsObject()
  arguments?: Record<string, unknown>;

  @ApiPropertyOptional({ maxLength: LONGEST_NAME, description: 'Name of the program that uses the key.' })
  @MayBeLeftOut()
  @IsString()
  @MaxLength(LONGEST_NAME)
  program?: string;

  @ApiPropertyOptional({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', example: '2026-07-28' })
  @MayBeLeftOut()
  @Matches(/^\d{4}-\d{2}-\d{2}$/, { message: '$property must be a date such as 2026-11-21' })
  protocolVersion?: string;

  @ApiPropertyOptional({ minimum: 0, maximum: 23, description: 'Without it, as it is now.' })
  @MayBeLeftOut()
  @IsInt()
  @Min(0)
  @Max(23)
  hour?: number;

  @ApiPropertyOptional({ enum: WEEKDAYS, description: 'Without it, as it is now.' })
  @MayBeLeftOut()
  @IsIn(WEEKDAYS)
  weekday?: (typeof WEEKDAYS)[number];

  @ApiPropertyOptional({ maxLength: LONGEST_NAME, description: 'Name of the workflow whose step makes the call.' })
  @MayBeLeftOut()
  @IsString()
  @MaxLength(LONGEST_NAME)
  workflow?: string;

  @ApiPropertyOptional({ type: PolicyDraft, description: 'A policy that is not saved yet.' })
  @MayBeLeftOut()
  @Nested(() => PolicyDraft)
  draft?: PolicyDraft;
}

export class PolicyDecisionView {
  @ApiProperty()
  allowed!: boolean;

  @ApiProperty({ type: [String], description: 'Names of the policies that made the decision.' })
  policies!: string[];

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'What a person must confirm first; null when nobody must.',
  })
  approval!: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'What the client is told; null when it is allowed.' })
  message!: string | null;
}

export class DryRunBody {
  @ApiProperty({ type: PolicyDraft })
  @Nested(() => PolicyDraft)
  draft!: PolicyDraft;
}

/** What a call gets: `confirmed` = it waits until a person confirms it. */
const VERDICTS = ['allowed', 'confirmed', 'refused'] as const;
export type Verdict = (typeof VERDICTS)[number];

export class ChangedCallView {
  @ApiProperty({ description: 'Number of the entry in the audit log.' })
  seq!: number;

  @ApiProperty()
  at!: string;

  @ApiProperty()
  client!: string;

  @ApiProperty()
  tool!: string;

  @ApiProperty({ enum: VERDICTS, description: 'What the log says of it, and whether it asks a person now.' })
  before!: Verdict;

  @ApiProperty({ enum: VERDICTS, description: 'What it would get.' })
  after!: Verdict;

  @ApiProperty({ type: [String], description: 'Names of the policies that would make the decision.' })
  policies!: string[];

  @ApiProperty({ description: 'Whether the log does not hold the arguments in full, so that this may be wrong.' })
  uncertain!: boolean;
}

export class DryRunView {
  @ApiProperty({ description: 'How many of the latest calls were looked at.' })
  calls!: number;

  @ApiProperty({ type: [ChangedCallView], description: 'Those that would be decided differently.' })
  changed!: ChangedCallView[];
}
