import type { DurableSteps, Json, StepRef, SubflowCall } from '#open-workflow';
import type { ClaimedRun } from './claimed-run.js';
import { type Program, type ProgramName, Programs } from './program.js';

/** Names a step for a test. */
export const at = (name: string): StepRef => ({ name, task: name, attempt: 1 });

type Body = (steps: DurableSteps, run: ClaimedRun) => Promise<Json>;

/** Programs written as functions. */
export class WrittenPrograms extends Programs {
  constructor(
    private readonly bodies: Record<string, Body>,
    private readonly hears: Record<string, string[]> = {},
  ) {
    super();
  }

  async programOf(run: ClaimedRun): Promise<Program> {
    const body = this.bodies[run.name];
    if (!body) throw new Error(`no program ${run.name}`);
    return {
      execute: (steps) => body(steps, run),
      executeBlock: () => Promise.reject(new Error('not used')),
    };
  }

  async heardBy({ name }: ProgramName): Promise<string[]> {
    return this.hears[name] ?? [];
  }

  async calledBy({ name, version }: Required<SubflowCall>): Promise<ProgramName> {
    return { program: 'workflow', name, version };
  }
}
