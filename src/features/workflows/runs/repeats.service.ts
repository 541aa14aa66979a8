import { Injectable } from '@nestjs/common';
import { type BlockRef, type Continuation, type Json, type JsonObject, WorkflowError } from '#open-workflow';
import { ADMIN_CLIENT } from '../../../access/audit/audit-entry.js';
import { AppError } from '../../../platform/errors/app-error.js';
import { isTrial } from './execution/claimed-run.js';
import { Programs } from './execution/program.js';
import { type NewRun, objectOf, type Run } from './run.js';
import { type RunFilter, RunStore } from './run.store.js';
import { NotRepeatable } from './runs.errors.js';
import { type Beginning, RunsService } from './runs.service.js';

const PAGE = 100;
/** Maximum number of runs repeated at once. */
const MOST_REPEATED = 1_000;

export interface TaskTest {
  name: string;
  version: string;
  /** JSON Pointer of the task: `/do/0/fetch`. */
  task: string;
  input: Json;
  /** The variables of the loops and catches around it. */
  variables: JsonObject;
}

/** The version of the workflow for repeating a run: its own, or the current one. */
export type RepeatedVersion = 'own' | 'current';

/** A step at which a repetition begins, with its input. */
export interface RepeatFrom {
  step: string;
  input: Json;
  version: RepeatedVersion;
}

interface Repetition {
  version: RepeatedVersion;
  continuation?: Continuation | null;
  beginning?: Beginning;
}

export interface Repeated {
  started: number;
  failed: number;
  /** The error of the first failure; null = none failed. */
  problem: string | null;
}

/** Repeats runs and tries single tasks, as new runs on behalf of an administrator. */
@Injectable()
export class Repeats {
  constructor(
    private readonly runs: RunsService,
    private readonly store: RunStore,
    private readonly programs: Programs,
  ) {}

  /** Starts a run with the input of another one. @throws RunNotFound, NotRepeatable */
  async repeat(id: string, version: RepeatedVersion = 'own'): Promise<Run> {
    return this.start(await this.runs.get(id), { version });
  }

  /**
   * Starts a run that takes over the results of the steps that ended before a step began, and executes that step with another
   * input. @throws RunNotFound, StepNotFound, NotRepeatable when the current version differs before the step
   */
  async repeatFrom(id: string, { step: name, input, version }: RepeatFrom): Promise<Run> {
    const run = await this.runs.get(id);
    const { task } = await this.runs.step(id, name);
    const takesOver = { runId: id, replaced: { step: name, task, input } };
    const done = version === 'own' ? [] : await this.store.listTasksDone(takesOver);
    return this.start(run, { version, continuation: { task, done }, beginning: { entry: null, takesOver } });
  }

  /** Repeats all runs that a filter finds, at most 1,000. One that cannot be repeated does not affect the others. */
  async repeatAll(filter: RunFilter, version: RepeatedVersion = 'own'): Promise<Repeated> {
    const ids: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await this.store.listPage({ ...filter, limit: PAGE, cursor });
      ids.push(...page.items.filter(({ parent }) => parent === null).map(({ id }) => id));
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined && ids.length < MOST_REPEATED);
    const repeated: Repeated = { started: 0, failed: 0, problem: null };
    for (const id of ids.slice(0, MOST_REPEATED)) {
      try {
        await this.repeat(id, version);
        repeated.started += 1;
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        repeated.failed += 1;
        repeated.problem ??= error.message;
      }
    }
    return repeated;
  }

  private async start(run: Run, { version, continuation = null, beginning }: Repetition): Promise<Run> {
    // It would have the permissions of an administrator, and all secrets.
    if (isTrial({ ...run, client: { name: run.client } })) throw new NotRepeatable(run.id, trialOf(run));
    try {
      const program = version === 'own' ? run : await this.programs.currentOf(run, continuation);
      return await this.runs.start({ ...again(run), version: program.version }, beginning);
    } catch (error) {
      throw error instanceof WorkflowError ? new NotRepeatable(run.id, error.message) : error;
    }
  }

  /** Executes one task of a workflow, in a run that is marked as a test. */
  testTask({ name, version, task, input, variables }: TaskTest): Promise<Run> {
    return this.runs.start(
      {
        program: 'workflow',
        name,
        version,
        input: objectOf(input) ?? {},
        origin: 'admin',
        client: ADMIN_CLIENT,
        idempotencyKey: null,
        isTest: true,
      },
      { entry: blockOf(task, input, variables), takesOver: null },
    );
  }
}

/** Returns a task as a block on its own. @param task its JSON Pointer in the definition */
export const blockOf = (task: string, input: Json, variables: JsonObject): BlockRef => ({
  ...{ step: { name: task, task, attempt: 1 }, input },
  ...{ context: {}, variables, at: new Date().toISOString(), isTimed: false },
});

const trialOf = ({ client }: Run): string =>
  `it tries a proposal of ${client}. Read the workflow, enable it, and start it instead.`;

const again = ({ program, name, version, input, isTest }: Run): NewRun => ({
  program,
  name,
  version,
  input,
  origin: 'repeat',
  client: ADMIN_CLIENT,
  idempotencyKey: null,
  isTest,
});
