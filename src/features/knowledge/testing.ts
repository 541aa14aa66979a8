import type { Database } from '../../platform/database/database.js';
import { recordedEvents } from '../../platform/events/testing.js';
import { PassageMaker } from './passages/passage-maker.service.js';
import { provideKnowledge } from './standalone-knowledge.js';
import { KnowledgeTrash } from './trash/knowledge-trash.service.js';
import { TrashStore } from './trash/trash.store.js';

/** Builds a knowledge base with its trash on a database, and records the events that it sends. */
export function knowledgeOn(database: Database) {
  const { events, sent } = recordedEvents();
  const trash = new KnowledgeTrash(new TrashStore(database), new PassageMaker(), events);
  return { knowledge: provideKnowledge(database, events), trash, events, sent };
}
