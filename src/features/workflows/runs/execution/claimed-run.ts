import type { BlockRef, Json, Problem } from '#open-workflow';
import { ADMIN_CLIENT } from '../../../../access/audit/audit-entry.js';
import type { ProgramKind, RunClient, RunOrigin } from '../run.js';

export interface ClaimedRun {
  id: string;
  program: ProgramKind;
  name: string;
  version: string | null;
  /** Counts the executions. Only the latest one may write. */
  epoch: number;
  partition: number;
  parent: string | null;
  parentStep: string | null;
  root: string;
  depth: number;
  origin: RunOrigin;
  client: RunClient;
  input: Json;
  /** The block to execute; null = the whole program. */
  entry: BlockRef | null;
  isTest: boolean;
  createdAt: Date;
}

/** Returns whether a run tries a version that its client proposed, which no administrator may have seen. */
export const isTrial = ({ isTest, client }: { isTest: boolean; client: { name: string } }): boolean =>
  isTest && client.name !== ADMIN_CLIENT.name;

export interface InsertedRun extends Omit<ClaimedRun, 'epoch'> {
  /** `running` when the inserting process executes it immediately. */
  status: 'pending' | 'running';
  idempotencyKey: string | null;
  /** Types of the events that it may wait for. */
  eventTypes: readonly string[];
  /** The steps to take over from another run; null = none. */
  takesOver: TakenOver | null;
}

/** The steps that a run takes over from another one. */
export interface TakenOver {
  runId: string;
  /**
   * A new input for a step that is executed again: the name of the step in the other run, and the input. Steps that ended before
   * it are taken over.
   */
  replaced: { step: string; task: string; input: Json };
}

/** Returns the name under which the new input of a step is recorded. */
export const replacedInputOf = (step: string): string => `${step}?input=`;

export const PARTITIONS = 32;

/** The partition of all runs that are executed on Restate: no replica ever owns it. */
export const ON_RESTATE = -1;

/** Converts JSON for a column, in which null also represents JSON's null. */
export const toText = (value: Json | Problem): string | null => (value === null ? null : JSON.stringify(value));

export const fromText = (text: string | null): Json => (text === null ? null : (JSON.parse(text) as Json));
