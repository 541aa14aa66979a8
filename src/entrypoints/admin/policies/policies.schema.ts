import { IsNotIn } from 'class-validator';
import { LONGEST_POLICY, type StoredPolicy } from '../../../access/policy/policy.js';
import { WEEKDAYS } from '../../../access/policy/policy-context.js';
import { AnyObject, Amount, Flag, Integer, OneOf, Part, Parts, Text, Texts, Time } from '../api/fields.decorators.js';
import { ProblemField } from '../api/problem.schema.js';

const NAME = /^[a-z0-9][a-z0-9-]{0,63}$/;
const NAME_MEANING = 'must be lower case letters, digits and hyphens, at most 64 characters';
/** They would collide with other paths. */
const RESERVED_NAMES = ['new', 'templates'];
const LONGEST_NAME = 200;
const LONGEST_URI = 4_096;
const MOST_GROUPS = 32;

export class PolicyText {
  @Text({ min: 1, max: LONGEST_POLICY, says: 'One policy in the Cedar language.' }) policy!: string;
}

export class NewPolicyBody extends PolicyText {
  @IsNotIn(RESERVED_NAMES, { message: `name must not be ${RESERVED_NAMES.join(' or ')}` })
  @Text({ pattern: NAME, rule: NAME_MEANING, example: 'interns-read-only' })
  name!: string;

  @Flag({ optional: true, default: true }) enabled?: boolean;
}

export class PolicyBody {
  @Text({ min: 1, max: LONGEST_POLICY, optional: true, says: 'The new text; without it, the text is left unchanged.' })
  policy?: string;

  @Flag({ optional: true }) enabled?: boolean;
}

export class PolicyView implements Omit<StoredPolicy, 'compiled'> {
  @Text() name!: string;
  @Text({ says: 'The policy in the Cedar language.' }) policy!: string;
  @OneOf(['permit', 'forbid']) effect!: 'permit' | 'forbid';
  @Flag({ says: 'Whether a person must approve each call that it permits.' }) asks!: boolean;
  @Flag() enabled!: boolean;
  @Time() createdAt!: Date;
  @Time() updatedAt!: Date;
  @Text({ says: 'Administrator that changed the policy last; empty when nobody has.' }) updatedBy!: string;
  @Text({ says: 'Version for the header If-Match: of the text, and whether it is enabled.' }) version!: string;
}

export class SavedPolicyView extends PolicyView {
  @Parts(ProblemField, { says: 'Warnings, such as that the policy can never apply.' })
  warnings!: ProblemField[];
}

export class PolicyCheckView {
  @Parts(ProblemField, { says: 'Errors that prevent saving the policy.' }) errors!: ProblemField[];
  @Parts(ProblemField) warnings!: ProblemField[];

  @Text({ nullable: true, says: 'The formatted policy; null when it has errors.' })
  formatted!: string | null;
}

export class PolicyTemplateView {
  @Text() name!: string;
  @Text() title!: string;
  @Text({ says: 'A policy with <placeholders> to replace.' }) policy!: string;
}

/** A policy as it would be after a change. */
export class PolicyDraft {
  @Text({
    pattern: NAME,
    rule: NAME_MEANING,
    says: 'Name of the policy to add, or to change if it exists.',
  })
  name!: string;

  @Text({ max: LONGEST_POLICY, nullable: true, says: 'The text of the policy; null tests its removal.' })
  policy!: string | null;
}

export class PolicyTestBody {
  @Text({ max: LONGEST_NAME, says: 'Name of the client. It need not exist.' }) client!: string;

  @Texts({
    most: MOST_GROUPS,
    max: LONGEST_NAME,
    optional: true,
    says: 'Groups of the client; by default its current groups.',
  })
  groups?: string[];

  @OneOf(['callTool', 'readResource', 'getPrompt']) action!: 'callTool' | 'readResource' | 'getPrompt';
  @Text({ min: 1, max: LONGEST_URI, says: 'Name of the tool or prompt, or URI of the resource.' }) resource!: string;
  @AnyObject({ optional: true, says: 'Arguments of the call.' }) arguments?: Record<string, unknown>;
  @Text({ max: LONGEST_NAME, optional: true, says: 'Name of the program that uses the key.' }) program?: string;

  @Text({
    pattern: /^\d{4}-\d{2}-\d{2}$/,
    rule: 'must be a date such as 2026-11-21',
    optional: true,
    example: '2026-07-28',
  })
  protocolVersion?: string;

  @Integer({ min: 0, max: 23, optional: true, says: 'Hour of the day of the call; by default the current one.' })
  hour?: number;
  @OneOf(WEEKDAYS, { optional: true, says: 'Weekday of the call; by default the current one.' })
  weekday?: (typeof WEEKDAYS)[number];

  @Text({ max: LONGEST_NAME, optional: true, says: 'Name of the workflow whose step makes the call.' })
  workflow?: string;

  @Part(PolicyDraft, { optional: true, says: 'An unsaved policy to take into account.' }) draft?: PolicyDraft;
}

export class PolicyDecisionView {
  @Flag() allowed!: boolean;
  @Texts({ says: 'Names of the policies that made the decision.' }) policies!: string[];
  @Text({ nullable: true, says: 'What a person must confirm before the call; null when nobody must.' }) approval!:
    string | null;
  @Text({ nullable: true, says: 'Message to a client that is denied; null when the call is allowed.' }) message!:
    string | null;
}

export class DryRunBody {
  @Part(PolicyDraft) draft!: PolicyDraft;
}

/** The outcome for a call: `confirmed` = it waits until a person approves it. */
const VERDICTS = ['allowed', 'confirmed', 'refused'] as const;
export type Verdict = (typeof VERDICTS)[number];

export class ChangedCallView {
  @Amount({ says: 'Number of the entry in the audit log.' }) seq!: number;
  @Text() at!: string;
  @Text() client!: string;
  @Text() tool!: string;
  @OneOf(VERDICTS, { says: 'The current decision: as logged, and whether it requires a confirmation.' })
  before!: Verdict;
  @OneOf(VERDICTS, { says: 'The decision it would get.' }) after!: Verdict;
  @Texts({ says: 'Names of the policies that would make the decision.' }) policies!: string[];

  @Flag({ says: 'Whether the logged arguments are incomplete, so that the decision may differ.' })
  uncertain!: boolean;
}

export class DryRunView {
  @Amount({ says: 'Number of recent calls that were evaluated.' }) calls!: number;
  @Parts(ChangedCallView, { says: 'Calls that would be decided differently.' }) changed!: ChangedCallView[];
}
