import type { Database } from '../../src/platform/database/database.js';
import { openPostgres } from '../../src/platform/database/open-database.js';
import { newPostgresDatabase } from '../../src/platform/database/testing.js';

/** Tests that need a PostgreSQL server; skipped when the test run has not started one. */
export function describeOnPostgres(title: string, tests: (serverUrl: string) => void): void {
  const serverUrl = process.env['TEST_POSTGRES_URL'];
  (serverUrl === undefined ? describe.skip : describe)(title, () => tests(serverUrl ?? ''));
}

/** Tests with two connections to one new PostgreSQL database, each of which acts as a replica; skipped as above. */
export function describeReplicas(title: string, tests: (databases: readonly Database[]) => void): void {
  describeOnPostgres(title, (serverUrl) => {
    const databases: Database[] = [];
    let drop: () => Promise<void>;
    beforeAll(async () => {
      const created = await newPostgresDatabase(serverUrl);
      drop = created.drop;
      databases.push(await openPostgres(created.url), await openPostgres(created.url));
    });
    afterAll(async () => {
      for (const database of databases) await database.destroy();
      await drop();
    });
    tests(databases);
  });
}
