import { Injectable } from '@nestjs/common';
import { diagramOf } from '#open-workflow';
import { AppError } from '../../../platform/errors/app-error.js';
import type { Run } from '../../../features/workflows/runs/run.js';
import { RunsService } from '../../../features/workflows/runs/runs.service.js';
import { WorkflowDefinitions } from '../../../features/workflows/definitions/workflow-definitions.service.js';
import type { RunView, StepView } from './runs.schema.js';

const MOST_STEPS = 1_000;
/** Longer inputs and outputs are left out of the list of steps, in bytes of JSON. */
const LONGEST_LISTED = 20_000;

/** Shows runs to administrators, with their steps. */
@Injectable()
export class AdminRuns {
  constructor(
    private readonly runs: RunsService,
    private readonly definitions: WorkflowDefinitions,
  ) {}

  async get(id: string): Promise<RunView> {
    const run = await this.runs.get(id);
    const steps = await this.runs.steps(id, { first: MOST_STEPS + 1, longest: LONGEST_LISTED });
    return {
      ...run,
      steps: steps.slice(0, MOST_STEPS),
      hasMoreSteps: steps.length > MOST_STEPS,
      logs: await this.runs.logs(id),
      openQuestions: await this.runs.questions(id),
      diagram: await this.diagramOf(run),
    };
  }

  async getStep(id: string, name: string): Promise<StepView> {
    await this.runs.get(id);
    return { ...(await this.runs.step(id, name)), isCut: false };
  }

  /** Returns null when the version is not there any more. */
  private async diagramOf({ program, name, version }: Run): Promise<string | null> {
    if (program === 'skill' || version === null) return null;
    try {
      return diagramOf(await this.definitions.getDefinition(name, version));
    } catch (error) {
      if (error instanceof AppError && error.kind !== 'unavailable') return null;
      throw error;
    }
  }
}
