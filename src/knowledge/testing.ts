import type { Database } from '../database/database.js';
import { recordedEvents } from '../events/testing.js';
import { provideKnowledge } from './standalone-knowledge.js';

/** The knowledge base on a database, and what it told others. */
export function knowledgeOn(database: Database) {
  const { events, sent } = recordedEvents();
  return { knowledge: provideKnowledge(database, events), events, sent };
}
