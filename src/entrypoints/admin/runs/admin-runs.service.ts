import { Injectable } from '@nestjs/common';
import { diagramOf } from '#open-workflow';
import { AppError } from '../../../platform/errors/app-error.js';
import type { Page } from '../../../platform/paging/page-cursor.js';
import { type Run, type RunSummary } from '../../../features/workflows/runs/run.js';
import { Repeats } from '../../../features/workflows/runs/repeats.service.js';
import { RunsService } from '../../../features/workflows/runs/runs.service.js';
import { WorkflowDefinitions } from '../../../features/workflows/definitions/workflow-definitions.service.js';
import {
  type AnswerBody,
  type RepeatBody,
  type RepeatedView,
  type RunFilterBody,
  type RunQuery,
  type RunView,
  type StepView,
} from './runs.schema.js';

const MOST_STEPS = 1_000;
/** Longer inputs and outputs are left out of the list of steps, in bytes of JSON. */
const LONGEST_LISTED = 20_000;

/** Serves runs to administrators. */
@Injectable()
export class AdminRuns {
  constructor(
    private readonly runs: RunsService,
    private readonly repeats: Repeats,
    private readonly definitions: WorkflowDefinitions,
  ) {}

  listPage(query: RunQuery): Promise<Page<RunSummary>> {
    return this.runs.listPage(query);
  }

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

  cancel(id: string): Promise<void> {
    return this.runs.cancel(id);
  }

  /** @param by name of the administrator's account */
  answer(id: string, { step, action, content = null }: AnswerBody, by: string): Promise<void> {
    return this.runs.answer(id, step, { action, content, by });
  }

  repeat(id: string, { step, input = null }: RepeatBody): Promise<Run> {
    return step === undefined ? this.repeats.repeat(id) : this.repeats.repeatFrom(id, step, input);
  }

  async repeatAll(filter: RunFilterBody): Promise<RepeatedView> {
    return { started: await this.repeats.repeatAll(filter) };
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
