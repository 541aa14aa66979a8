import type { Database } from '../database/database.js';
import { recordedEvents } from '../events/testing.js';
import { KnowledgeSearch } from './knowledge-search.service.js';
import { KnowledgeService } from './knowledge.service.js';
import { KnowledgeStore } from './knowledge.store.js';
import { PassageStore } from './passage.store.js';

/** The knowledge base on a database, and what it told others. */
export function knowledgeOn(database: Database) {
  const { events, sent } = recordedEvents();
  const search = new KnowledgeSearch(new PassageStore(database));
  return { knowledge: new KnowledgeService(new KnowledgeStore(database), search, events), sent };
}
