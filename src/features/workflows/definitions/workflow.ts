import { createHash } from 'node:crypto';
import type { DefinitionProblem, WorkflowDefinition } from '#open-workflow';

/** The source of a version: a file of WORKFLOWS_DIR, the administration, or an assistant that proposed it. */
export type WorkflowSource = 'file' | 'admin' | 'assistant';

/** The text of a version. It never changes once it has run, and a client cannot change it. */
export interface WorkflowVersion {
  name: string;
  version: string;
  /** YAML. */
  document: string;
  source: WorkflowSource;
  /** The client whose assistant proposed it, as an owner; null = not proposed. */
  author: string | null;
  createdAt: Date;
}

/** A workflow with its current version: the one that calls and schedules start. */
export interface Workflow extends WorkflowVersion {
  enabled: boolean;
  updatedAt: Date;
}

/** Returns a hash for detecting changes of a workflow: of its current version with the text, and whether it is enabled. */
export const revisionOf = ({
  version,
  document,
  enabled,
}: Pick<Workflow, 'version' | 'document' | 'enabled'>): string =>
  createHash('sha256')
    .update(JSON.stringify([version, document, enabled]))
    .digest('base64url');

/** Returns the tags of a workflow as policies see them. */
export const tagsOf = ({ tags = {} }: WorkflowDefinition['document']): string[] =>
  Object.entries(tags).flatMap(([key, value]) => (typeof value === 'string' ? [`${key}:${value}`] : []));

export type ProposalOutcome = 'created' | 'unchanged';
export type SaveOutcome = ProposalOutcome | 'replaced';

export interface SavedWorkflow<Outcome = SaveOutcome> {
  workflow: Workflow;
  outcome: Outcome;
  /** Only warnings. */
  problems: DefinitionProblem[];
}
