import { Injectable } from '@nestjs/common';
import type { Client } from '#skill-kit';
import { EventBus } from '../../../platform/events/event-bus.service.js';
import { mapPage, type Page, type PageRequest } from '../../../platform/paging/page-cursor.js';
import { runUri } from './run-view.rules.js';
import { RunNotFound } from './runs.errors.js';
import { RunsService } from './runs.service.js';
import { VisibleRuns } from './visible-runs.service.js';
import type {
  Completion,
  ResourceContent,
  ResourceEntry,
  ResourceStore,
  ResourceTemplateEntry,
  ResourceWatcher,
} from '../../../core/resources/resource-store.js';

const JSON_TYPE = 'application/json';
const URI = /^run:\/\/([0-9a-f]{32})\/?$/i;

/**
 * Serves `run://{id}`, a run with its steps, to the clients that may follow it. There are no list changes for new runs, because
 * every call of a workflow is one.
 */
@Injectable()
export class RunResources implements ResourceStore {
  readonly scheme = 'run';
  readonly position = 5;

  constructor(
    private readonly runs: RunsService,
    private readonly visible: VisibleRuns,
    private readonly events: EventBus,
  ) {}

  async listPage(page: PageRequest, client: Client): Promise<Page<ResourceEntry>> {
    const found = await this.visible.listPage(page, client);
    return mapPage(found, ({ id, name, status, createdAt }) => ({
      uri: runUri(id),
      name: `${name} ${createdAt.toISOString()}`,
      description: `A run of ${name}: ${status}`,
      mimeType: JSON_TYPE,
    }));
  }

  templates(): ResourceTemplateEntry[] {
    return [
      {
        uriTemplate: runUri('{id}'),
        name: 'Run',
        description: 'A run of a workflow: status, steps with their times, input, output and error',
        mimeType: JSON_TYPE,
      },
    ];
  }

  canonical(uri: string): string | null {
    const [, id] = URI.exec(uri) ?? [];
    return id === undefined ? null : runUri(id.toLowerCase());
  }

  async read(uri: string, client: Client): Promise<ResourceContent[] | null> {
    const [, id] = URI.exec(uri) ?? [];
    if (id === undefined) return null;
    try {
      const run = await this.visible.get(id.toLowerCase(), client);
      return [{ uri, mimeType: JSON_TYPE, text: JSON.stringify(await this.runs.view(run), null, 2) }];
    } catch (error) {
      if (error instanceof RunNotFound) return null;
      throw error;
    }
  }

  complete({ prefix, limit }: Completion, client: Client): Promise<string[]> {
    return this.visible.listIds({ prefix: prefix.toLowerCase(), limit }, client);
  }

  watch(watcher: ResourceWatcher): () => void {
    const stops = [
      this.events.on('run.changed', ({ id }) => watcher.updated(runUri(id))),
      this.events.on('run.step', ({ id, progress }) => {
        if (!progress) watcher.updated(runUri(id));
      }),
    ];
    return () => stops.forEach((stop) => stop());
  }
}
