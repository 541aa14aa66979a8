import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SoleOwnership } from './sole-ownership.js';

describe('the owner of an embedded database', () => {
  let folder: string;
  beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'ownership-'))));
  afterEach(() => rm(folder, { recursive: true }));

  it('takes over from a process that was killed, and not before', async () => {
    const file = join(folder, 'runs.lock');
    const script =
      "const { DatabaseSync } = require('node:sqlite');" +
      `const lock = new DatabaseSync(${JSON.stringify(file)});` +
      "lock.exec('pragma locking_mode = exclusive; begin exclusive'); console.log('locked'); setInterval(() => {}, 1e6);";
    const other = spawn(process.execPath, ['-e', script]);
    await once(other.stdout, 'data');
    const ownership = new SoleOwnership(file);
    let isOwner = false;
    const taken = ownership.refresh().then(() => (isOwner = true));
    await new Promise((resolve) => setTimeout(resolve, 250));
    expect(isOwner).toBe(false);
    other.kill('SIGKILL');
    await taken;
    expect(isOwner).toBe(true);
    await ownership.close();
  });

  it('gives a second process up after a time, and says what to do', async () => {
    const file = join(folder, 'runs.lock');
    const first = new SoleOwnership(file);
    await first.refresh();
    const refused = new SoleOwnership(file, 0).refresh();
    await expect(refused).rejects.toThrow('another process of the service uses the data folder');
    await first.close();
  });
});
