import { IntersectionType } from '@nestjs/swagger';
import type { Json, JsonObject, Problem } from '#open-workflow';
import {
  type AskedQuestion,
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
import type { TaskState } from '../../../features/workflows/runs/task-states.rules.js';
import { type ProgramKind, PROGRAMS } from '../../../features/workflows/runs/run.js';
import type { Repeated, RepeatedVersion } from '../../../features/workflows/runs/repeats.service.js';
import { AnyObject, Amount, Flag, OneOf, Part, Parts, Text, Time, Value } from '../api/fields.decorators.js';
import { PageQuery } from '../api/page.schema.js';

const STATUSES = Object.keys(NEXT_STATUS);
const ORIGINS = ['call', 'schedule', 'event', 'admin', 'parent', 'repeat'];
const STEP_KINDS = ['effect', 'sleep', 'event', 'question', 'child', 'concurrent', 'input'];
const STEP_STATUSES = ['started', 'waiting', 'completed', 'failed', 'cancelled'];
const ANY_JSON = {
  description: 'Any JSON value.',
  oneOf: [
    { type: 'object', additionalProperties: true },
    { type: 'array', items: {} },
    { type: 'string' },
    { type: 'number' },
    { type: 'boolean' },
  ],
};

/** A filter of runs; omitted members match anything. */
export class RunFilterBody {
  @Text({ max: 64, optional: true, says: 'Name of the workflow or of the long skill.' }) name?: string;
  @OneOf(STATUSES, { optional: true }) status?: RunStatus;
  @Text({ max: 200, optional: true, says: 'Name of the client that the run acts for.' }) client?: string;
  @Flag({ fromText: true, optional: true, says: 'Whether the run is a test.' }) isTest?: boolean;

  @Flag({ fromText: true, optional: true, says: 'With true: only runs that wait for an answer of a person.' })
  isAsking?: boolean;
}

export class RunQuery extends IntersectionType(PageQuery, RunFilterBody) {
  @Text({
    pattern: /^[0-9a-f]{32}$/,
    rule: 'must be the id of a run',
    optional: true,
    says: 'Id of a run: only the runs that it started.',
  })
  parent?: string;
}

export class AnswerBody {
  @Text({ min: 1, max: 2000, says: 'Name of the step that asks.' }) step!: string;
  @OneOf(['accept', 'decline', 'cancel']) action!: 'accept' | 'decline' | 'cancel';

  @AnyObject({ optional: true, nullable: true, says: 'The answer; must match the schema of the question.' })
  content?: JsonObject | null;
}

const VersionToRepeat = () =>
  OneOf(['own', 'current'], {
    optional: true,
    says: 'Version of the workflow: the one of the run (`own`, the default), or the current one.',
  });

export class RepeatBody {
  @Text({ max: 2000, optional: true, says: 'The step to begin with; without it, from the start.' }) step?: string;

  @Value(ANY_JSON, { optional: true, nullable: true, says: 'The input of the step. Needed with `step`.' })
  input?: Json;

  @VersionToRepeat() version?: RepeatedVersion;
}

export class RepeatAllBody {
  @Part(RunFilterBody) filter!: RunFilterBody;
  @VersionToRepeat() version?: RepeatedVersion;
}

export class RepeatedView implements Repeated {
  @Amount({ says: 'Number of runs that were started.' }) started!: number;
  @Amount({ says: 'Number of runs that could not be started.' }) failed!: number;
  @Text({ nullable: true, says: 'Why the first one could not be started; null when none failed.' }) problem!:
    string | null;
}

export class TaskTestBody {
  @Text({
    max: 1000,
    pattern: /^\/./,
    rule: 'must be the path of a step, which begins with a slash',
    says: 'JSON Pointer of the task: `/do/0/fetch`.',
  })
  task!: string;

  @Value(ANY_JSON, { optional: true, nullable: true }) input?: Json;

  @AnyObject({
    optional: true,
    says: 'Values of the variables of the loops and catches around the task, such as `item`; those left out get a sample.',
  })
  variables?: JsonObject;
}

class ProblemView {
  [extension: string]: Json | undefined;

  @Text({ says: 'URI of the kind of error.' }) type!: string;
  @Amount() status!: number;
  @Text({ optional: true }) title?: string;
  @Text({ optional: true }) detail?: string;
  @Text({ optional: true, says: 'JSON Pointer of the task that failed.' }) instance?: string;
}

class QuestionView {
  @Text() message!: string;
  @AnyObject({ says: 'JSON Schema of the answer: an object with primitive properties.' }) schema!: JsonObject;
  @Flag({ optional: true, says: 'Whether whoever started the run cannot answer.' }) notCaller?: boolean;
}

export class RunSummaryView implements RunSummary {
  @Text() id!: string;
  @OneOf(PROGRAMS, { says: 'Kind of program that `name` refers to.' }) program!: ProgramKind;
  @Text() name!: string;
  @Text({ nullable: true }) version!: string | null;
  @OneOf(STATUSES) status!: RunStatus;
  @OneOf(ORIGINS) origin!: RunOrigin;
  @Text() client!: string;
  @Text({ nullable: true, says: 'Id of the run that started this run.' }) parent!: string | null;
  @Flag() isTest!: boolean;
  @Part(ProblemView, { nullable: true }) error!: Problem | null;
  @Amount({ says: 'Number of open questions to people.' }) questions!: number;
  @Time({ nullable: true, says: "When it resumes automatically; null if it doesn't." }) wakeAt!: Date | null;
  @Time() createdAt!: Date;
  @Time() updatedAt!: Date;
  @Time({ nullable: true }) endedAt!: Date | null;
}

export class StepView implements ListedStep {
  @Text() name!: string;
  @Text({ says: 'JSON Pointer of the task in the definition.' }) task!: string;
  @Amount() attempt!: number;
  @OneOf(STEP_KINDS) kind!: StepKind;
  @OneOf(STEP_STATUSES) status!: StepStatus;
  @Amount({ says: 'Number of attempts to execute it: more than one if a process died during the step.' })
  starts!: number;
  @Value(ANY_JSON, { nullable: true }) input!: Json;
  @Value(ANY_JSON, { nullable: true }) output!: Json;
  @Part(ProblemView, { nullable: true }) error!: Problem | null;
  @Part(QuestionView, { nullable: true }) question!: ListedStep['question'];
  @Text({ nullable: true, says: 'Id of the run that the step started.' }) child!: string | null;
  @Time({ nullable: true }) wakeAt!: Date | null;
  @Time() startedAt!: Date;
  @Time({ nullable: true }) endedAt!: Date | null;

  @Flag({ says: 'Whether input and output are omitted because they are long: request the step alone.' })
  isCut!: boolean;
}

export class TaskView {
  @Text({ says: 'JSON Pointer of the task in the definition.' }) task!: string;
  @OneOf(['running', 'waiting', 'asking', 'completed', 'failed', 'cancelled']) state!: TaskState;
}

export class RunLogView implements RunLog {
  @Time() at!: Date;
  @Text({ nullable: true }) step!: string | null;
  @OneOf(['info', 'warning', 'error']) level!: RunLog['level'];
  @Text() message!: string;
}

export class OpenQuestionView implements OpenQuestion {
  @Text() runId!: string;
  @Text({ says: 'Name of the step, which answers refer to.' }) step!: string;
  @Part(QuestionView) question!: OpenQuestion['question'];
  @Flag({ says: 'Whether whoever started the run cannot answer.' }) notCaller!: boolean;
  @Time() askedAt!: Date;
}

export class AskedQuestionView extends OpenQuestionView implements AskedQuestion {
  @Text({ says: 'Name of the workflow or of the long skill.' }) name!: string;
  @Text({ says: 'Name of the client that the run acts for.' }) client!: string;
}

export class QuestionsView {
  @Amount({ says: 'How many answers runs wait for.' }) count!: number;
  @Parts(AskedQuestionView, { says: 'At most 50 of them, the oldest first.' }) items!: AskedQuestionView[];
}

export class StartedRunView extends RunSummaryView implements Run {
  @Value(ANY_JSON, { nullable: true }) input!: Json;
  @Value(ANY_JSON, { nullable: true }) output!: Json;
}

export class RunView extends StartedRunView {
  @Parts(TaskView, { says: 'The tasks of the workflow that have begun.' }) tasks!: TaskView[];
  @Parts(RunLogView) logs!: RunLogView[];
  @Parts(OpenQuestionView) openQuestions!: OpenQuestionView[];
  @Text({ nullable: true, says: 'Mermaid flowchart of the workflow; null for skills.' }) diagram!: string | null;

  @Text({ nullable: true, says: 'Current version of the workflow; null for skills, and when it was removed.' })
  currentVersion!: string | null;
}

export class StepQuery {
  @Text({ min: 1, max: 2000 }) name!: string;
}
