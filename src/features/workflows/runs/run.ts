import type { Json, JsonObject, Problem, Question } from '#open-workflow';
import type { Client } from '#skill-kit';
import { ADMIN_CLIENT } from '../../../access/audit/audit-entry.js';
import { type Owner, ownerOf } from '../../../access/clients/owner.js';

/** Which states may follow each other. A run ends once. */
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

/** Where a run came from. */
export type RunOrigin = 'call' | 'schedule' | 'event' | 'admin' | 'parent' | 'repeat';

/** What a run executes: a workflow, a long skill, or an agent, which is a skill that decides its steps itself. */
export const PROGRAMS = ['workflow', 'skill', 'agent'] as const;
export type ProgramKind = (typeof PROGRAMS)[number];

/** One execution of a program. */
export interface Run {
  id: string;
  /** What `name` is the name of. */
  program: ProgramKind;
  name: string;
  /** Null but for workflows. */
  version: string | null;
  status: RunStatus;
  origin: RunOrigin;
  /** Name of the client that started it, or `admin`. */
  client: string;
  /** The run that started it, as a step; null = none. */
  parent: string | null;
  isTest: boolean;
  input: Json;
  /** Null until it has completed. */
  output: Json;
  /** Null unless it has failed. */
  error: Problem | null;
  /** How many answers of people it waits for. */
  questions: number;
  /** When a waiting run continues by itself; null = not by itself. */
  wakeAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
  /** Null while it has not ended. */
  endedAt: Date | null;
}

export type RunSummary = Omit<Run, 'input' | 'output'>;

/** `input` is no task, but the input that a repeated run has in the place of a task's own. */
export type StepKind = 'effect' | 'sleep' | 'event' | 'question' | 'child' | 'concurrent' | 'input';
export type StepStatus = 'started' | 'waiting' | 'completed' | 'failed' | 'cancelled';

/** One step of a run, as it was recorded. */
export interface RunStep {
  name: string;
  /** JSON Pointer of the task in the definition. */
  task: string;
  attempt: number;
  kind: StepKind;
  status: StepStatus;
  /** How often it was begun: more than once if a process died in the middle of it. */
  starts: number;
  input: Json;
  output: Json;
  error: Problem | null;
  /** What it asks a person for; null = nothing. */
  question: Question | null;
  /** The id of the run that it started; null = none. */
  child: string | null;
  wakeAt: Date | null;
  startedAt: Date;
  endedAt: Date | null;
}

/** A step in a list. */
export interface ListedStep extends RunStep {
  /** Whether input and output are left out, because they are long. */
  isCut: boolean;
}

export interface RunLog {
  at: Date;
  step: string | null;
  level: 'info' | 'warning' | 'error';
  message: string;
}

/** A question that a run waits with. */
export interface OpenQuestion {
  runId: string;
  /** Name of the step; answers name it. */
  step: string;
  question: Question;
  /** Whether whoever started the run cannot answer. */
  notCaller: boolean;
  askedAt: Date;
}

/** A question with the run that it belongs to. */
export interface AskedQuestion extends OpenQuestion {
  /** Name of the workflow or skill. */
  name: string;
  client: string;
}

/** In whose name a run acts, and to whom it belongs. */
export type RunClient = Pick<Client, 'name' | 'groups' | 'owner'>;

/** What is needed to start a run. */
export interface NewRun {
  program: ProgramKind;
  name: string;
  version: string | null;
  /** An object for calls; a list with the event, or its data, for events. */
  input: Json;
  origin: RunOrigin;
  client: RunClient;
  /** How many calls and runs have led to it. Absent: none. */
  depth?: number | undefined;
  /** A second start of the same workflow with the same key is the same run. Null = none. At most 200 characters. */
  idempotencyKey: string | null;
  isTest: boolean;
}

/** In whose name runs are made that schedules and events start. */
export const SERVICE_CLIENT = { name: 'service', groups: [] } as const;

/** Returns the owners of the runs that a client may look at. */
export const visibleTo = (client: Owner): readonly string[] => [
  ownerOf(client),
  SERVICE_CLIENT.name,
  ADMIN_CLIENT.name,
];

/** Returns the JSON object that a value is; undefined when it is none. */
export const objectOf = (value: Json): JsonObject | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
