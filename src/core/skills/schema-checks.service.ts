import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { compileSchema, type JsonObject, type Parsed, type SkillDefinition } from '#skill-kit';
import { GuardedThread } from '../../platform/threads/guarded-thread.js';
import { JobGivenUp } from '../../platform/threads/threads.errors.js';
import type { SchemaJobs } from './schema-checks.worker.js';

const SCHEMA_CHECKS = {
  name: 'schema-checks',
  entry: 'core/skills/schema-checks.worker',
  heapMegabytes: 128,
  limitMs: 5_000,
};
/** How long a check may take with the time that it waits for others, unless its caller has less. */
const MOST_MS = 10_000;
const TOO_SLOW = ['arguments: too large to validate in time; send fewer or shorter values'];

/** How long somebody waits for a check. */
export interface Patience {
  /** Fires when nobody waits any longer: then the check is given up. */
  signal?: AbortSignal;
  limitMs?: number;
}

/** Checks data by schemas that others write: most on this thread, and in a thread of its own what would hold this one. */
@Injectable()
export class SchemaChecks implements BeforeApplicationShutdown {
  protected readonly thread = new GuardedThread<SchemaJobs>(SCHEMA_CHECKS);

  /** Returns arguments as a skill takes them, or what is wrong with them, after `parse` of the skill left it to this. @throws ThreadStopped, and the reason of the signal */
  async parseElsewhere(schema: JsonObject, args: JsonObject, patience: Patience): Promise<Parsed> {
    const work = (signal: AbortSignal) => this.thread.run('parse', { schema, args }, { signal });
    const tooSlow = { problems: TOO_SLOW };
    return (await inTime(work, tooSlow, patience)) ?? tooSlow;
  }

  /** Returns how a structured result contradicts the output schema of a skill. @throws ThreadStopped, and the reason of the signal */
  outputProblems(skill: SkillDefinition, structured: unknown, patience: Patience): string[] | Promise<string[]> {
    const { outputSchema = {} } = skill;
    return skill.outputProblems(structured) ?? this.problemsElsewhere(outputSchema, structured, patience);
  }

  /** Returns what is wrong with a value, one line per problem. @throws ThreadStopped, Error when the schema is not valid */
  problems(schema: JsonObject, value: unknown): string[] | Promise<string[]> {
    return compileSchema(schema)(value) ?? this.problemsElsewhere(schema, value, {});
  }

  /** Returns why a schema that a caller sends cannot be used; it has not been compiled here. @throws ThreadStopped, and the reason of the signal */
  schemaProblems(schema: JsonObject, patience: Patience): Promise<string[]> {
    const work = (signal: AbortSignal) => this.thread.run('schemaProblems', { schema }, { signal });
    return inTime(work, ['/ takes too long to compile: make it smaller'], patience);
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.thread.stop();
  }

  /** As `problems`, for schemas that may take long to compile. @throws ThreadStopped, and the reason of the signal */
  problemsElsewhere(schema: JsonObject, value: unknown, patience: Patience): Promise<string[]> {
    const work = (signal: AbortSignal) => this.thread.run('problems', { schema, value }, { signal });
    return inTime(work, TOO_SLOW, patience);
  }
}

/** Returns `tooSlow` for work that takes too long, or too much memory. @throws ThreadStopped, and the reason of the signal */
async function inTime<Result>(
  work: (signal: AbortSignal) => Promise<Result>,
  tooSlow: Result,
  { signal, limitMs = MOST_MS }: Patience,
): Promise<Result> {
  const deadline = AbortSignal.timeout(Math.min(limitMs, MOST_MS));
  try {
    return await work(signal ? AbortSignal.any([signal, deadline]) : deadline);
  } catch (error) {
    if (error instanceof JobGivenUp || error === deadline.reason) return tooSlow;
    throw error;
  }
}
