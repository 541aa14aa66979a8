import { isObject } from '#bounded-json';
import type { Json, JsonObject, Problem, Question } from '#open-workflow';
import type { Client } from '#skill-kit';

/** The allowed transitions between states. A run ends once. */
export const NEXT_STATUS = {
  pending: ['running', 'cancelled'],
  running: ['waiting', 'completed', 'failed', 'cancelled'],
  waiting: ['running', 'cancelled'],
  completed: [],
  failed: [],
  cancelled: [],
} as const;

export type RunStatus = keyof typeof NEXT_STATUS;

export const hasEnded = (status: RunStatus): boolean => NEXT_STATUS[status].length === 0;

/** How a run was started. */
export type RunOrigin = 'call' | 'schedule' | 'event' | 'admin' | 'parent' | 'repeat';

/** The kinds of programs: a workflow, a long skill, or an agent, which is a skill that decides its steps itself. */
export const PROGRAMS = ['workflow', 'skill', 'agent'] as const;
export type ProgramKind = (typeof PROGRAMS)[number];

export interface Run {
  id: string;
  program: ProgramKind;
  name: string;
  /** null except for workflows. */
  version: string | null;
  status: RunStatus;
  origin: RunOrigin;
  /** Name of the client that started it, or `admin`. */
  client: string;
  /** The run that started it as a step; null = none. */
  parent: string | null;
  isTest: boolean;
  input: Json;
  /** null until it has completed. */
  output: Json;
  /** null unless it has failed. */
  error: Problem | null;
  /** Number of answers that it waits for. */
  questions: number;
  /** When a waiting run resumes automatically; null = it does not. */
  wakeAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
  /** null until it has ended. */
  endedAt: Date | null;
}

export type RunSummary = Omit<Run, 'input' | 'output'>;

/** `input` is not a task, but the input that a repeated run uses instead of a task's own. */
export type StepKind = 'effect' | 'sleep' | 'event' | 'question' | 'child' | 'concurrent' | 'input';
export type StepStatus = 'started' | 'waiting' | 'completed' | 'failed' | 'cancelled';

export interface RunStep {
  name: string;
  /** JSON Pointer of the task in the definition. */
  task: string;
  attempt: number;
  kind: StepKind;
  status: StepStatus;
  /** Number of attempts: more than one if a process died during it. */
  starts: number;
  input: Json;
  output: Json;
  error: Problem | null;
  /** Its question to a person; null = none. */
  question: Question | null;
  /** The id of the run that it started; null = none. */
  child: string | null;
  wakeAt: Date | null;
  startedAt: Date;
  endedAt: Date | null;
}

export interface ListedStep extends RunStep {
  /** True when input and output are left out because they are long. */
  isCut: boolean;
}

export interface RunLog {
  at: Date;
  step: string | null;
  level: 'info' | 'warning' | 'error';
  message: string;
}

export interface OpenQuestion {
  runId: string;
  /** Name of the step; answers name it. */
  step: string;
  question: Question;
  /** True when the client that started the run may not answer. */
  notCaller: boolean;
  askedAt: Date;
}

export interface AskedQuestion extends OpenQuestion {
  /** Name of the workflow or skill. */
  name: string;
  client: string;
}

/** The client on whose behalf a run acts, and who owns it. */
export type RunClient = Pick<Client, 'name' | 'groups' | 'owner'>;

export interface NewRun {
  program: ProgramKind;
  name: string;
  version: string | null;
  /** An object for calls; a list with the event, or its data, for events. */
  input: Json;
  origin: RunOrigin;
  client: RunClient;
  /** Number of calls and runs that led to it. Absent: none. */
  depth?: number | undefined;
  /** Starting the same workflow again with the same key returns the same run. null = none. At most 200 characters. */
  idempotencyKey: string | null;
  isTest: boolean;
}

/** The client of runs that schedules and events start. */
export const SERVICE_CLIENT = { name: 'service', groups: [] } as const;

/** Returns a value that is a JSON object; undefined for any other. */
export const objectOf = (value: Json): JsonObject | undefined => (isObject(value) ? value : undefined);
