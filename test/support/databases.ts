import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '../../src/platform/database/database.js';
import { openEmbeddedDatabase, openPostgres } from '../../src/platform/database/open-database.js';
import { newPostgresDatabase } from '../../src/platform/database/testing.js';
import type { DialectName } from '../../src/platform/sql/dialect.js';

const serverUrl = process.env['TEST_POSTGRES_URL'];

/** The databases that are available on this machine. */
export const DATABASES: readonly DialectName[] = serverUrl === undefined ? ['sqlite'] : ['sqlite', 'postgres'];

/** The storage of a service under test: a data folder, and a PostgreSQL database if the test is about PostgreSQL. */
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

  /** Replaces the storage with an empty one. */
  async renew(): Promise<void> {
    await this.remove();
    await this.create();
  }

  /** The environment variables that point the service to this storage. */
  get env(): Record<string, string> {
    return { DATA_DIR: this.dir, ...(this.postgres && { DATABASE_URL: this.postgres.url }) };
  }

  /** Opens a second connection to the database of the service. */
  async open(): Promise<Database> {
    return this.postgres ? openPostgres(this.postgres.url) : openEmbeddedDatabase(this.dir);
  }
}

/** Runs tests on SQLite, and on PostgreSQL where available; all tests of a suite share the data. */
export function describeOnEachDatabase(title: string, tests: (data: ServiceData) => void): void {
  describe.each(DATABASES)(`${title} on %s`, (dialect) => {
    const data = new ServiceData(dialect);
    beforeAll(() => data.create());
    tests(data);
    // Registered first, so it runs after the hooks of the tests, which stop what uses the data.
    afterAll(() => data.remove());
  });
}
