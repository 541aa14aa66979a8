import { Injectable } from '@nestjs/common';
import {
  interpretBlock,
  type InterpretOptions,
  interpretSkill,
  interpretWorkflow,
  type DurableSteps,
  standardError,
  type SubflowCall,
  type WorkflowDefinition,
} from '#open-workflow';
import { WorkflowDefinitions } from '../definitions/workflow-definitions.service.js';
import type { ClaimedRun } from '../engine/claimed-run.js';
import { type Program, type ProgramName, Programs } from '../engine/program.js';
import { objectOf } from '../runs/run.js';
import { listenedTypes } from './listened-types.rules.js';
import { RunExpressions } from './expressions.service.js';
import { RunHosts } from './run-hosts.service.js';

/** Makes programs of workflows and of long skills. */
@Injectable()
export class RunPrograms extends Programs {
  constructor(
    private readonly definitions: WorkflowDefinitions,
    private readonly hosts: RunHosts,
    private readonly expressions: RunExpressions,
  ) {
    super();
  }

  async programOf(run: ClaimedRun): Promise<Program> {
    const host = this.hosts.hostOf(run);
    if (run.program === 'skill') {
      const input = objectOf(run.input) ?? {};
      return {
        execute: (steps) => interpretSkill({ name: run.name, input, steps, host }),
        executeBlock: () => Promise.reject(standardError('runtime', 'A skill has no tasks.')),
      };
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

  async heardBy(program: ProgramName): Promise<string[]> {
    return program.program === 'skill' ? [] : listenedTypes(await this.definitionOf(program));
  }

  async calledBy({ namespace, name, version }: Required<SubflowCall>): Promise<ProgramName> {
    const found = await this.definitions.findDefinition(name, version);
    if (found?.document.namespace !== namespace) {
      const detail = `There is no workflow ${namespace}/${name} in version ${version}.`;
      throw standardError('configuration', detail);
    }
    return { program: 'workflow', name, version: found.document.version };
  }

  /** @throws WorkflowError when there is no such workflow (any more) */
  private async definitionOf({ name, version }: ProgramName): Promise<WorkflowDefinition> {
    const definition = await this.definitions.findDefinition(name, version ?? 'latest');
    if (definition) return definition;
    throw standardError('configuration', `There is no workflow ${name} in version ${version ?? 'latest'} (any more).`);
  }
}
