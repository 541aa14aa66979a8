import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import { Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { sql } from 'kysely';
import { Environment, parseEnvironment } from '../environment/environment.js';
import { DataDirNotWritable, DatabaseUnreachable, SchemaTooNew } from './database.errors.js';
import { Database } from './database.js';
import { DatabaseModule } from './database.module.js';
import { openDatabase, openEmbeddedDatabase } from './open-database.js';
import { describeEachDatabase, everythingIn, memoryDatabase } from './testing.js';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';

describe('the embedded database', () => {
  let directory: string;
  beforeEach(() => void (directory = temporaryFolder()));

  it('creates its folder and keeps its data', async () => {
    const path = join(directory, 'a', 'b');
    const first = await openEmbeddedDatabase(path);
    await first.insertInto('facts').values({ name: 'x', value: 'y', updated_at: '' }).execute();
    await first.destroy();
    const second = await openEmbeddedDatabase(path);
    expect(await second.selectFrom('facts').select('value').execute()).toEqual([{ value: 'y' }]);
    await second.destroy();
  });

  it('can be opened by a second process while the first uses it', async () => {
    const first = await openEmbeddedDatabase(directory);
    const second = await openEmbeddedDatabase(directory);
    await second.insertInto('facts').values({ name: 'x', value: 'y', updated_at: '' }).execute();
    expect(await first.selectFrom('facts').select('value').execute()).toEqual([{ value: 'y' }]);
    await Promise.all([first.destroy(), second.destroy()]);
  });

  it('is not silently used in place of a PostgreSQL that does not answer', async () => {
    const url = 'postgres://agent:hunter2@127.0.0.1:1/agents';
    const environment = parseEnvironment({ DATABASE_URL: url, DATA_DIR: directory });
    const opening = openDatabase(environment);
    await expect(opening).rejects.toThrow(DatabaseUnreachable);
    await expect(opening).rejects.toThrow(
      /database at 127\.0\.0\.1:1\/agents can't be used \(ECONNREFUSED\): check DATABASE_URL/,
    );
    await expect(opening).rejects.not.toThrow(/hunter2/);
  });

  it.each([
    ['a /', 'postgres://app:hid@den/rest@127.0.0.1:1/d'],
    ['a / behind digits', 'postgres://hidden:12/rest@127.0.0.1:1/d'],
    ['a ?', 'postgres://app:hid@den?rest@127.0.0.1:1/d'],
    ['a #', 'postgres://app:hid@den#rest@127.0.0.1:1/d'],
    ['a # that leaves no URL', 'postgres://app:hidden#rest@127.0.0.1:1/d'],
  ])('reveals nothing of a password with %s in the URL, and explains how to write it', (_title, url) => {
    const { message } = new DatabaseUnreachable(url, 'ENOTFOUND');
    expect(message).not.toMatch(/hid|den|rest|12/);
    expect(message).toContain('in its password, write @ as %40, / as %2F, : as %3A, # as %23 and ? as %3F');
  });

  it('names the file of certificates that it cannot read', async () => {
    const DATABASE_URL = 'postgres://agent:hunter2@127.0.0.1:1/agents?sslmode=verify-full&sslrootcert=/missing/ca.pem';
    const opening = openDatabase(parseEnvironment({ DATABASE_URL, DATA_DIR: directory }));
    await expect(opening).rejects.toThrow(/agents can't be used \(ENOENT: no such file .*'\/missing\/ca.pem'\)/);
    await expect(opening).rejects.not.toThrow(/hunter2/);
  });

  it('reveals nothing of an invalid URL', async () => {
    const DATABASE_URL = 'postgres://app:hidden#rest@127.0.0.1:1/d';
    const opening = openDatabase(parseEnvironment({ DATABASE_URL, DATA_DIR: directory }));
    await expect(opening).rejects.toThrow("the database at DATABASE_URL can't be used (");
    await expect(opening).rejects.not.toThrow(/hidden|rest/);
  });

  it('reveals nothing of a password with an @ in the URL', () => {
    const { message } = new DatabaseUnreachable('postgres://app:hid@den@127.0.0.1:1/d', 'ENOTFOUND');
    expect(message).toContain('the database at 127.0.0.1:1/d ');
  });

  it('names the folder that it cannot write to, and says what to do', async () => {
    const file = join(directory, 'file');
    writeFileSync(file, '');
    const opening = openEmbeddedDatabase(join(file, 'data'));
    await expect(opening).rejects.toThrow(DataDirNotWritable);
    await expect(opening).rejects.toThrow(/^the data folder .*file\/data is not writable \(ENOTDIR\): .*DATA_DIR/);
  });

  it('refuses a schema newer than this version knows', async () => {
    const database = await openEmbeddedDatabase(directory);
    await sql`insert into kysely_migration (name, timestamp) values ('9999-future', '2030-01-01')`.execute(database);
    await database.destroy();
    const opening = openEmbeddedDatabase(directory);
    await expect(opening).rejects.toThrow(SchemaTooNew);
    await expect(opening).rejects.toThrow(
      'written by another version of this service (it has the migrations 9999-future)',
    );
  });

  it('deletes the streams of a deleted session', async () => {
    const database = await memoryDatabase();
    await sql`insert into mcp_sessions values ('s', 'c', 'v', null, null, '{}', null, 0, '', '', null, 0, 0, null)`.execute(
      database,
    );
    await sql`insert into mcp_streams values ('t', 's', '[]', 0, '', null, 'p', 0, 0)`.execute(database);
    await sql`insert into mcp_stream_events values ('t', 1, null)`.execute(database);
    await database.deleteFrom('mcp_sessions').execute();
    expect(await database.selectFrom('mcp_stream_events').selectAll().execute()).toEqual([]);
  });

  it('stays open while the other modules shut down, and is closed in the end', async () => {
    const environment = parseEnvironment({ DATA_DIR: directory });
    let written = false;
    @Module({ imports: [DatabaseModule] })
    class Writer {
      constructor(readonly database: Database) {}
      async onApplicationShutdown() {
        await this.database.insertInto('facts').values({ name: 'end', value: '', updated_at: '' }).execute();
        written = true;
      }
    }
    const app = await Test.createTestingModule({ imports: [Writer] })
      .overrideProvider(Environment)
      .useValue(environment)
      .compile();
    await app.init();
    const database = app.get(Database);
    await app.close();
    expect(written).toBe(true);
    await expect(database.selectFrom('facts').selectAll().execute()).rejects.toThrow('destroyed');
  });
});

describeEachDatabase('what tests search for secrets', (open, dialect) => {
  it('has bytes as text, compressed ones too', async () => {
    const database = await open();
    await sql`create table held (bytes ${sql.raw(dialect === 'sqlite' ? 'blob' : 'bytea')})`.execute(database);
    for (const bytes of [Buffer.from('in clear'), zstdCompressSync(Buffer.from('compressed')), Buffer.alloc(0)])
      await sql`insert into held values (${bytes})`.execute(database);
    expect(await everythingIn(database)).toContain('[{"bytes":"in clear"},{"bytes":"compressed"},{"bytes":""}]');
  });
});
