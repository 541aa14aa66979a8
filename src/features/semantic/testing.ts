import type { SettingsService } from '../../platform/config/settings.service.js';
import { settingsOn } from '../../platform/config/testing.js';
import type { Database } from '../../platform/database/database.js';
import { KeyValueStore } from '../../platform/database/key-value.store.js';
import type { EventBus } from '../../platform/events/event-bus.service.js';
import { recordedEvents } from '../../platform/events/testing.js';
import { HostResolver } from '../../platform/outgoing-http/host-resolver.service.js';
import { OutgoingHttp } from '../../platform/outgoing-http/outgoing-http.service.js';
import { Collections } from './collections.service.js';
import { Embedder } from './embedder.service.js';
import { EmbeddingReport } from './embedding-report.service.js';
import { BuiltinModel } from './models/builtin-model.service.js';
import { EmbeddingModels } from './models/embedding-models.service.js';
import { EmbeddingsApi } from './models/embeddings-api.service.js';
import { QueryEmbeddings } from './query-embeddings.service.js';
import { VectorSearch } from './vector-search.service.js';
import { VectorStore } from './vector.store.js';

export interface SemanticParts {
  database: Database;
  settings: SettingsService;
  events: EventBus;
  builtin?: BuiltinModel;
}

/** The same with the model `small` of a server. */
export async function semanticAt(database: Database, url: string) {
  const { events } = recordedEvents();
  const settings = await settingsOn({ database, events, env: { HTTP_ALLOWED_HOSTS: '127.0.0.1' } });
  await settings.set('knowledge.embeddings_url', url);
  await settings.set('knowledge.embeddings_model', 'small');
  return { database, settings, events, ...semanticOn({ database, settings, events }) };
}

export function semanticOn({ database, settings, events, builtin = new BuiltinModel() }: SemanticParts) {
  const api = new EmbeddingsApi(settings, new OutgoingHttp(settings, new HostResolver()));
  const models = new EmbeddingModels(settings, builtin, api, events);
  const [vectors, collections] = [new VectorStore(database), new Collections()];
  const queries = new QueryEmbeddings(models);
  const meaning = new VectorSearch(models, queries, vectors, collections);
  const embedder = new Embedder(models, collections, vectors, new KeyValueStore(database), events);
  const report = new EmbeddingReport(models, collections, vectors, embedder, queries);
  return { meaning, embedder, report, models, vectors };
}
