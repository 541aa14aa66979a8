import { Module } from '@nestjs/common';
import { ConfigModule } from '../../platform/config/config.module.js';
import { DatabaseModule } from '../../platform/database/database.module.js';
import { EventsModule } from '../../platform/events/events.module.js';
import { OutgoingHttpModule } from '../../platform/outgoing-http/outgoing-http.module.js';
import { Collections } from './collections.service.js';
import { Embedder } from './embedder.service.js';
import { EmbeddingReport } from './embedding-report.service.js';
import { SemanticSearch } from './semantic-search.js';
import { BuiltinModel } from './models/builtin-model.service.js';
import { EmbeddingModels } from './models/embedding-models.service.js';
import { EmbeddingsApi } from './models/embeddings-api.service.js';
import { QueryEmbeddings } from './query-embeddings.service.js';
import { VectorSearch } from './vector-search.service.js';
import { VectorStore } from './vector.store.js';

@Module({
  imports: [ConfigModule, DatabaseModule, EventsModule, OutgoingHttpModule],
  providers: [
    Collections,
    BuiltinModel,
    EmbeddingsApi,
    EmbeddingModels,
    Embedder,
    EmbeddingReport,
    QueryEmbeddings,
    VectorStore,
    { provide: SemanticSearch, useClass: VectorSearch },
  ],
  exports: [SemanticSearch, EmbeddingReport],
})
export class SemanticModule {}
