import { Injectable } from '@nestjs/common';
import { SettingsService } from '../../../platform/config/settings.service.js';
import { NoModel, UnknownModel } from './llm.errors.js';
import { endpointOf, toModelEntry } from './model-entry.rules.js';

/** A model as it is set at one moment. */
export interface LlmModel {
  /** As callers name it. */
  name: string;
  /** As the API names it. */
  id: string;
  /** Where it is asked. */
  endpoint: string;
  /** Bearer key, read together with the URL that it was entered for; undefined = none. */
  key: string | undefined;
  /** Why its key is not presented; null = nothing is wrong. */
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

/** Knows the language models that are set. */
@Injectable()
export class LlmModels {
  constructor(private readonly settings: SettingsService) {}

  /** All models, those of the first server first; of two with the same name, the first. */
  list(): LlmModel[] {
    const models = [FIRST, SECOND].flatMap((server) => this.modelsOf(server));
    return models.filter(({ name }, index) => models.findIndex((other) => other.name === name) === index);
  }

  /**
   * Returns the model to ask, and the one that stands in when it fails: the first one of the other server, or else the next one of
   * the same.
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
    const standIn = models.find(({ endpoint }) => endpoint !== model.endpoint) ?? others[0];
    return standIn ? [model, standIn] : [model];
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
