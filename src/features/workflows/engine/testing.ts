import type { BlockRef, BlockResult, DurableSteps, Json, JsonObject, StepRef, SubflowCall } from '#open-workflow';
import type { NewRun } from '../runs/run.js';
import type { ClaimedRun } from '../runs/execution/claimed-run.js';
import { type Program, type ProgramName, Programs } from '../runs/execution/program.js';
import type { StartedRun } from '../runs/execution/run-engine.js';

export const at = (name: string): StepRef => ({ name, task: name, attempt: 1 });

export const blockAt = (name: string): BlockRef => ({
  step: at(name),
  input: null,
  context: null,
  variables: {},
  at: '',
  isTimed: false,
});

export const newRun = (name: string, input: JsonObject = {}, more: Partial<NewRun> = {}): NewRun => ({
  program: 'workflow',
  name,
  version: '1.0.0',
  input,
  origin: 'call',
  client: { name: 'ada', groups: [] },
  idempotencyKey: null,
  isTest: false,
  ...more,
});

export const startedRun = (id: string, name: string): StartedRun => ({
  id,
  program: 'workflow',
  name,
  version: '1.0.0',
  parent: null,
  parentStep: null,
  root: id,
  depth: 0,
  origin: 'call',
  client: { name: 'ada', groups: [] },
  input: {},
  entry: null,
  takesOver: null,
  isTest: false,
  createdAt: new Date(0),
  idempotencyKey: null,
  eventTypes: [],
});

type Body = (steps: DurableSteps, run: ClaimedRun) => Promise<Json>;
/** A function that executes a block of a program. */
type BlockBody = (block: BlockRef, steps: DurableSteps) => Promise<BlockResult>;

export class WrittenPrograms extends Programs {
  constructor(
    private readonly bodies: Record<string, Body>,
    private readonly eventTypes: Record<string, string[]> = {},
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

  async eventTypesOf({ name }: ProgramName): Promise<string[]> {
    return this.eventTypes[name] ?? [];
  }

  async currentOf(program: ProgramName): Promise<ProgramName> {
    return program;
  }

  async tagsOf(): Promise<readonly string[]> {
    return [];
  }

  async calledBy({ name, version }: Required<SubflowCall>): Promise<ProgramName> {
    return { program: 'workflow', name, version };
  }
}
