import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '../../src/platform/database/database.js';
import { openEmbeddedDatabase, openPostgres } from '../../src/platform/database/open-database.js';
import { newPostgresDatabase } from '../../src/platform/database/testing.js';
import type { DialectName } from '../../src/platform/sql/dialect.js';

const serverUrl = process.env['TEST_POSTGRES_URL'];

/** The databases that there are on this machine. */
export const DATABASES: readonly DialectName[] = serverUrl === undefined ? ['sqlite'] : ['sqlite', 'postgres'];

/** Where the service of a test keeps its data: a folder, and a database of PostgreSQL if it is about one. */
export class ServiceData {
  dir = '';
  private postgres: Awaited<ReturnType<typeof newPostgresDatabase>> | undefined;

  constructor(readonly dialect: DialectName) {}

  async create(): Promise<void> {
    this.dir = await mkdtemp(join(tmpdir(), 'agent-service-'));
    if (this.dialect === 'postgres') this.postgres = await newPostgresDatabase(serverUrl ?? '');
  }

  async remove(): Promise<void> {
    await this.postgres?.drop();
    await rm(this.dir, { recursive: true, force: true });
  }

  /** Begins anew, for a test that wants to find nothing. */
  async renew(): Promise<void> {
    await this.remove();
    await this.create();
  }

  /** What tells the service where they are. */
  get env(): Record<string, string> {
    return { DATA_DIR: this.dir, ...(this.postgres && { DATABASE_URL: this.postgres.url }) };
  }

  /** Opens the database beside the service. */
  async open(): Promise<Database> {
    return this.postgres ? openPostgres(this.postgres.url) : openEmbeddedDatabase(this.dir);
  }
}

/** Runs tests on SQLite, and on PostgreSQL where the test run has one, with data that last for all of them. */
export function describeOnEachDatabase(title: string, tests: (data: ServiceData) => void): void {
  describe.each(DATABASES)(`${title} on %s`, (dialect) => {
    const data = new ServiceData(dialect);
    beforeAll(() => data.create());
    tests(data);
    // After the hooks of the tests, which end what uses the data.
    afterAll(() => data.remove());
  });
}
