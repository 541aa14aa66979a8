import { Injectable } from '@nestjs/common';
import { diagramOf } from '#open-workflow';
import { EventBus } from '../../../platform/events/event-bus.service.js';
import { type Page, type PageRequest } from '../../../platform/paging/page-cursor.js';
import { WorkflowDefinitions } from './workflow-definitions.service.js';
import { WorkflowReference } from './workflow-reference.service.js';
import type {
  Completion,
  ResourceContent,
  ResourceEntry,
  ResourceStore,
  ResourceTemplateEntry,
  ResourceWatcher,
} from '../../../core/resources/resource-store.js';

const YAML = 'application/yaml';
const MARKDOWN = 'text/markdown';
const MERMAID = 'text/vnd.mermaid';
const TEMPLATE = 'workflow://{name}';
const REFERENCE = 'workflow://reference';
const REFERENCE_URI = /^workflow:\/\/reference(?:\/([a-z-]{1,64}))?$/;
const URI = /^workflow:\/\/([a-zA-Z][a-zA-Z0-9_-]{0,63})(\/diagram)?$/;

const REFERENCE_ENTRY: ResourceEntry = {
  uri: REFERENCE,
  name: 'reference',
  title: 'How to write workflows',
  description: 'The language of workflows as this service runs it, with a first workflow. It names its other parts.',
  mimeType: MARKDOWN,
};

const workflowUri = (name: string): string => `workflow://${name}`;

/**
 * Serves `workflow://{name}`, the YAML of a workflow, and with `/diagram` at the end, its flowchart; and `workflow://reference`,
 * the documentation for writing one.
 */
@Injectable()
export class WorkflowResources implements ResourceStore {
  readonly scheme = 'workflow';
  readonly position = 4;

  constructor(
    private readonly workflows: WorkflowDefinitions,
    private readonly reference: WorkflowReference,
    private readonly events: EventBus,
  ) {}

  async listPage(page: PageRequest): Promise<Page<ResourceEntry>> {
    const hasReference = page.cursor === undefined && page.limit > 1;
    const entries: ResourceEntry[] = hasReference ? [REFERENCE_ENTRY] : [];
    const { items, nextCursor } = await this.workflows.listPage({ ...page, limit: page.limit - entries.length });
    for (const workflow of items) {
      const { title, summary } = (await this.workflows.definitionOf(workflow))?.document ?? {};
      entries.push({
        uri: workflowUri(workflow.name),
        name: workflow.name,
        ...(title !== undefined && { title }),
        ...(summary !== undefined && { description: summary }),
        mimeType: YAML,
      });
    }
    return { items: entries, nextCursor };
  }

  templates(): ResourceTemplateEntry[] {
    return [
      {
        uriTemplate: TEMPLATE,
        name: 'Workflow',
        description: 'The definition of a workflow in the Open Workflow DSL; the tool of the same name runs it',
        mimeType: YAML,
      },
      {
        uriTemplate: `${TEMPLATE}/diagram`,
        name: 'Diagram of a workflow',
        description: 'A flowchart of the tasks of the workflow, as Mermaid',
        mimeType: MERMAID,
      },
    ];
  }

  canonical(uri: string): string | null {
    if (REFERENCE_URI.test(uri)) return uri;
    const [, name] = URI.exec(uri) ?? [];
    return name === undefined ? null : workflowUri(name);
  }

  async read(uri: string): Promise<ResourceContent[] | null> {
    const reference = REFERENCE_URI.exec(uri);
    if (reference) {
      const part = await this.reference.find(reference[1]);
      return part ? [{ uri, mimeType: MARKDOWN, text: part.text }] : null;
    }
    const [, name, diagram] = URI.exec(uri) ?? [];
    const workflow = name === undefined ? undefined : await this.workflows.find(name);
    if (!workflow) return null;
    if (diagram === undefined) return [{ uri, mimeType: YAML, text: workflow.document }];
    const definition = await this.workflows.definitionOf(workflow);
    return definition && [{ uri, mimeType: MERMAID, text: diagramOf(definition) }];
  }

  complete({ prefix, limit }: Completion): Promise<string[]> {
    return Promise.resolve(this.workflows.listNames(prefix, limit));
  }

  watch(watcher: ResourceWatcher): () => void {
    return this.events.on('workflows.changed', ({ names, isFromElsewhere }) => {
      // The replica that made the change notifies the clients of all replicas.
      if (isFromElsewhere) return;
      for (const name of names) watcher.updated(workflowUri(name));
      watcher.listChanged();
    });
  }
}
