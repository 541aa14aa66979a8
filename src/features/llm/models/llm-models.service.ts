import { Injectable } from '@nestjs/common';
import { SettingsService } from '../../../platform/config/settings.service.js';
import { NoModel, UnknownModel } from './llm.errors.js';
import { endpointOf, toModelEntry } from './model-entry.rules.js';

export interface LlmModel {
  /** Its name for callers. */
  name: string;
  /** Its id at the API. */
  id: string;
  /** The URL of its API. */
  endpoint: string;
  /** Bearer key, read together with the URL for which it was entered; undefined = none. */
  key: string | undefined;
  /** Why its key cannot be used; null = no problem. */
  problem: string | null;
}

const FIRST = {
  url: 'llm.url',
  models: 'llm.models',
  key: 'llm.api_key',
} as const;
const SECOND = {
  url: 'llm.second_url',
  models: 'llm.second_models',
  key: 'llm.second_api_key',
} as const;

@Injectable()
export class LlmModels {
  constructor(private readonly settings: SettingsService) {}

  /** Returns all models, those of the first server first; of models with the same name, only the first. */
  list(): LlmModel[] {
    const models = [FIRST, SECOND].flatMap((server) => this.modelsOf(server));
    return models.filter(({ name }, index) => models.findIndex((other) => other.name === name) === index);
  }

  /**
   * Returns the model to ask and its fallback: the first one of the other server, or else the next one of the same.
   * @param name null = the first model
   * @throws NoModel, UnknownModel
   */
  choose(name: string | null): [LlmModel, ...LlmModel[]] {
    const models = this.list();
    const model = name === null ? models[0] : models.find((one) => one.name === name);
    if (!model && models.length === 0) throw new NoModel();
    if (!model)
      throw new UnknownModel(
        name ?? '',
        models.map((one) => one.name),
      );
    const others = models.slice(models.indexOf(model) + 1);
    const fallback = models.find(({ endpoint }) => endpoint !== model.endpoint) ?? others[0];
    return fallback ? [model, fallback] : [model];
  }

  private modelsOf(server: typeof FIRST | typeof SECOND): LlmModel[] {
    const url = this.settings.get(server.url);
    if (url === '') return [];
    const shared = {
      endpoint: endpointOf(url),
      key: this.settings.findCredential(server.key),
      problem: this.settings.credentialProblem(server.key),
    };
    return this.settings.get(server.models).map((entry) => ({ ...toModelEntry(entry), ...shared }));
  }
}
