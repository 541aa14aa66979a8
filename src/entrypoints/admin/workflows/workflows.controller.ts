import { Body, Delete, Get, Param, Post, Put, Query } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import type { JsonObject } from '#open-workflow';
import type { Page } from '../../../platform/paging/page-cursor.js';
import { AdminController, Creates, NoContent, Operation, Returns } from '../api/admin-controller.decorator.js';
import { Audited, ChangesNothing, AuditsState } from '../api/audited.decorator.js';
import { NeedsRole } from '../../../access/accounts/admin-role.decorator.js';
import { ChecksVersion, IfMatch, ReturnsVersion } from '../api/versions/versions.decorators.js';
import { PageOf, PageQuery } from '../api/page.schema.js';
import { StartedRunView, TaskTestBody } from '../runs/runs.schema.js';
import { AdminWorkflows } from './admin-workflows.service.js';
import { WorkflowStarts } from './workflow-starts.service.js';
import {
  CurrentVersionBody,
  DefinitionBody,
  FullWorkflowVersionView,
  FullWorkflowView,
  StartBody,
  ValidationView,
  WorkflowBody,
  WorkflowEnabledBody,
  WorkflowPage,
  WorkflowsQuery,
  WorkflowVersionView,
} from './workflows.schema.js';

@AdminController('workflows')
export class WorkflowsController {
  constructor(
    private readonly workflows: AdminWorkflows,
    private readonly starts: WorkflowStarts,
  ) {}

  @Get()
  @Operation('listWorkflows', 'Lists the workflows in alphabetical order', 'With `q`, those whose name contains it.')
  @Returns(WorkflowPage)
  list(@Query() query: WorkflowsQuery): Promise<WorkflowPage> {
    return this.workflows.listPage(query);
  }

  @Get('schema')
  @Operation('getWorkflowSchema', 'Returns the JSON Schema of workflows, for completion in editors')
  @ApiOkResponse({ schema: { type: 'object', additionalProperties: true } })
  schema(): JsonObject {
    return this.workflows.schema();
  }

  @NeedsRole('editor')
  @Post('validate')
  @ChangesNothing()
  @Operation(
    'validateWorkflow',
    'Validates a definition, and returns its mistakes and its diagram',
    'Nothing is saved.',
  )
  @Returns(ValidationView)
  validate(@Body() { definition }: DefinitionBody): Promise<ValidationView> {
    return this.workflows.validate(definition);
  }

  @Get(':name')
  @Operation('getWorkflow', 'Returns a workflow with the text and the diagram of its current version')
  @Returns(FullWorkflowView)
  @ReturnsVersion()
  get(@Param('name') name: string): Promise<FullWorkflowView> {
    return this.workflows.get(name);
  }

  @NeedsRole('editor')
  @Post()
  @Audited({ recordsResult: true })
  @Operation('createWorkflow', 'Saves a new workflow', '`errors` has every mistake, with its path, line and column.')
  @Creates(FullWorkflowView)
  create(@Body() body: WorkflowBody): Promise<FullWorkflowView> {
    return this.workflows.create(body);
  }

  @NeedsRole('editor')
  @Put(':name')
  @AuditsState('name')
  @Operation(
    'updateWorkflow',
    'Saves a version of a workflow',
    'The text of a version that has run cannot be changed: raise document.version.',
  )
  @Returns(FullWorkflowView)
  @ChecksVersion()
  @ReturnsVersion()
  update(
    @Param('name') name: string,
    @Body() body: WorkflowBody,
    @IfMatch() revision?: string,
  ): Promise<FullWorkflowView> {
    return this.workflows.update(name, body, revision);
  }

  @NeedsRole('editor')
  @Delete(':name')
  @AuditsState('name')
  @Operation('deleteWorkflow', 'Deletes a workflow', 'Its runs are kept, with the versions that they ran.')
  @NoContent()
  remove(@Param('name') name: string): Promise<void> {
    return this.workflows.remove(name);
  }

  @NeedsRole('editor')
  @Put(':name/enabled')
  @AuditsState('name')
  @Operation('setWorkflowEnabled', 'Enables or disables a workflow', 'Runs in progress continue.')
  @Returns(FullWorkflowView)
  setEnabled(@Param('name') name: string, @Body() { enabled }: WorkflowEnabledBody): Promise<FullWorkflowView> {
    return this.workflows.setEnabled(name, enabled);
  }

  @NeedsRole('editor')
  @Put(':name/current')
  @AuditsState('name')
  @Operation('setCurrentWorkflowVersion', 'Selects the version that calls and schedules start')
  @Returns(FullWorkflowView)
  setCurrent(@Param('name') name: string, @Body() { version }: CurrentVersionBody): Promise<FullWorkflowView> {
    return this.workflows.setCurrent(name, version);
  }

  @Get(':name/versions')
  @Operation('listWorkflowVersions', 'Lists the versions of a workflow, last saved first')
  @Returns(PageOf(WorkflowVersionView))
  listVersions(@Param('name') name: string, @Query() query: PageQuery): Promise<Page<WorkflowVersionView>> {
    return this.workflows.listVersions(name, query);
  }

  @Get(':name/versions/:version')
  @Operation('getWorkflowVersion', 'Returns the text of a version')
  @Returns(FullWorkflowVersionView)
  getVersion(@Param('name') name: string, @Param('version') version: string): Promise<FullWorkflowVersionView> {
    return this.workflows.getVersion(name, version);
  }

  @NeedsRole('editor')
  @Post(':name/start')
  @Audited({ recordsResult: true })
  @Operation('startWorkflow', 'Starts a run of a workflow', 'The response is sent when the run is stored.')
  @Creates(StartedRunView)
  start(@Param('name') name: string, @Body() body: StartBody): Promise<StartedRunView> {
    return this.starts.start(name, body);
  }

  @NeedsRole('editor')
  @Post(':name/test-task')
  @Audited({ recordsResult: true })
  @Operation(
    'testWorkflowTask',
    'Executes one task of the current version with the given input, in a test run',
    'The task has its real effects.',
  )
  @Creates(StartedRunView)
  testTask(@Param('name') name: string, @Body() body: TaskTestBody): Promise<StartedRunView> {
    return this.workflows.testTask(name, body);
  }
}
