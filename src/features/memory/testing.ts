import type { Database } from '../../platform/database/database.js';
import { recordedEvents } from '../../platform/events/testing.js';
import { SemanticSearch } from '../semantic/semantic-search.js';
import { provideMemory } from './standalone-memory.js';

/** Builds a memory on a database, by default without semantic search, and records the events that it sends. */
export function memoryOn(database: Database, meaning?: SemanticSearch) {
  const { events, sent } = recordedEvents();
  return { memory: provideMemory(database, events, meaning), sent };
}
