import { ApiProperty, ApiPropertyOptional, type ApiPropertyOptions } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import { IsBoolean, IsIn, IsObject, IsOptional, IsString, Matches, MaxLength, MinLength } from 'class-validator';
import type { Json, JsonObject, Problem } from '#open-workflow';
import { Nested } from '#skill-kit';
import {
  type ListedStep,
  NEXT_STATUS,
  type OpenQuestion,
  type Run,
  type RunLog,
  type RunOrigin,
  type RunStatus,
  type RunSummary,
  type StepKind,
  type StepStatus,
} from '../../../features/workflows/runs/run.js';
import { MayBeLeftOut } from '../api/body/may-be-left-out.decorator.js';
import { PageQuery } from '../api/page.schema.js';

const STATUSES = Object.keys(NEXT_STATUS);
const ORIGINS = ['call', 'schedule', 'event', 'admin', 'parent', 'repeat'];
const STEP_KINDS = ['effect', 'sleep', 'event', 'question', 'child', 'concurrent', 'input'];
const STEP_STATUSES = ['started', 'waiting', 'completed', 'failed', 'cancelled'];
const ANY_JSON = {
  description: 'Any JSON value.',
  nullable: true,
  oneOf: [
    { type: 'object', additionalProperties: true },
    { type: 'array', items: {} },
    { type: 'string' },
    { type: 'number' },
    { type: 'boolean' },
  ],
} satisfies ApiPropertyOptions;

const fromText = ({ value }: { value: unknown }): unknown =>
  value === 'true' ? true : value === 'false' ? false : value;

/** Which runs; what is left out does not matter. */
export class RunFilterBody {
  @ApiPropertyOptional({ maxLength: 64, description: 'Name of the workflow or of the long skill.' })
  @MayBeLeftOut()
  @IsString()
  @MaxLength(64)
  name?: string;

  @ApiPropertyOptional({ enum: STATUSES })
  @MayBeLeftOut()
  @IsIn(STATUSES)
  status?: RunStatus;

  @ApiPropertyOptional({ maxLength: 200, description: 'Name of the client in whose name it runs.' })
  @MayBeLeftOut()
  @IsString()
  @MaxLength(200)
  client?: string;

  @ApiPropertyOptional({ type: Boolean, description: 'Whether it is a test.' })
  @MayBeLeftOut()
  @Transform(fromText)
  @IsBoolean()
  isTest?: boolean;

  @ApiPropertyOptional({ type: Boolean, description: 'With true: only runs that wait for the answer of a person.' })
  @MayBeLeftOut()
  @Transform(fromText)
  @IsBoolean()
  isAsking?: boolean;
}

export class RunQuery extends PageQuery {
  @ApiPropertyOptional({ maxLength: 64, description: 'Name of the workflow or of the long skill.' })
  @IsOptional()
  @IsString()
  @MaxLength(64)
  name?: string;

  @ApiPropertyOptional({ enum: STATUSES })
  @IsOptional()
  @IsIn(STATUSES)
  status?: RunStatus;

  @ApiPropertyOptional({ maxLength: 200 })
  @IsOptional()
  @IsString()
  @MaxLength(200)
  client?: string;

  @ApiPropertyOptional({ pattern: '^[0-9a-f]{32}$', description: 'Only runs that this run started.' })
  @IsOptional()
  @Matches(/^[0-9a-f]{32}$/, { message: '$property must be the id of a run' })
  parent?: string;

  @ApiPropertyOptional({ type: Boolean })
  @IsOptional()
  @Transform(fromText)
  @IsBoolean()
  isTest?: boolean;

  @ApiPropertyOptional({ type: Boolean, description: 'With true: only runs that wait for the answer of a person.' })
  @IsOptional()
  @Transform(fromText)
  @IsBoolean()
  isAsking?: boolean;
}

export class AnswerBody {
  @ApiProperty({ maxLength: 2000, description: 'Name of the step that asks.' })
  @IsString()
  @MinLength(1)
  @MaxLength(2000)
  step!: string;

  @ApiProperty({ enum: ['accept', 'decline', 'cancel'] })
  @IsIn(['accept', 'decline', 'cancel'])
  action!: 'accept' | 'decline' | 'cancel';

  @ApiPropertyOptional({
    type: Object,
    additionalProperties: true,
    nullable: true,
    description: 'What was entered; fits the schema of the question.',
  })
  @IsOptional()
  @IsObject()
  content?: JsonObject | null;
}

export class RepeatBody {
  @ApiPropertyOptional({ maxLength: 2000, description: 'The step to begin with; without it, from the start.' })
  @MayBeLeftOut()
  @IsString()
  @MaxLength(2000)
  step?: string;

  @ApiPropertyOptional({ ...ANY_JSON, description: 'The input of the step. Needed with `step`.' })
  @IsOptional()
  input?: Json;
}

export class RepeatAllBody {
  @ApiProperty({ type: RunFilterBody })
  @Nested(() => RunFilterBody)
  filter!: RunFilterBody;
}

export class RepeatedView {
  @ApiProperty({ description: 'Number of runs that were started.' })
  started!: number;
}

export class TaskTestBody {
  @ApiProperty({ maxLength: 1000, description: 'JSON Pointer of the task: `/do/0/fetch`.' })
  @Matches(/^\/./, { message: '$property must be the path of a step, which begins with a slash' })
  @MaxLength(1000)
  task!: string;

  @ApiPropertyOptional(ANY_JSON)
  @IsOptional()
  input?: Json;
}

class ProblemView {
  [extension: string]: Json | undefined;

  @ApiProperty({ description: 'URI of the kind of error.' })
  type!: string;

  @ApiProperty()
  status!: number;

  @ApiPropertyOptional()
  title?: string;

  @ApiPropertyOptional()
  detail?: string;

  @ApiPropertyOptional({ description: 'JSON Pointer of the task that failed.' })
  instance?: string;
}

class QuestionView {
  @ApiProperty()
  message!: string;

  @ApiProperty({
    type: Object,
    additionalProperties: true,
    description: 'JSON Schema of the answer: an object with primitive properties.',
  })
  schema!: JsonObject;
}

export class RunSummaryView implements RunSummary {
  @ApiProperty()
  id!: string;

  @ApiProperty({ enum: ['workflow', 'skill'], description: 'What `name` is the name of.' })
  program!: 'workflow' | 'skill';

  @ApiProperty()
  name!: string;

  @ApiProperty({ type: String, nullable: true })
  version!: string | null;

  @ApiProperty({ enum: STATUSES })
  status!: RunStatus;

  @ApiProperty({ enum: ORIGINS })
  origin!: RunOrigin;

  @ApiProperty()
  client!: string;

  @ApiProperty({ type: String, nullable: true, description: 'The run that started it.' })
  parent!: string | null;

  @ApiProperty()
  isTest!: boolean;

  @ApiProperty({ type: ProblemView, nullable: true })
  error!: Problem | null;

  @ApiProperty({ description: 'How many answers of people it waits for.' })
  questions!: number;

  @ApiProperty({ type: Date, nullable: true, description: 'When it goes on by itself.' })
  wakeAt!: Date | null;

  @ApiProperty()
  createdAt!: Date;

  @ApiProperty()
  updatedAt!: Date;

  @ApiProperty({ type: Date, nullable: true })
  endedAt!: Date | null;
}

export class StepView implements ListedStep {
  @ApiProperty()
  name!: string;

  @ApiProperty({ description: 'JSON Pointer of the task in the definition.' })
  task!: string;

  @ApiProperty()
  attempt!: number;

  @ApiProperty({ enum: STEP_KINDS })
  kind!: StepKind;

  @ApiProperty({ enum: STEP_STATUSES })
  status!: StepStatus;

  @ApiProperty({ description: 'How often it was begun: more than once if a process died in the middle of it.' })
  starts!: number;

  @ApiProperty(ANY_JSON)
  input!: Json;

  @ApiProperty(ANY_JSON)
  output!: Json;

  @ApiProperty({ type: ProblemView, nullable: true })
  error!: Problem | null;

  @ApiProperty({ type: QuestionView, nullable: true })
  question!: ListedStep['question'];

  @ApiProperty({ type: String, nullable: true, description: 'Id of the run that it started.' })
  child!: string | null;

  @ApiProperty({ type: Date, nullable: true })
  wakeAt!: Date | null;

  @ApiProperty()
  startedAt!: Date;

  @ApiProperty({ type: Date, nullable: true })
  endedAt!: Date | null;

  @ApiProperty({ description: 'Whether input and output are left out because they are long: ask for the step alone.' })
  isCut!: boolean;
}

export class RunLogView implements RunLog {
  @ApiProperty()
  at!: Date;

  @ApiProperty({ type: String, nullable: true })
  step!: string | null;

  @ApiProperty({ enum: ['info', 'warning', 'error'] })
  level!: RunLog['level'];

  @ApiProperty()
  message!: string;
}

export class OpenQuestionView implements OpenQuestion {
  @ApiProperty()
  runId!: string;

  @ApiProperty({ description: 'Name of the step; answers name it.' })
  step!: string;

  @ApiProperty({ type: QuestionView })
  question!: OpenQuestion['question'];

  @ApiProperty()
  askedAt!: Date;
}

export class RunView extends RunSummaryView implements Run {
  @ApiProperty(ANY_JSON)
  input!: Json;

  @ApiProperty(ANY_JSON)
  output!: Json;

  @ApiProperty({ type: [StepView], description: 'In the order in which they began; at most 1,000.' })
  steps!: StepView[];

  @ApiProperty({ description: 'Whether there are more steps.' })
  hasMoreSteps!: boolean;

  @ApiProperty({ type: [RunLogView] })
  logs!: RunLogView[];

  @ApiProperty({ type: [OpenQuestionView] })
  openQuestions!: OpenQuestionView[];

  @ApiProperty({ type: String, nullable: true, description: 'Mermaid flowchart of the workflow; null for skills.' })
  diagram!: string | null;
}

export class StepQuery {
  @ApiProperty({ maxLength: 2000 })
  @IsString()
  @MinLength(1)
  @MaxLength(2000)
  @Type(() => String)
  name!: string;
}
