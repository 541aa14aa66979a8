import type { Database } from './database.js';
import { openSqlite } from './open-database.js';

/** A migrated database of its own for each test. */
export const memoryDatabase = (): Promise<Database> => openSqlite(':memory:');
