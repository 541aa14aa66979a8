import type { BlockRef, BlockResult, DurableSteps, Json, StepRef, SubflowCall } from '#open-workflow';
import type { ClaimedRun } from './claimed-run.js';
import { type Program, type ProgramName, Programs } from './program.js';

/** Names a step for a test. */
export const at = (name: string): StepRef => ({ name, task: name, attempt: 1 });

type Body = (steps: DurableSteps, run: ClaimedRun) => Promise<Json>;
/** What executes a block of a program. */
type BlockBody = (block: BlockRef, steps: DurableSteps) => Promise<BlockResult>;

/** Programs written as functions. */
export class WrittenPrograms extends Programs {
  constructor(
    private readonly bodies: Record<string, Body>,
    private readonly hears: Record<string, string[]> = {},
    private readonly blocks: Record<string, BlockBody> = {},
  ) {
    super();
  }

  async programOf(run: ClaimedRun): Promise<Program> {
    const body = this.bodies[run.name];
    if (!body) throw new Error(`no program ${run.name}`);
    return {
      execute: (steps) => body(steps, run),
      executeBlock: (block, steps) =>
        this.blocks[run.name]?.(block, steps) ?? Promise.reject(new Error(`no blocks in ${run.name}`)),
    };
  }

  async heardBy({ name }: ProgramName): Promise<string[]> {
    return this.hears[name] ?? [];
  }

  async calledBy({ name, version }: Required<SubflowCall>): Promise<ProgramName> {
    return { program: 'workflow', name, version };
  }
}
