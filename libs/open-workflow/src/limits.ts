import type { Json } from './json.js';
import { lengthUpTo } from './jq/json-length.js';
import { standardError, WorkflowError } from './workflow-error.js';

/** The limits of one execution of a workflow. */
export interface Limits {
  steps: number;
  tasks: number;
  /** Maximum nesting of tasks, including functions that call each other. */
  depth: number;
  /** Total size of step results, in characters of JSON: all are read when a run continues. */
  data: number;
}

export const DEFAULT_LIMITS: Limits = { steps: 10_000, tasks: 100_000, depth: 100, data: 32_000_000 };

/** Step names are database keys, whose length is limited: PostgreSQL allows 2,704 bytes. */
const MAX_NAME_BYTES = 2000;

/** Counts the resources that an execution uses. Once a limit is exceeded, workflows cannot catch the error. */
export class Budget {
  private steps = 0;
  private tasks = 0;
  private data = 0;
  private exceeded: WorkflowError | null = null;

  constructor(private readonly limits: Limits) {}

  get isExceeded(): boolean {
    return this.exceeded !== null;
  }

  /** @param name of the task's step; each nesting level adds at least three segments to it */
  countTask(name: string): void {
    this.tasks += 1;
    if (this.tasks > this.limits.tasks)
      this.exceed(
        `The workflow has executed ${this.limits.tasks} tasks, which is the limit. Look for an endless loop.`,
      );
    if (name.split('/').length > this.limits.depth * 3 + 1)
      this.exceed(`Tasks are nested deeper than ${this.limits.depth} levels. Look for functions that call themselves.`);
  }

  countStep(name: string): void {
    this.steps += 1;
    if (this.steps > this.limits.steps)
      this.exceed(
        `The workflow has done ${this.limits.steps} steps, which is the limit. Look for an endless loop, or move a part of the work to another workflow.`,
      );
    if (Buffer.byteLength(name) > MAX_NAME_BYTES)
      this.exceed('The names of the tasks around this one are too long together. Shorten them, or nest fewer tasks.');
  }

  /** Counts a step's result. */
  countData(value: Json): void {
    this.data += lengthUpTo(value, this.limits.data);
    if (this.data > this.limits.data)
      this.exceed(
        `The steps of the workflow have returned more than ${this.limits.data} characters of JSON, which is the limit. Ask for less, or move a part of the work to another workflow.`,
      );
  }

  private exceed(detail: string): void {
    throw (this.exceeded ??= standardError('runtime', detail));
  }
}
