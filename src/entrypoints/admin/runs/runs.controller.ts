import { Body, Get, Param, Post, Query } from '@nestjs/common';
import { diagramOf } from '#open-workflow';
import { WorkflowDefinitions } from '../../../features/workflows/definitions/workflow-definitions.service.js';
import type { Run } from '../../../features/workflows/runs/run.js';
import { AppError } from '../../../platform/errors/app-error.js';
import type { Page } from '../../../platform/paging/page-cursor.js';
import { Repeats } from '../../../features/workflows/runs/repeats.service.js';
import { RunsService } from '../../../features/workflows/runs/runs.service.js';
import { RunAnswers } from '../../../features/workflows/runs/run-answers.service.js';
import { AdminController, Creates, NoContent, Operation, Returns } from '../api/admin-controller.decorator.js';
import { Audited, type AuditedRequest } from '../api/audited.decorator.js';
import type { AdminIdentity } from '../../../access/accounts/admin-access.service.js';
import { personName } from '../../../access/clients/person.js';
import { NeedsRole } from '../../../access/accounts/admin-role.decorator.js';
import { Admin } from '../../../access/accounts/admin.guard.js';
import { PageOf, PageQuery } from '../api/page.schema.js';
import {
  AnswerBody,
  QuestionsView,
  RepeatAllBody,
  RepeatBody,
  RepeatedView,
  RunQuery,
  RunSummaryView,
  RunView,
  StartedRunView,
  StepQuery,
  StepView,
} from './runs.schema.js';

/** The list of steps leaves out longer inputs and outputs, in bytes of JSON. */
const LONGEST_LISTED = 20_000;

const statusOfRun = (controller: RunsController, { params }: AuditedRequest) => controller.statusOf(params['id'] ?? '');

@AdminController('runs')
export class RunsController {
  constructor(
    private readonly runs: RunsService,
    private readonly answers: RunAnswers,
    private readonly definitions: WorkflowDefinitions,
    private readonly repeats: Repeats,
  ) {}

  @Get()
  @Operation('listRuns', 'Lists runs, newest first')
  @Returns(PageOf(RunSummaryView))
  list(@Query() query: RunQuery): Promise<Page<RunSummaryView>> {
    return this.runs.listPage(query);
  }

  @Get('questions')
  @Operation('listQuestions', 'Lists the open questions of runs')
  @Returns(QuestionsView)
  questions(): Promise<QuestionsView> {
    return this.runs.openQuestions();
  }

  @NeedsRole('editor')
  @Post('repeat')
  @Audited({ recordsBody: true, recordsResult: true })
  @Operation('repeatRuns', 'Repeats all runs that match a filter', 'At most 1,000, each with its original input.')
  @Creates(RepeatedView)
  repeatAll(@Body() { filter, version }: RepeatAllBody): Promise<RepeatedView> {
    return this.repeats.repeatAll(filter, version);
  }

  @Get(':id')
  @Operation('getRun', 'Returns a run')
  @Returns(RunView)
  async get(@Param('id') id: string): Promise<RunView> {
    const run = await this.runs.get(id);
    return {
      ...run,
      tasks: await this.runs.taskStates(run),
      logs: await this.runs.logs(id),
      openQuestions: await this.runs.questions(id),
      diagram: await this.diagramOf(run),
      currentVersion: run.program === 'workflow' ? ((await this.definitions.find(run.name))?.version ?? null) : null,
    };
  }

  @Get(':id/steps')
  @Operation('listRunSteps', 'Lists the steps of a run, the last to start first')
  @Returns(PageOf(StepView))
  steps(@Param('id') id: string, @Query() query: PageQuery): Promise<Page<StepView>> {
    return this.runs.stepPage(id, { ...query, longest: LONGEST_LISTED });
  }

  @Get(':id/step')
  @Operation('getRunStep', 'Returns one step of a run, with its whole input and output')
  @Returns(StepView)
  async step(@Param('id') id: string, @Query() { name }: StepQuery): Promise<StepView> {
    await this.runs.get(id);
    return { ...(await this.runs.step(id, name)), isCut: false };
  }

  @NeedsRole('editor')
  @Post(':id/cancel')
  @Audited<RunsController>({ state: statusOfRun })
  @Operation('cancelRun', 'Cancels a run', 'A run that has ended is unchanged.')
  @NoContent('The run has ended.')
  cancel(@Param('id') id: string): Promise<void> {
    return this.runs.cancel(id);
  }

  @NeedsRole('editor')
  @Post(':id/answers')
  @Audited<RunsController>({ state: statusOfRun, recordsBody: true })
  @Operation('answerRun', 'Answers a question of a run')
  @NoContent('The run continues with the answer.')
  answer(
    @Param('id') id: string,
    @Body() { step, action, content = null }: AnswerBody,
    @Admin() { user }: AdminIdentity,
  ): Promise<void> {
    return this.answers.give(id, step, { action, content, by: personName(user) });
  }

  @NeedsRole('editor')
  @Post(':id/repeat')
  @Audited({ recordsBody: true, recordsResult: true })
  @Operation(
    'repeatRun',
    'Repeats a run',
    'With a step, the new run reuses the results before it, and executes the step with the given input. With the current version, this is refused if the versions differ before the step.',
  )
  @Creates(StartedRunView)
  repeat(
    @Param('id') id: string,
    @Body() { step, input = null, version = 'own' }: RepeatBody,
  ): Promise<StartedRunView> {
    return step === undefined
      ? this.repeats.repeat(id, version)
      : this.repeats.repeatFrom(id, { step, input, version });
  }

  /** Returns what cancelling and answering change of a run. */
  async statusOf(id: string): Promise<Pick<Run, 'status'>> {
    const { status } = await this.runs.get(id);
    return { status };
  }

  /** Returns null when the version no longer exists. */
  private async diagramOf({ program, name, version }: Run): Promise<string | null> {
    if (program !== 'workflow' || version === null) return null;
    try {
      return diagramOf(await this.definitions.getDefinition(name, version));
    } catch (error) {
      if (error instanceof AppError && error.kind !== 'unavailable') return null;
      throw error;
    }
  }
}
