import type { Database } from '../database/database.js';
import { recordedEvents } from '../events/testing.js';
import { MemoryHistoryStore } from './memory-history.store.js';
import { MemoryNameStore } from './memory-names.store.js';
import { MemoryService } from './memory.service.js';
import { MemoryStore } from './memory.store.js';

/** Builds a memory on a database, and records the events that it sends. */
export function memoryOn(database: Database) {
  const { events, sent } = recordedEvents();
  const names = new MemoryNameStore(database);
  return {
    memory: new MemoryService(new MemoryStore(database), new MemoryHistoryStore(database), names, events),
    sent,
  };
}
