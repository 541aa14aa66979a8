import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { jest } from '@jest/globals';
import { type Generated, Kysely, sql } from 'kysely';
import { NodeSqliteReaderDialect } from './node-sqlite-reader.dialect.js';
import { NodeSqliteDialect } from './node-sqlite.dialect.js';
import type { ReadRequest } from './reader-threads.js';

interface Tables {
  things: { id: Generated<number>; value: string };
}

/** Takes a second or more. */
const LONG = sql`with recursive n (i) as (select 1 union all select i + 1 from n where i < 5000000) select count(*) from n`;
let folder: string;
let database: Kysely<Tables>;
let readers: Kysely<Tables>;

/** A long limit, so that even on a busy machine statements time out only in the tests of timeouts. */
async function open(limitMs = 250_000) {
  const path = join(folder, 'test.db');
  database = new Kysely<Tables>({ dialect: new NodeSqliteDialect(path) });
  readers = new Kysely<Tables>({ dialect: new NodeSqliteReaderDialect(path, limitMs) });
  await sql`create table things (id integer primary key, value text not null)`.execute(database);
}

beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'readers-'))));
afterEach(async () => {
  await readers.destroy();
  await database.destroy();
  rmSync(folder, { recursive: true });
});

const count = async () => (await readers.selectFrom('things').select(['id']).execute()).length;

describe('reading in other threads', () => {
  it('sees each change as soon as it is acknowledged, by many at once', async () => {
    await open();
    for (let saved = 1; saved <= 100; saved += 1) {
      await database.insertInto('things').values({ value: 'a' }).execute();
      expect(await Promise.all([count(), count(), count(), count()])).toEqual([saved, saved, saved, saved]);
    }
  });

  it('sees nothing of a transaction that is open', async () => {
    await open();
    await database.transaction().execute(async (transaction) => {
      await transaction.insertInto('things').values({ value: 'a' }).execute();
      expect(await count()).toBe(0);
    });
    expect(await count()).toBe(1);
  });

  it('lets everything else go on, writing too, however long a statement takes', async () => {
    await open();
    // A busy machine may take longer than the statement; if the others waited for it, no try would succeed.
    let isOutpaced = false;
    for (let tries = 1; tries <= 10 && !isOutpaced; tries += 1) {
      let isRead = false;
      const reading = LONG.execute(readers).then(() => (isRead = true));
      await database.insertInto('things').values({ value: 'a' }).execute();
      expect(await count()).toBe(tries);
      isOutpaced = !isRead;
      await reading;
    }
    expect(isOutpaced).toBe(true);
  });

  it('gives up a statement that takes too long, and those behind it are answered', async () => {
    await open(20);
    const long = [LONG, LONG].map((statement) => statement.execute(readers).catch((error: Error) => error));
    for (const outcome of await Promise.all(long)) {
      expect(outcome).toMatchObject({ errcode: 9, message: expect.stringContaining('20 ms') as string });
    }
    // Starting another thread may take longer than the limit.
    const tries = async (): Promise<number> => count().catch(tries);
    expect(await tries()).toBe(0);
  });

  it('drops a statement whose caller has left before a thread could run it', async () => {
    await open();
    const leaving = new AbortController();
    const asked = jest.spyOn(Worker.prototype, 'postMessage');
    const long = [LONG, LONG].map((statement) => statement.execute(readers));
    await nextTurn();
    const connection = { signal: leaving.signal };
    const dropped = sql`select 'dropped'`.execute(readers, connection);
    await nextTurn();
    leaving.abort(new Error('left'));
    await expect(dropped).rejects.toThrow('left');
    await Promise.all(long);
    expect(await count()).toBe(0);
    const statements = asked.mock.calls.map(([request]) => (request as ReadRequest).sql);
    expect(statements).toHaveLength(3);
    expect(statements.join()).not.toContain('dropped');
    asked.mockRestore();
  });

  it('reports what is wrong with a statement as the database itself does', async () => {
    await open();
    const errorOf = (db: Kysely<Tables>) => sql`select x from things`.execute(db).catch((error: Error) => error);
    const [own, others] = [await errorOf(database), await errorOf(readers)];
    expect(others).toMatchObject({ message: (own as Error).message, code: 'ERR_SQLITE_ERROR', errcode: 1 });
  });

  it('writes nothing', async () => {
    await open();
    const writing = readers.insertInto('things').values({ value: 'a' }).execute();
    await expect(writing).rejects.toMatchObject({ errcode: 8, message: expect.stringContaining('readonly') as string });
    await expect(readers.transaction().execute(async () => {})).rejects.toThrow('no transactions');
  });

  it('ends with those that still wait when it is closed', async () => {
    await open();
    const waiting = [1, 2, 3].map(() => LONG.execute(readers).catch((error: Error) => error.message));
    await nextTurn();
    const closing = readers.destroy();
    for (const outcome of await Promise.all(waiting))
      expect(outcome).toMatch(/given up: (the database is closed|its thread ended)/);
    await closing;
  });

  it('returns bytes and numbers as the database itself does', async () => {
    await open();
    const values = sql`select x'00ff' as bytes, 9007199254740991 as large, 1.5 as real, null as none`;
    const [own, others] = [await values.execute(database), await values.execute(readers)];
    expect(others.rows.map((row) => ({ ...(row as object) }))).toEqual(own.rows.map((row) => ({ ...(row as object) })));
  });
});
