import { statSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { until } from '../../../test/support/until.js';
import type { Database } from './database.js';
import { DatabaseTrimming } from './database-trimming.service.js';
import { openSqlite } from './open-database.js';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';

const MEGABYTE = 1_000_000;

describe('the embedded database', () => {
  let folder: string;
  let file: string;
  let database: Database;
  beforeEach(async () => {
    folder = temporaryFolder();
    file = join(folder, 'data.db');
    database = await openSqlite(file);
    await sql`create table filling (id integer primary key, bytes blob)`.execute(database);
  });
  afterEach(() => database.destroy());

  const fill = (megabytes: number) =>
    sql`with recursive n(n) as (select 1 union all select n + 1 from n where n < ${megabytes * 100})
      insert into filling (bytes) select zeroblob(10000) from n`.execute(database);
  const empty = () => sql`delete from filling`.execute(database);
  /** Returns the size of the database, in bytes. */
  const size = async () => {
    const { rows } = await sql<{ size: number }>`
      select page_count * page_size as size from pragma_page_count, pragma_page_size`.execute(database);
    return rows[0]?.size ?? 0;
  };
  /** Checkpoints the WAL, unless another thread is doing it, and returns the size of the file. */
  const fileSize = async () => {
    await sql`pragma wal_checkpoint(truncate)`.execute(database);
    return statSync(file).size;
  };

  it('releases the space of deleted rows, except for what is written next', async () => {
    const before = await size();
    await fill(50);
    expect(await size()).toBeGreaterThan(before + 50 * MEGABYTE);
    await empty();
    expect(await size()).toBeGreaterThan(before + 50 * MEGABYTE);
    await new DatabaseTrimming(database).tick();
    expect(await size()).toBeLessThan(before + 10 * MEGABYTE);
    expect(await size()).toBeGreaterThan(before + 4 * MEGABYTE);
    await until(async () => (await fileSize()) < before + 10 * MEGABYTE);
  });

  it('keeps little free space', async () => {
    await fill(4);
    const before = await size();
    await empty();
    await new DatabaseTrimming(database).tick();
    expect(await size()).toBe(before);
  });

  it('stops when the service stops', async () => {
    await fill(50);
    const before = await size();
    await empty();
    const trimming = new DatabaseTrimming(database);
    const ticking = trimming.tick();
    await trimming.onApplicationShutdown();
    await ticking;
    expect(await size()).toBeGreaterThan(before - 2 * MEGABYTE);
  });
});
