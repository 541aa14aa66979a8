import { EventEmitter2 } from '@nestjs/event-emitter';
import type { Database } from '../database/database.js';
import { EventBus } from '../events/event-bus.service.js';
import { KnowledgeSearch } from './knowledge-search.service.js';
import { KnowledgeService } from './knowledge.service.js';
import { KnowledgeStore } from './knowledge.store.js';
import { PassageMaker } from './passages/passage-maker.service.js';
import { PassageStore } from './passages/passage.store.js';
import { NoMeaningSearch } from './semantic/meaning-search.js';

/**
 * Builds the knowledge base without the application around it, for commands and benchmarks; by default nobody listens
 * to its events.
 */
export function provideKnowledge(database: Database, events = new EventBus(new EventEmitter2())): KnowledgeService {
  const search = new KnowledgeSearch(new PassageStore(database), new NoMeaningSearch());
  return new KnowledgeService(new KnowledgeStore(database), search, new PassageMaker(), events);
}
