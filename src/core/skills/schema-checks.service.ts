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
const TOO_SLOW = ['arguments: too large to validate in time; send fewer or shorter values'];

/** Checks data by schemas that others write: most on this thread, and in a thread of its own what would hold this one. */
@Injectable()
export class SchemaChecks implements BeforeApplicationShutdown {
  protected readonly thread = new GuardedThread<SchemaJobs>(SCHEMA_CHECKS);

  /** Returns the arguments of a skill as it takes them, or what is wrong with them. @throws ThreadStopped */
  parse(skill: SkillDefinition, args: JsonObject): Parsed | Promise<Parsed> {
    return skill.parse(args) ?? this.parseElsewhere(skill.inputSchema, args);
  }

  /** Returns how a structured result contradicts the output schema of a skill. @throws ThreadStopped */
  outputProblems(skill: SkillDefinition, structured: unknown): string[] | Promise<string[]> {
    const { outputSchema = {} } = skill;
    return skill.outputProblems(structured) ?? this.problemsElsewhere(outputSchema, structured);
  }

  /** Returns what is wrong with a value, one line per problem. @throws ThreadStopped, Error when the schema is not valid */
  problems(schema: JsonObject, value: unknown): string[] | Promise<string[]> {
    return compileSchema(schema)(value) ?? this.problemsElsewhere(schema, value);
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.thread.stop();
  }

  private async parseElsewhere(schema: JsonObject, args: JsonObject): Promise<Parsed> {
    const problems = { problems: TOO_SLOW };
    return (await this.thread.run('parse', { schema, args }).catch(givenUp(problems))) ?? problems;
  }

  private problemsElsewhere(schema: JsonObject, value: unknown): Promise<string[]> {
    return this.thread.run('problems', { schema, value }).catch(givenUp(TOO_SLOW));
  }
}

/** Returns what a check that was given up results in. Other errors stay. */
const givenUp =
  <Result>(result: Result) =>
  (error: unknown): Result => {
    if (error instanceof JobGivenUp) return result;
    throw error;
  };
