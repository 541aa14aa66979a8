import type { Database } from '../../platform/database/database.js';
import { recordedEvents } from '../../platform/events/testing.js';
import { provideKnowledge } from './standalone-knowledge.js';

/** Builds a knowledge base on a database, and records the events that it sends. */
export function knowledgeOn(database: Database) {
  const { events, sent } = recordedEvents();
  return { knowledge: provideKnowledge(database, events), events, sent };
}
