import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Kysely, sql } from 'kysely';
import { LogFlusher, NodeSqliteDialect, type NodeSqliteOptions } from '#kysely-node-sqlite';

interface Tables {
  things: { id: number; value: string };
}

describe('a transaction on node:sqlite', () => {
  let folder: string;
  const opened: Kysely<Tables>[] = [];
  const troubles: string[] = [];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'kysely-node-sqlite-'));
    troubles.length = 0;
  });
  afterEach(async () => {
    for (const db of opened.splice(0)) await db.destroy();
    rmSync(folder, { recursive: true });
  });

  const file = () => join(folder, 'test.db');
  async function openFile(options: NodeSqliteOptions = {}) {
    const dialect = new NodeSqliteDialect(file(), { onTrouble: (trouble) => troubles.push(trouble), ...options });
    const db = new Kysely<Tables>({ dialect });
    opened.push(db);
    await sql`create table if not exists things (id integer primary key, value text)`.execute(db);
    return db;
  }
  const insert = (db: Kysely<Tables>, id: number | bigint, value = 'x') =>
    db
      .insertInto('things')
      .values({ id: id as number, value })
      .execute();
  /** Reads what is committed, as another process would. */
  const committed = () => {
    const other = new DatabaseSync(file(), { readOnly: true });
    const rows = other.prepare('select id from things order by id').all();
    other.close();
    return rows.map(({ id }) => id);
  };

  it('works as before after a row id above 2^53', async () => {
    const db = await openFile();
    const beyond = 2n ** 53n + 1n;
    const [result] = await insert(db, beyond);
    expect(result?.insertId).toBe(beyond);
    await sql`delete from things where id = ${beyond}`.execute(db);
    await db.transaction().execute((transaction) => insert(transaction, 1));
    await insert(db, 2);
    expect(committed()).toEqual([1, 2]);
  });

  it('survives a full-text index that writes row ids above 2^53', async () => {
    const db = await openFile();
    await sql`create virtual table words using fts5(text, content='', contentless_delete=1)`.execute(db);
    for (let round = 0; round < 200; round++) {
      await db.transaction().execute(async (transaction) => {
        await sql`delete from words where rowid = ${round % 2}`.execute(transaction);
        await sql`insert into words (rowid, text) values (${round % 2}, ${`word${round}`})`.execute(transaction);
        await insert(transaction, round);
      });
    }
    expect(committed()).toHaveLength(200);
  });

  it('is rolled back and reported when it was begun by a statement and never ended', async () => {
    const db = await openFile();
    await sql`begin immediate`.execute(db);
    await insert(db, 1);
    expect(committed()).toEqual([1]);
    expect(troubles).toEqual([expect.stringContaining('in the middle of a transaction')]);
  });

  it('refuses further statements, instead of running them outside, when SQLite has rolled it back', async () => {
    const db = await openFile();
    const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(db);
    await sql.raw(`pragma max_page_count = ${rows[0]?.page_count}`).execute(db);
    const careless = db.transaction().execute(async (transaction) => {
      await insert(transaction, 1);
      await insert(transaction, 2, 'a'.repeat(1e6)).catch(() => undefined);
      await insert(transaction, 3);
    });
    await expect(careless).rejects.toThrow('the transaction is over');
    expect(committed()).toEqual([]);
    await insert(db, 4);
    expect(committed()).toEqual([4]);
  });

  it('is rolled back and reported when it hangs, and blocks nobody', async () => {
    const db = await openFile({ idleTransactionMs: 100 });
    const never = new Promise<void>(() => undefined);
    const hanging = db.transaction().execute(async (transaction) => {
      await insert(transaction, 1);
      await Promise.race([never, new Promise((wake) => setTimeout(wake, 1_000))]);
      await insert(transaction, 2);
    });
    await new Promise((wake) => setTimeout(wake, 20));
    await insert(db, 3);
    expect(troubles).toEqual([expect.stringContaining('it was idle for 100 ms')]);
    await expect(hanging).rejects.toThrow('the transaction was rolled back');
    expect(committed()).toEqual([3]);
  });

  describe('while another process writes', () => {
    let other: DatabaseSync;
    const lock = () => {
      other = new DatabaseSync(file());
      other.exec('begin immediate');
    };

    it('waits without blocking the process or readers, and then continues', async () => {
      const db = await openFile({ patienceMs: 250_000 }); // for busy machines
      lock();
      const writes = [insert(db, 1), db.transaction().execute((transaction) => insert(transaction, 2))];
      let ticks = 0;
      const ticking = setInterval(() => (ticks += 1), 1);
      for (let read = 0; read < 10; read++) {
        expect(await db.selectFrom('things').select('id').execute()).toEqual([]);
        await new Promise((wake) => setTimeout(wake, 10));
      }
      expect(ticks).toBeGreaterThan(5);
      clearInterval(ticking);
      other.exec('rollback');
      await Promise.all(writes);
      other.close();
      expect(committed()).toEqual([1, 2]);
    });

    it('gives up after a while, with the error of SQLite', async () => {
      const db = await openFile({ patienceMs: 50 });
      lock();
      await expect(insert(db, 1)).rejects.toMatchObject({ code: 'ERR_SQLITE_ERROR', errcode: 5 });
      const transaction = db.transaction().execute((inner) => insert(inner, 2));
      await expect(transaction).rejects.toMatchObject({ code: 'ERR_SQLITE_ERROR', errcode: 5 });
      other.exec('rollback');
      other.close();
      await insert(db, 3);
      expect(committed()).toEqual([3]);
    });
  });

  it('lets other work be done before the next one begins', async () => {
    const db = new Kysely<Tables>({ dialect: new NodeSqliteDialect(':memory:') });
    opened.push(db);
    await sql`create table things (id integer primary key, value text)`.execute(db);
    let turns = 0;
    let isOver = false;
    const count = () => {
      turns += 1;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    await Promise.all([1, 2, 3, 4, 5].map((id) => db.transaction().execute((transaction) => insert(transaction, id))));
    isOver = true;
    expect(turns).toBeGreaterThanOrEqual(4);
  });

  it('does not make others wait for ever', async () => {
    const db = await openFile({ patienceMs: 50 });
    const end = Promise.withResolvers<void>();
    const long = db.transaction().execute(async (transaction) => {
      await insert(transaction, 1);
      await end.promise;
    });
    await new Promise((wake) => setTimeout(wake, 10));
    await expect(insert(db, 2)).rejects.toMatchObject({ code: 'ERR_SQLITE_ERROR', errcode: 5 });
    end.resolve();
    await long;
    expect(committed()).toEqual([1]);
  });

  describe('and the log on the disk', () => {
    /** Completes a sync to disk when the test says so. */
    class SlowFlusher extends LogFlusher {
      readonly syncs: PromiseWithResolvers<void>[] = [];
      protected override sync(): Promise<void> {
        const sync = Promise.withResolvers<void>();
        this.syncs.push(sync);
        return sync.promise;
      }
    }
    const open = async () => {
      let flusher: SlowFlusher | undefined;
      await openFile(); // creates the table
      const db = await openFile({ flusher: (path) => (flusher = new SlowFlusher(path)) });
      if (!flusher) throw new Error('it was not opened');
      return { db, syncs: flusher.syncs };
    };
    const settled = async (promise: Promise<unknown>) => {
      const pending = Symbol();
      return (await Promise.race([promise, new Promise((wake) => setTimeout(wake, 20, pending))])) !== pending;
    };

    it.each([
      ['a statement', (db: Kysely<Tables>) => insert(db, 1)],
      ['a transaction', (db: Kysely<Tables>) => db.transaction().execute((transaction) => insert(transaction, 1))],
      [
        'a statement that returns rows',
        (db: Kysely<Tables>) => db.insertInto('things').values({ id: 1, value: 'x' }).returning('id').execute(),
      ],
    ])('%s is acknowledged when it is on the disk, and others can read meanwhile', async (_title, write) => {
      const { db, syncs } = await open();
      const writing = write(db);
      expect(await settled(writing)).toBe(false);
      expect(await db.selectFrom('things').select('id').execute()).toEqual([{ id: 1 }]);
      syncs[0]?.resolve();
      await writing;
    });

    it('is flushed once for all who write during a flush', async () => {
      const { db, syncs } = await open();
      const writes = [1, 2, 3, 4, 5].map((id) => insert(db, id));
      expect(await settled(Promise.all(writes))).toBe(false);
      expect(syncs).toHaveLength(1);
      syncs[0]?.resolve();
      await writes[0];
      // The other writes may have come after the start of the first flush.
      expect(await settled(Promise.all(writes))).toBe(false);
      expect(syncs).toHaveLength(2);
      syncs[1]?.resolve();
      await Promise.all(writes);
      expect(syncs).toHaveLength(2);
    });

    it('fails the write whose flush fails, but not later reads and writes', async () => {
      const { db, syncs } = await open();
      const write = insert(db, 1);
      await settled(write);
      syncs[0]?.reject(new Error('EIO'));
      await expect(write).rejects.toThrow('EIO');
      await db.selectFrom('things').select('id').execute();
      const later = insert(db, 2);
      await settled(later);
      syncs[1]?.resolve();
      await later;
    });

    it('is not flushed for statements that only read or change nothing', async () => {
      const { db, syncs } = await open();
      await db.selectFrom('things').select('id').execute();
      await db.deleteFrom('things').where('id', '=', 99).execute();
      expect(syncs).toHaveLength(0);
    });
  });
});
