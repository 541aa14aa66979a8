import { Injectable } from '@nestjs/common';
import { compileSchema, type JsonObject, type Parsed, type SkillDefinition } from '#skill-kit';
import { GuardedThread, ThreadOwner } from '../../platform/threads/guarded-thread.js';
import { JobAborted } from '../../platform/threads/threads.errors.js';
import type { SchemaJobs } from './schema-checks.worker.js';

const SCHEMA_CHECKS = {
  name: 'schema-checks',
  entry: 'core/skills/schema-checks.worker',
  heapMegabytes: 128,
  limitMs: 5_000,
};
/** Time limit for a check, including its time in the queue, unless the caller sets another. */
const MOST_MS = 30_000;
const TOO_SLOW = ['too large to validate in time; send fewer or shorter values'];

/** How long a caller waits for a check. */
export interface Patience {
  /** Fires when nobody waits any longer: the check is then aborted. */
  signal?: AbortSignal;
  limitMs?: number;
}

/** Validates data by untrusted schemas: on this thread if that is fast, else in a separate one. */
@Injectable()
export class SchemaChecks extends ThreadOwner {
  protected readonly thread = new GuardedThread<SchemaJobs>(SCHEMA_CHECKS);

  /**
   * Completes a skill's `parse` that returned null: returns the arguments in the handler's form, or their problems. @throws
   * ThreadStopped, and the reason of the signal
   */
  async parseElsewhere(schema: JsonObject, args: JsonObject, patience: Patience): Promise<Parsed> {
    const work = (signal: AbortSignal) => this.thread.run('parse', { schema, args }, { signal });
    const tooSlow = { problems: TOO_SLOW };
    return (await inTime(work, tooSlow, patience)) ?? tooSlow;
  }

  /** Returns the violations of a skill's output schema by a structured result. @throws ThreadStopped, and the reason of the signal */
  outputProblems(skill: SkillDefinition, structured: unknown, patience: Patience): string[] | Promise<string[]> {
    const { outputSchema = {} } = skill;
    return skill.outputProblems(structured) ?? this.problemsElsewhere(outputSchema, structured, patience);
  }

  /** Returns the problems of a value, one line each. @throws ThreadStopped, Error when the schema is not valid */
  problems(schema: JsonObject, value: unknown): string[] | Promise<string[]> {
    return compileSchema(schema)(value) ?? this.problemsElsewhere(schema, value, {});
  }

  /**
   * Returns why a caller's schema cannot be used, without compiling it on this thread. @throws ThreadStopped, and the reason of
   * the signal
   */
  schemaProblems(schema: JsonObject, patience: Patience): Promise<string[]> {
    const work = (signal: AbortSignal) => this.thread.run('schemaProblems', { schema }, { signal });
    return inTime(work, ['/ takes too long to compile: make it smaller'], patience);
  }

  /** Like `problems`, for schemas that may take long to compile. @throws ThreadStopped, and the reason of the signal */
  problemsElsewhere(schema: JsonObject, value: unknown, patience: Patience): Promise<string[]> {
    const work = (signal: AbortSignal) => this.thread.run('problems', { schema, value }, { signal });
    return inTime(work, TOO_SLOW, patience);
  }
}

/** Returns `tooSlow` for work that exceeds its time or memory limit. @throws ThreadStopped, and the reason of the signal */
async function inTime<Result>(
  work: (signal: AbortSignal) => Promise<Result>,
  tooSlow: Result,
  { signal, limitMs = MOST_MS }: Patience,
): Promise<Result> {
  const deadline = AbortSignal.timeout(Math.ceil(limitMs));
  try {
    return await work(signal ? AbortSignal.any([signal, deadline]) : deadline);
  } catch (error) {
    if (error instanceof JobAborted || error === deadline.reason) return tooSlow;
    throw error;
  }
}
