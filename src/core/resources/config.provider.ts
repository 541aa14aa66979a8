import { Injectable } from '@nestjs/common';
import { SettingsService } from '../../platform/config/settings.service.js';
import { EventBus } from '../../platform/events/event-bus.service.js';
import { mapPage, type Page, type PageRequest, pageOfSorted } from '../../platform/paging/page-cursor.js';
import type {
  Completion,
  ResourceContent,
  ResourceEntry,
  ResourceStore,
  ResourceTemplateEntry,
  ResourceWatcher,
} from './resource-store.js';

const PREFIX = 'config://';

/** Serves `config://{key}`: each setting with its value, default, description and source; secrets without their values. */
@Injectable()
export class ConfigResources implements ResourceStore {
  readonly scheme = 'config';
  readonly position = 7;

  constructor(
    private readonly settings: SettingsService,
    private readonly events: EventBus,
  ) {}

  async listPage(page: PageRequest): Promise<Page<ResourceEntry>> {
    const settings = pageOfSorted(this.settings.list(), page, ({ key }) => key);
    return mapPage(settings, ({ key, description }) => ({
      uri: PREFIX + key,
      name: key,
      description,
      mimeType: 'application/json',
    }));
  }

  templates(): ResourceTemplateEntry[] {
    const description = 'One setting: its value, default, description and source; secrets are redacted';
    return [{ uriTemplate: `${PREFIX}{key}`, name: 'Setting', description, mimeType: 'application/json' }];
  }

  canonical(uri: string): string | null {
    const key = keyOf(uri);
    return key === null ? null : PREFIX + key;
  }

  async read(uri: string): Promise<ResourceContent[] | null> {
    const key = keyOf(uri);
    const setting = this.settings.list().find((candidate) => candidate.key === key);
    return setting ? [{ uri, mimeType: 'application/json', text: JSON.stringify(setting, null, 2) }] : null;
  }

  async complete({ prefix, limit }: Completion): Promise<string[]> {
    const keys = this.settings.list().map(({ key }) => key);
    return keys.filter((key) => key.startsWith(prefix)).slice(0, limit);
  }

  watch(watcher: ResourceWatcher): () => void {
    return this.events.on('setting.changed', ({ key, isFromElsewhere }) => {
      if (!isFromElsewhere) watcher.updated(PREFIX + key);
    });
  }
}

/** Extracts the key from a URI; null when it has none. */
function keyOf(uri: string): string | null {
  if (uri.slice(0, PREFIX.length).toLowerCase() !== PREFIX) return null;
  try {
    return decodeURIComponent(uri.slice(PREFIX.length));
  } catch {
    return null;
  }
}
