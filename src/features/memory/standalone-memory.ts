import { EventEmitter2 } from '@nestjs/event-emitter';
import type { Database } from '../../platform/database/database.js';
import { EventBus } from '../../platform/events/event-bus.service.js';
import { SemanticSearch, NoSemanticSearch } from '../semantic/semantic-search.js';
import { SemanticEntries } from './semantic-entries.service.js';
import { EntryVectors } from './entry-vectors.store.js';
import { MemoryHistoryStore } from './memory-history.store.js';
import { MemoryNameStore } from './memory-names.store.js';
import { MemoryService } from './memory.service.js';
import { MemoryStore } from './memory.store.js';

/**
 * Builds the memory without the application around it, for benchmarks and tests; by default without listeners to its events, and
 * with searches by words only.
 */
export function provideMemory(
  database: Database,
  events = new EventBus(new EventEmitter2()),
  meaning: SemanticSearch = new NoSemanticSearch(),
): MemoryService {
  const entries = new SemanticEntries(meaning, new EntryVectors(database));
  entries.onModuleInit();
  const [histories, names] = [new MemoryHistoryStore(database), new MemoryNameStore(database)];
  return new MemoryService(new MemoryStore(database), histories, names, entries, events);
}
