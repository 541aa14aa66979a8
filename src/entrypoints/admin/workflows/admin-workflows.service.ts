import { Injectable } from '@nestjs/common';
import { diagramOf, type JsonObject, type WorkflowDefinition } from '#open-workflow';
import { nameOfOwner } from '../../../access/clients/owner.js';
import { mapPage, type Page, type PageRequest } from '../../../platform/paging/page-cursor.js';
import { WorkflowConflict, WorkflowNotFound } from '../../../features/workflows/definitions/definitions.errors.js';
import { scheduleText } from '../../../features/workflows/definitions/schedule-text.rules.js';
import { triedTask } from '../../../features/workflows/definitions/tried-task.rules.js';
import { WorkflowDefinitions } from '../../../features/workflows/definitions/workflow-definitions.service.js';
import { WorkflowFiles } from '../../../features/workflows/definitions/workflow-files.service.js';
import { revisionOf, type Workflow } from '../../../features/workflows/definitions/workflow.js';
import { Repeats } from '../../../features/workflows/runs/repeats.service.js';
import type { Run } from '../../../features/workflows/runs/run.js';
import { exampleEvent } from '../../../features/workflows/triggers/events/tried-event.rules.js';
import { OutdatedChange } from '../api/versions/versions.errors.js';
import type { TaskTestBody } from '../runs/runs.schema.js';
import type {
  FullWorkflowVersionView,
  FullWorkflowView,
  ValidationView,
  WorkflowBody,
  WorkflowPage,
  WorkflowsQuery,
  WorkflowVersionView,
  WorkflowView,
} from './workflows.schema.js';

@Injectable()
export class AdminWorkflows {
  constructor(
    private readonly workflows: WorkflowDefinitions,
    private readonly files: WorkflowFiles,
    private readonly repeats: Repeats,
  ) {}

  async listPage(query: WorkflowsQuery): Promise<WorkflowPage> {
    const brokenFiles = this.files.listBroken();
    const { items, nextCursor } = await this.workflows.listPage(query);
    const views: WorkflowView[] = [];
    for (const workflow of items) {
      const definition = await this.workflows.definitionOf(workflow);
      const { name, version, enabled, source, author, updatedAt } = workflow;
      const files = brokenFiles.filter((file) => file.name === name).flatMap(({ problems }) => problems);
      const problems = files.filter(({ severity }) => severity === 'error').length + (definition ? 0 : 1);
      views.push({
        name,
        version,
        enabled,
        source,
        author: nameOf(author),
        updatedAt,
        problems,
        ...aboutOf(definition),
      });
    }
    return { items: views, nextCursor, brokenFiles };
  }

  async get(name: string): Promise<FullWorkflowView> {
    return this.toFull(await this.workflows.get(name));
  }

  async create({ definition, makeCurrent = true }: WorkflowBody): Promise<FullWorkflowView> {
    const { workflow } = await this.workflows.save(definition, { source: 'admin', makeCurrent, mustBeNew: true });
    return this.toFull(workflow);
  }

  /** @param basedOn the revision that the caller knows; undefined = any */
  async update(
    name: string,
    { definition, makeCurrent = true }: WorkflowBody,
    basedOn?: string,
  ): Promise<FullWorkflowView> {
    await this.workflows.get(name);
    const options = { source: 'admin', makeCurrent, name, basedOn } as const;
    const { workflow } = await this.workflows.save(definition, options).catch(async (error: unknown) => {
      throw error instanceof WorkflowConflict ? new OutdatedChange(error, await this.get(name)) : error;
    });
    return this.toFull(workflow);
  }

  async setEnabled(name: string, enabled: boolean): Promise<FullWorkflowView> {
    return this.toFull(await this.workflows.setEnabled(name, enabled));
  }

  async setCurrent(name: string, version: string): Promise<FullWorkflowView> {
    return this.toFull(await this.workflows.setCurrent(name, version));
  }

  /** @throws WorkflowFromFile when it comes from a file, which would add it again */
  async remove(name: string): Promise<void> {
    await this.files.assertNotFromFile(name);
    await this.workflows.remove(name);
  }

  async listVersions(name: string, query: PageRequest): Promise<Page<WorkflowVersionView>> {
    const page = await this.workflows.listVersions(name, query);
    if (page.items.length === 0 && query.cursor === undefined) throw new WorkflowNotFound(name);
    return mapPage(page, ({ version, source, author, createdAt }) => ({
      version,
      source,
      author: nameOf(author),
      createdAt,
    }));
  }

  async getVersion(name: string, version: string): Promise<FullWorkflowVersionView> {
    const { document, source, author, createdAt } = await this.workflows.getVersion(name, version);
    return { version, source, author: nameOf(author), createdAt, definition: document };
  }

  async validate(text: string): Promise<ValidationView> {
    const { name, definition, problems } = await this.workflows.validate(text);
    return { name, problems, ...drawn(definition), inputSchema: inputSchemaOf(definition) };
  }

  schema(): JsonObject {
    return this.workflows.editorSchema();
  }

  /** @throws WorkflowNotFound, TaskNotFound */
  async testTask(name: string, { task, input = null, variables = {} }: TaskTestBody): Promise<Run> {
    const { version } = await this.workflows.get(name);
    const tried = triedTask({ task, variables }, await this.workflows.getDefinition(name, version));
    return this.repeats.testTask({ name, version, input, ...tried });
  }

  private async toFull({ document, ...workflow }: Workflow): Promise<FullWorkflowView> {
    const { problems } = await this.workflows.validate(document);
    const definition = await this.workflows.definitionOf({ ...workflow, document });
    const { name, version, enabled, source, author, createdAt, updatedAt } = workflow;
    return {
      name,
      version,
      enabled,
      source,
      author: nameOf(author),
      createdAt,
      updatedAt,
      revision: revisionOf({ version, document, enabled }),
      definition: document,
      problems,
      ...aboutOf(definition),
      ...drawn(definition),
      inputSchema: inputSchemaOf(definition),
      outputSchema: definition?.output?.schema?.document ?? null,
      exampleEvent: exampleEvent(definition?.schedule),
    };
  }
}

function aboutOf(definition: WorkflowDefinition | null) {
  const { title, summary, metadata } = definition?.document ?? {};
  return {
    title: title ?? null,
    summary: summary ?? null,
    schedule: scheduleText(definition?.schedule),
    isBackground: metadata?.['background'] === true,
  };
}

const nameOf = (author: string | null): string | null => author && nameOfOwner(author);

const drawn = (definition: WorkflowDefinition | null) => ({ diagram: definition && diagramOf(definition) });

const inputSchemaOf = (definition: WorkflowDefinition | null): JsonObject | null =>
  definition?.input?.schema?.document ?? null;
