import type { WorkflowDefinition } from '../model.js';

/** One mistake in the text of a workflow, or one thing to think about. */
export interface DefinitionProblem {
  /** A workflow with errors cannot be saved; warnings are only shown. */
  severity: 'error' | 'warning';
  /** JSON Pointer in the document, such as `/do/0/fetch/with/endpoint`; empty = the document as a whole. */
  path: string;
  /** From 1. */
  line: number;
  /** From 1. */
  column: number;
  message: string;
}

export interface ParsedWorkflow {
  /** Null when there are errors. */
  definition: WorkflowDefinition | null;
  /** In the order of the text. */
  problems: DefinitionProblem[];
}

/** Something at a place of the text. */
export interface Located {
  path: string;
  line: number;
  column: number;
}
