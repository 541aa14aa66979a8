import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Environment } from '../environment/environment.js';
import { DataFolderLock } from './data-folder-lock.js';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';

describe('the lock on a data folder', () => {
  let DATA_DIR: string;
  beforeEach(() => void (DATA_DIR = temporaryFolder()));
  const environment = (more: Partial<Environment> = {}) => Object.assign(new Environment(), { DATA_DIR, ...more });

  it('is taken over from a process that was killed, and not before', async () => {
    const script =
      "const { DatabaseSync } = require('node:sqlite');" +
      `const lock = new DatabaseSync(${JSON.stringify(join(DATA_DIR, 'service.lock'))});` +
      "lock.exec('pragma locking_mode = exclusive; begin exclusive'); console.log('locked'); setInterval(() => {}, 1e6);";
    const other = spawn(process.execPath, ['-e', script]);
    await once(other.stdout, 'data');
    let isOurs = false;
    const taken = DataFolderLock.take(environment(), Infinity).then((lock) => {
      isOurs = true;
      return lock;
    });
    await new Promise((resolve) => setTimeout(resolve, 250));
    expect(isOurs).toBe(false);
    other.kill('SIGKILL');
    (await taken).release();
  });

  it('is waited for only so long, fails with what to do, and is taken once the other process has released it', async () => {
    const first = await DataFolderLock.take(environment());
    await expect(DataFolderLock.take(environment(), 0)).rejects.toThrow(
      `another process of the service uses the data folder ${DATA_DIR}: stop it`,
    );
    first.release();
    first.release();
    (await DataFolderLock.take(environment(), 0)).release();
  });

  it('is not waited for when the file cannot be locked at all', async () => {
    await writeFile(join(DATA_DIR, 'service.lock'), 'text '.repeat(1_000));
    await expect(DataFolderLock.take(environment(), 0)).rejects.toThrow(
      `the data folder ${DATA_DIR} is not writable (service.lock: file is not a database): make it writable`,
    );
  });

  it('says so when the path of the folder is too long for SQLite', async () => {
    const long = join(DATA_DIR, ...Array.from({ length: 5 }, () => 'x'.repeat(200)));
    await expect(DataFolderLock.take(environment({ DATA_DIR: long }), 0)).rejects.toThrow(
      `the data folder ${long} is not writable (service.lock: unable to open database file)`,
    );
  });

  it('is of no use on PostgreSQL, where replicas share everything', async () => {
    const lock = await DataFolderLock.take(environment({ DATABASE_URL: 'postgres://db/service' }));
    expect(await readdir(DATA_DIR)).toEqual([]);
    lock.release();
  });
});
