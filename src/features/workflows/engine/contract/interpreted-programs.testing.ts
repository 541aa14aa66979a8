import {
  type DurableSteps,
  type EffectCall,
  inspectWorkflow,
  interpretBlock,
  type InterpretOptions,
  interpretWorkflow,
  type JqExpressions,
  type Json,
  type JsonObject,
  standardError,
  type SubflowCall,
  type WorkflowDefinition,
  type WorkflowHost,
} from '#open-workflow';
import type { ClaimedRun } from '../../runs/execution/claimed-run.js';
import { type Program, type ProgramName, Programs } from '../../runs/execution/program.js';

/**
 * Interpreted workflows, with functions that `answer`, `ask` a person first, `fail`, `count`, `hang` until they are stopped, hang
 * `unlessThird` (unless their argument `n` is 3), report progress before they answer (`tells`), or are `deaf`: the first call
 * ignores being stopped until there is a second, which hangs.
 */
export class InterpretedPrograms extends Programs {
  private readonly definitions: Map<string, WorkflowDefinition>;
  private counted = 0;
  private readonly calledAgain = Promise.withResolvers<void>();
  private deafCalls = 0;
  request: WorkflowHost['request'] = () => Promise.reject(new Error('there is no network'));
  /** Awaited before a run starts another. */
  beforeChild: (runId: string) => Promise<void> = async () => {};

  constructor(
    texts: Record<string, string>,
    private readonly expressions: JqExpressions,
  ) {
    super();
    this.definitions = new Map(Object.entries(texts).map(([name, text]) => [name, definitionOf(name, text)]));
  }

  async programOf({ name, input }: ClaimedRun): Promise<Program> {
    const definition = this.definitions.get(name);
    if (!definition) throw new Error(`no workflow ${name}`);
    const options = (steps: DurableSteps): InterpretOptions => ({
      input,
      steps,
      host: this.host,
      expressions: this.expressions,
    });
    return {
      execute: (steps) => interpretWorkflow(definition, options(steps)),
      executeBlock: (block, steps) => interpretBlock(definition, block, options(steps)),
    };
  }

  async eventTypesOf({ name }: ProgramName): Promise<string[]> {
    return name === 'tested' ? ['rain'] : [];
  }

  async currentOf(program: ProgramName): Promise<ProgramName> {
    return program;
  }

  async tagsOf(): Promise<readonly string[]> {
    return [];
  }

  async calledBy({ name, version }: Required<SubflowCall>, run: ClaimedRun): Promise<ProgramName> {
    await this.beforeChild(run.id);
    return { program: 'workflow', name, version };
  }

  private readonly host: WorkflowHost = {
    callFunction: async (name, args, call, { answers }) =>
      name === 'asks' && !('name' in answers) ? ASKS_FOR_NAME : this.call(name, args, call),
    request: (...sent) => this.request(...sent),
    emit: async () => {},
    secret: () => Promise.reject(new Error('there are no secrets')),
  };

  private async call(name: string, { n }: JsonObject, { signal, report }: EffectCall): Promise<Json> {
    if (name === 'tells') report?.({ progress: 1, total: 2, message: 'half of it' });
    if (name === 'count') return (this.counted += 1);
    if (name === 'fail') throw standardError('runtime', 'broken');
    if (name === 'deaf' && (this.deafCalls += 1) === 1) await this.calledAgain.promise;
    else if (name === 'deaf') this.calledAgain.resolve();
    if (name === 'hang' || name === 'deaf' || (name === 'unlessThird' && n !== 3)) await stopped(signal);
    return name;
  }
}

const ASKS_FOR_NAME = {
  $inputNeeded: { questions: { name: { message: 'Name?', schema: { type: 'object', properties: {} } } }, state: null },
};

/** @throws Error once the signal has fired */
const stopped = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    if (signal.aborted) reject(new Error('stopped'));
    signal.addEventListener('abort', () => reject(new Error('stopped')));
  });

function definitionOf(name: string, text: string): WorkflowDefinition {
  const head = `document: { dsl: 1.0.3, namespace: test, name: ${name}, version: 1.0.0, summary: Is tested. }\n`;
  const { definition, problems } = inspectWorkflow(head + text);
  if (definition === null) throw new Error(JSON.stringify(problems));
  return definition;
}
