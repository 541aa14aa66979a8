import type { Database } from '../../src/platform/database/database.js';
import { openPostgres } from '../../src/platform/database/open-database.js';
import { newPostgresDatabase } from '../../src/platform/database/testing.js';

/** Tests that need a PostgreSQL server; skipped when the test run has not started one. */
export function describeOnPostgres(title: string, tests: (serverUrl: string) => void): void {
  const serverUrl = process.env['TEST_POSTGRES_URL'];
  (serverUrl === undefined ? describe.skip : describe)(title, () => tests(serverUrl ?? ''));
}

type Hook = (work: () => Promise<unknown>) => void;

const describer = (before: Hook, after: Hook) => (title: string, tests: (database: { readonly url: string }) => void) =>
  describeOnPostgres(title, (serverUrl) => {
    const database = { url: '', drop: async () => {} };
    before(async () => Object.assign(database, await newPostgresDatabase(serverUrl)));
    tests(database);
    after(() => database.drop()); // after the hooks of the tests, which stop what uses the database
  });

/** Tests that share a new PostgreSQL database, whose URL is known when they run; skipped as above. */
export const describeOnNewPostgres = describer(beforeAll, afterAll);

/** Tests that each have a new PostgreSQL database; skipped as above. */
export const describeEachOnNewPostgres = describer(beforeEach, afterEach);

/** Tests with two connections to one new PostgreSQL database, each of which acts as a replica; skipped as above. */
export function describeReplicas(title: string, tests: (databases: readonly Database[]) => void): void {
  describeOnNewPostgres(title, (created) => {
    const databases: Database[] = [];
    beforeAll(async () => void databases.push(await openPostgres(created.url), await openPostgres(created.url)));
    afterAll(async () => {
      for (const database of databases) await database.destroy();
    });
    tests(databases);
  });
}
