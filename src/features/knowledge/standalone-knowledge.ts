import { EventEmitter2 } from '@nestjs/event-emitter';
import type { Database } from '../../platform/database/database.js';
import { EventBus } from '../../platform/events/event-bus.service.js';
import { SemanticSearch, NoSemanticSearch } from '../semantic/semantic-search.js';
import { DocumentHistoryStore } from './documents/document-history.store.js';
import { KnowledgeSearch } from './knowledge-search.service.js';
import { KnowledgeService } from './knowledge.service.js';
import { KnowledgeStore } from './knowledge.store.js';
import { PassageMaker } from './passages/passage-maker.service.js';
import { PassageVectors } from './passages/passage-vectors.store.js';
import { PassageStore } from './passages/passage.store.js';

/**
 * Builds the knowledge base without the application around it, for commands and benchmarks; by default without listeners to its
 * events, and with searches by words only.
 */
export function provideKnowledge(
  database: Database,
  events = new EventBus(new EventEmitter2()),
  meaning: SemanticSearch = new NoSemanticSearch(),
): KnowledgeService {
  const search = new KnowledgeSearch(new PassageStore(database), new PassageVectors(database), meaning);
  search.onModuleInit();
  const [store, histories] = [new KnowledgeStore(database), new DocumentHistoryStore(database)];
  return new KnowledgeService(store, histories, search, new PassageMaker(), events);
}
