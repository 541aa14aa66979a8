import type { Insertable, Selectable } from 'kysely';
import type { BlockRef, Json } from '#open-workflow';
import { ownerOf } from '../../../access/clients/owner.js';
import type { WorkflowRunTable } from '../../../platform/database/workflow-tables.js';
import type { RunOrigin } from '../runs/run.js';
import type { ClaimedRun, InsertedRun } from '../runs/execution/claimed-run.js';

export const CLAIMED = [
  'id',
  'program',
  'name',
  'version',
  'epoch',
  'partition',
  'parent',
  'parent_step',
  'root',
  'depth',
  'origin',
  'client',
  'owner',
  'client_groups',
  'input',
  'entry',
  'is_test',
  'created_at',
] as const satisfies readonly (keyof WorkflowRunTable)[];

export function toRow(run: InsertedRun, now: Date): Insertable<WorkflowRunTable> {
  return {
    id: run.id,
    program: run.program,
    name: run.name,
    version: run.version,
    status: run.status,
    partition: run.partition,
    epoch: run.status === 'running' ? 1 : 0,
    wake_at: null,
    parent: run.parent,
    parent_step: run.parentStep,
    root: run.root,
    depth: run.depth,
    origin: run.origin,
    client: run.client.name,
    owner: ownerOf(run.client),
    client_groups: JSON.stringify(run.client.groups),
    idempotency_key: run.idempotencyKey,
    input: JSON.stringify(run.input),
    entry: run.entry === null ? null : JSON.stringify(run.entry),
    output: null,
    error: null,
    is_test: run.isTest ? 1 : 0,
    questions: 0,
    created_at: run.createdAt.toISOString(),
    updated_at: now.toISOString(),
    ended_at: null,
  };
}

export function toClaimed(row: Pick<Selectable<WorkflowRunTable>, (typeof CLAIMED)[number]>): ClaimedRun {
  return {
    id: row.id,
    program: row.program as ClaimedRun['program'],
    name: row.name,
    version: row.version,
    epoch: row.epoch,
    partition: row.partition,
    parent: row.parent,
    parentStep: row.parent_step,
    root: row.root,
    depth: row.depth,
    origin: row.origin as RunOrigin,
    client: { name: row.client, groups: JSON.parse(row.client_groups) as string[], owner: row.owner },
    input: JSON.parse(row.input) as Json,
    entry: row.entry === null ? null : (JSON.parse(row.entry) as BlockRef),
    isTest: row.is_test === 1,
    createdAt: new Date(row.created_at),
  };
}
