import { appliedMigrations } from '../../platform/database/migrations.js';
import { runOnDatabase } from './command.js';

// Opening the database has already brought its schema up to date.
await runOnDatabase(
  { usage: 'npm run migrate', operands: [], options: {} },
  async (database) => `The schema is up to date: ${(await appliedMigrations(database)).join(', ')}`,
);
