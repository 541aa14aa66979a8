import { Injectable } from '@nestjs/common';
import { SettingsService } from '../../../platform/config/settings.service.js';
import { EventBus } from '../../../platform/events/event-bus.service.js';
import { BuiltinModel } from './builtin-model.service.js';
import type { EmbeddingModel } from './embedding-model.js';
import { EmbeddingsApi } from './embeddings-api.service.js';

@Injectable()
export class EmbeddingModels {
  constructor(
    private readonly settings: SettingsService,
    private readonly builtin: BuiltinModel,
    private readonly api: EmbeddingsApi,
    private readonly events: EventBus,
  ) {}

  /** The model in use; null = searches use only words. */
  get current(): EmbeddingModel | null {
    switch (this.settings.get('knowledge.embeddings')) {
      case 'builtin':
        return this.builtin;
      case 'url':
        return this.api.current;
      default:
        return null;
    }
  }

  /** Returns the model that may read the texts of a collection; null = none. */
  currentFor({ name }: { name: string }): EmbeddingModel | null {
    const { current } = this;
    if (current === null || name !== 'memory') return current;
    const given = this.settings.get('memory.embeddings');
    return given === 'any' || (given === 'builtin' && current.isBuiltin) ? current : null;
  }

  /** True when the built-in model can be switched on. */
  get builtinIsInstalled(): boolean {
    return this.builtin.problem === null;
  }

  /** Calls `listener` when settings change that may make failed calls work. Returns an unsubscribe function. */
  onReconfigured(listener: () => void): () => void {
    return this.events.on('setting.changed', ({ key }) => {
      if (/^((knowledge|memory)\.embeddings|http\.)/.test(key)) listener();
    });
  }
}
