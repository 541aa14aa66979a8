import type { Database } from '../database/database.js';
import { recordedEvents } from '../events/testing.js';
import { MeaningSearch, NoMeaningSearch } from '../semantic/meaning-search.js';
import { EntryMeaning } from './entry-meaning.service.js';
import { EntryVectors } from './entry-vectors.store.js';
import { MemoryHistoryStore } from './memory-history.store.js';
import { MemoryNameStore } from './memory-names.store.js';
import { MemoryService } from './memory.service.js';
import { MemoryStore } from './memory.store.js';

/** Builds a memory on a database, by default without searches by meaning, and records the events that it sends. */
export function memoryOn(database: Database, meaning: MeaningSearch = new NoMeaningSearch()) {
  const { events, sent } = recordedEvents();
  const entries = new EntryMeaning(meaning, new EntryVectors(database));
  entries.onModuleInit();
  const [histories, names] = [new MemoryHistoryStore(database), new MemoryNameStore(database)];
  return { memory: new MemoryService(new MemoryStore(database), histories, names, entries, events), sent };
}
