import { type Selectable, sql } from 'kysely';
import { isApprovalStep } from '../../../core/skills/approval.js';
import type { EventWait, Problem, Question } from '#open-workflow';
import type { WorkflowRunTable, WorkflowStepTable } from '../../../platform/database/workflow-tables.js';
import { fromText, type TakenOver } from './execution/claimed-run.js';
import type {
  ListedStep,
  OpenQuestion,
  Run,
  RunOrigin,
  RunStatus,
  RunStep,
  RunSummary,
  StepKind,
  StepStatus,
} from './run.js';

/** The columns of a run without its input and output. */
export const SUMMARY = [
  'id',
  'program',
  'name',
  'version',
  'status',
  'origin',
  'client',
  'parent',
  'is_test',
  'error',
  'questions',
  'wake_at',
  'created_at',
  'updated_at',
  'ended_at',
] as const satisfies readonly (keyof WorkflowRunTable)[];

/** The columns of a step without its input and output. */
export const STEP = [
  'name',
  'task',
  'attempt',
  'kind',
  'status',
  'starts',
  'error',
  'wait',
  'wake_at',
  'started_at',
  'ended_at',
] as const satisfies readonly (keyof WorkflowStepTable)[];

type SummaryRow = Pick<Selectable<WorkflowRunTable>, (typeof SUMMARY)[number]>;

export function toSummary(row: SummaryRow): RunSummary {
  return {
    id: row.id,
    program: row.program as Run['program'],
    name: row.name,
    version: row.version,
    status: row.status as RunStatus,
    origin: row.origin as RunOrigin,
    client: row.client,
    parent: row.parent,
    isTest: row.is_test === 1,
    error: toProblem(row.error),
    questions: row.questions,
    wakeAt: toDate(row.wake_at),
    createdAt: new Date(row.created_at),
    updatedAt: new Date(row.updated_at),
    endedAt: toDate(row.ended_at),
  };
}

/** The condition for the steps that a repetition takes over. */
export const isTakenOver = (takenOver: TakenOver) =>
  sql<boolean>`run_id = ${takenOver.runId} and status in ('completed', 'failed')
    and coalesce(end_seq, seq) < ${seqOfReplaced(takenOver)}`;

/** The number of the step that a repetition executes again. */
export const seqOfReplaced = ({ runId, replaced }: TakenOver) =>
  sql<number>`(select seq from workflow_steps where run_id = ${runId} and name = ${replaced.step})`;

type StepRow = Pick<Selectable<WorkflowStepTable>, (typeof STEP)[number] | 'input' | 'output'>;

export function toStep(row: StepRow): RunStep {
  const wait = row.wait === null ? {} : (JSON.parse(row.wait) as { child?: string });
  return {
    name: row.name,
    task: row.task,
    attempt: row.attempt,
    kind: row.kind as StepKind,
    status: row.status as StepStatus,
    starts: row.starts,
    input: fromText(row.input),
    output: fromText(row.output),
    error: toProblem(row.error),
    question: questionOf(row.wait),
    child: wait.child ?? null,
    wakeAt: toDate(row.wake_at),
    startedAt: new Date(row.started_at),
    endedAt: toDate(row.ended_at),
  };
}

export const toListedStep = (row: StepRow & { is_cut: boolean | number }): ListedStep => ({
  ...toStep(row),
  isCut: Boolean(row.is_cut),
});

/** Returns the open question of a step; empty when it waits for something else. */
export function openQuestion(runId: string, step: string, wait: string | null, startedAt: string): OpenQuestion[] {
  const question = questionOf(wait);
  if (!question) return [];
  const { notCaller = isApprovalStep(step) } = question;
  return [{ runId, step, question, notCaller, askedAt: new Date(startedAt) }];
}

function questionOf(wait: string | null): Question | null {
  const { event } = wait === null ? {} : (JSON.parse(wait) as { event?: EventWait });
  return event?.question ?? null;
}

const toProblem = (text: string | null): Problem | null => (text === null ? null : (JSON.parse(text) as Problem));
const toDate = (text: string | null): Date | null => (text === null ? null : new Date(text));
