import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Generated, Kysely, sql } from 'kysely';
import { LogCheckpoints } from './log-checkpoints.js';
import { NodeSqliteDialect } from './node-sqlite.dialect.js';

interface Tables {
  things: { id: Generated<number>; value: string };
}

const LARGE = 'x'.repeat(1_000_000);
let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'checkpoints-'))));
afterEach(() => rmSync(folder, { recursive: true }));

const undisturbed = async (work: () => Promise<unknown>) => void (await work());
const sizeOf = (path: string) => statSync(path).size;
async function until(isTrue: () => boolean): Promise<void> {
  for (let tries = 0; !isTrue() && tries < 6_000; tries += 1) await pause(10);
  expect(isTrue()).toBe(true);
}

async function filled(path: string, checkpointAfterMs: number, megabytes = 10): Promise<Kysely<Tables>> {
  const db = new Kysely<Tables>({ dialect: new NodeSqliteDialect(path, { checkpointAfterMs }) });
  await sql`create table things (id integer primary key, value text not null)`.execute(db);
  for (let count = 0; count < megabytes; count += 1) await db.insertInto('things').values({ value: LARGE }).execute();
  return db;
}

describe('moving the log into the database', () => {
  it('is left to another thread, which does it after a while', async () => {
    const path = join(folder, 'test.db');
    const db = await filled(path, 60_000);
    // 10 MB are in the WAL: the writing thread has checkpointed none of them.
    expect([sizeOf(path) < 100_000, sizeOf(`${path}-wal`) > 10_000_000]).toEqual([true, true]);
    const checkpoints = new LogCheckpoints(path, 0, undisturbed);
    checkpoints.due();
    await until(() => sizeOf(path) > 10_000_000);
    await checkpoints.idle();
    await checkpoints.close();
    await db.destroy();
  });

  it.each([
    [10, 0],
    [20, 1],
  ])('with a log of %i MB waits %i times until nobody changes the database', async (megabytes, times) => {
    const path = join(folder, 'test.db');
    const db = await filled(path, 60_000, megabytes);
    const changed = async () => void (await db.insertInto('things').values({ value: LARGE }).execute());
    let waited = 0;
    const checkpoints = new LogCheckpoints(path, 0, async (work) => {
      waited += 1;
      await changed(); // adds frames that the first part has not copied
      const before = sizeOf(`${path}-wal`);
      await work();
      await changed();
      expect(sizeOf(`${path}-wal`)).toBe(before); // restarted from its beginning
    });
    checkpoints.due();
    await until(() => sizeOf(path) > megabytes * 1_000_000);
    await until(() => waited === times);
    await pause(10);
    await checkpoints.idle();
    expect(waited).toBe(times);
    await checkpoints.close();
    await db.destroy();
  });

  it('happens by itself after a change', async () => {
    const path = join(folder, 'test.db');
    const db = await filled(path, 1);
    await until(() => sizeOf(path) > 10_000_000);
    await db.destroy();
  });

  it('ends with the database, and keeps all changes', async () => {
    const path = join(folder, 'test.db');
    await (await filled(path, 1)).destroy();
    const again = new Kysely<Tables>({ dialect: new NodeSqliteDialect(path) });
    expect((await again.selectFrom('things').select('id').execute()).length).toBe(10);
    await again.destroy();
  });

  it('continues after a failure of its thread', async () => {
    const path = join(folder, 'later', 'test.db');
    const checkpoints = new LogCheckpoints(path, 0, undisturbed);
    checkpoints.due(); // fails: the folder does not exist
    await pause(10);
    await checkpoints.idle();
    mkdirSync(join(folder, 'later'));
    const db = await filled(path, 60_000);
    await until(() => {
      checkpoints.due();
      return sizeOf(path) > 10_000_000;
    });
    await checkpoints.close();
    await db.destroy();
  });
});
