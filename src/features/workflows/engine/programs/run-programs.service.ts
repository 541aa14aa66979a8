import { Injectable } from '@nestjs/common';
import {
  differenceBefore,
  type Continuation,
  interpretBlock,
  type InterpretOptions,
  interpretSkill,
  interpretWorkflow,
  type DurableSteps,
  standardError,
  type SubflowCall,
  type WorkflowDefinition,
} from '#open-workflow';
import { ownerOf } from '../../../../access/clients/owner.js';
import { AppError } from '../../../../platform/errors/app-error.js';
import { tagsOf } from '../../definitions/workflow.js';
import { WorkflowDefinitions } from '../../definitions/workflow-definitions.service.js';
import { type ClaimedRun, isTrial } from '../../runs/execution/claimed-run.js';
import { type Program, type ProgramName, Programs } from '../../runs/execution/program.js';
import { objectOf } from '../../runs/run.js';
import { listenedTypes } from './listened-types.rules.js';
import { RunExpressions } from '../../definitions/expressions.service.js';
import { RunClients } from './run-clients.service.js';
import { RunAgents } from './run-agents.service.js';
import { RunHosts } from './run-hosts.service.js';

/** Makes the programs of workflows, long skills and agents. */
@Injectable()
export class RunPrograms extends Programs {
  constructor(
    private readonly definitions: WorkflowDefinitions,
    private readonly hosts: RunHosts,
    private readonly expressions: RunExpressions,
    private readonly clients: RunClients,
    private readonly agents: RunAgents,
  ) {
    super();
  }

  async programOf(run: ClaimedRun): Promise<Program> {
    const host = this.hosts.hostOf(run);
    const input = objectOf(run.input) ?? {};
    if (run.program === 'skill') return inOnePiece((steps) => interpretSkill({ name: run.name, input, steps, host }));
    if (run.program === 'agent') {
      const agent = this.agents.find(run.name);
      if (!agent) throw standardError('configuration', `There is no agent ${run.name}.`);
      const client = this.clients.clientOf(run);
      return inOnePiece((steps) => agent({ input, client, steps, host }));
    }
    const definition = await this.definitionOf(run);
    const options = (steps: DurableSteps): InterpretOptions => ({
      input: run.input,
      steps,
      host,
      expressions: this.expressions,
    });
    return {
      execute: (steps) => interpretWorkflow(definition, options(steps)),
      executeBlock: (block, steps) => interpretBlock(definition, block, options(steps)),
    };
  }

  async eventTypesOf(run: ProgramName & Pick<ClaimedRun, 'isTest' | 'client'>): Promise<string[]> {
    // Events quote what policies may hide from the client.
    if (run.program !== 'workflow' || isTrial(run)) return [];
    return listenedTypes(await this.definitionOf(run));
  }

  async currentOf(program: ProgramName, continuation: Continuation | null): Promise<ProgramName> {
    if (program.program !== 'workflow') return program;
    const { name, version } = program;
    const current = await this.definitionOf({ name, version: null });
    if (continuation && version !== null) {
      const difference = differenceBefore(await this.definitionOf({ name, version }), current, continuation);
      if (difference !== null) throw differs(difference, version, current);
    }
    return { ...program, version: current.document.version };
  }

  async tagsOf(program: ProgramName): Promise<readonly string[]> {
    return program.program === 'workflow' ? tagsOf((await this.definitionOf(program)).document) : [];
  }

  async calledBy({ namespace, name, version, input }: Required<SubflowCall>, run: ClaimedRun): Promise<ProgramName> {
    const author = isTrial(run) ? ownerOf(run.client) : null;
    const definition = await orConfiguration(this.definitions.getStartable(name, version, author));
    this.clients.assertMayStart(run, definition, input);
    const { document } = definition;
    if (document.namespace === namespace) return { program: 'workflow', name, version: document.version };
    const detail = `The workflow ${name} is in the namespace ${document.namespace}, not in ${namespace}.`;
    throw standardError('configuration', detail);
  }

  /** @throws WorkflowError when there is no such workflow, or no longer */
  private definitionOf({ name, version }: Pick<ProgramName, 'name' | 'version'>): Promise<WorkflowDefinition> {
    return orConfiguration(this.definitions.getDefinition(name, version ?? 'latest'));
  }
}

/** @throws WorkflowError when the definition cannot be loaded */
const orConfiguration = (definition: Promise<WorkflowDefinition>): Promise<WorkflowDefinition> =>
  definition.catch((error: unknown) => {
    if (error instanceof AppError && error.kind !== 'unavailable') throw standardError('configuration', error.message);
    throw error;
  });

const inOnePiece = (execute: Program['execute']): Program => ({
  execute,
  executeBlock: () => Promise.reject(standardError('runtime', 'Only workflows have blocks.')),
});

function differs(at: string, version: string, { document }: WorkflowDefinition) {
  const detail = `The current version ${document.version} differs from version ${version}, by which the steps before were done, at ${at}. Start it with its own version, from an earlier step, or from the start.`;
  return standardError('configuration', detail);
}
