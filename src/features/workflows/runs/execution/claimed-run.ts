import type { BlockRef, Json, Problem } from '#open-workflow';
import { ADMIN_CLIENT } from '../../../../access/audit/audit-entry.js';
import type { ProgramKind, RunClient, RunOrigin } from '../run.js';

/** A run as whoever executes it needs it. */
export interface ClaimedRun {
  id: string;
  program: ProgramKind;
  name: string;
  version: string | null;
  /** Counts the executions. Only the last one may write. */
  epoch: number;
  partition: number;
  parent: string | null;
  parentStep: string | null;
  root: string;
  depth: number;
  origin: RunOrigin;
  client: RunClient;
  input: Json;
  /** What to execute; null = the whole program. */
  entry: BlockRef | null;
  isTest: boolean;
  createdAt: Date;
}

/** Returns whether a run tries a version that its client has proposed: no administrator may have seen it. */
export const isTrial = ({ isTest, client }: Pick<ClaimedRun, 'isTest' | 'client'>): boolean =>
  isTest && client.name !== ADMIN_CLIENT.name;

/** A run to be inserted. */
export interface InsertedRun extends Omit<ClaimedRun, 'epoch'> {
  /** `running` when the process that inserts it executes it at once. */
  status: 'pending' | 'running';
  idempotencyKey: string | null;
  /** Types of the events that it may wait for. */
  hears: readonly string[];
  /** What it takes over of another run; null = nothing. */
  takesOver: TakenOver | null;
}

/** The steps that a run takes over from another one. */
export interface TakenOver {
  runId: string;
  /** Another input for a step, which is executed again: its name in the other run, and the input. What was over before it is taken over. */
  replaced: { step: string; task: string; input: Json };
}

/** Returns the name under which the new input of a step is kept. */
export const replacedInputOf = (step: string): string => `${step}?input=`;

/** How many partitions the runs fall into. */
export const PARTITIONS = 32;

/** The partition of all runs that are executed on Restate: no replica ever owns it. */
export const ON_RESTATE = -1;

/** JSON in a column, where null stands for JSON's null, too. */
export const toText = (value: Json | Problem): string | null => (value === null ? null : JSON.stringify(value));

export const fromText = (text: string | null): Json => (text === null ? null : (JSON.parse(text) as Json));
