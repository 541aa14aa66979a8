import type { WorkflowDefinition } from '../model.js';

/** An error or a warning about the text of a workflow. */
export interface DefinitionProblem {
  /** A workflow with errors cannot be saved; warnings are only shown. */
  severity: 'error' | 'warning';
  /** JSON Pointer in the document, such as `/do/0/fetch/with/endpoint`; empty = the whole document. */
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
  /** In text order. */
  problems: DefinitionProblem[];
}

export interface Located {
  path: string;
  line: number;
  column: number;
}
