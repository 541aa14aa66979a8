import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { prepareDataFolder, prepareLockFile } from './data-folder.js';
import { openEmbeddedDatabase } from './open-database.js';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';

describe('the data folder', () => {
  let parent: string;
  let umask: number;
  beforeEach(() => {
    parent = temporaryFolder();
    umask = process.umask(0o022);
  });
  afterEach(() => void process.umask(umask));

  const rights = (path: string) => (statSync(path).mode & 0o777).toString(8);

  it('is readable only by its owner, with everything in it, while the database is in use', async () => {
    const folder = join(parent, 'a', 'b');
    const database = await openEmbeddedDatabase(folder);
    await sql`insert into facts values ('a', 'b', 'c')`.execute(database);
    const files = readdirSync(folder);
    expect(files).toEqual(expect.arrayContaining(['agent-service.db', 'agent-service.db-wal', 'agent-service.db-shm']));
    expect([folder, ...files.map((name) => join(folder, name))].map(rights)).toEqual([
      '700',
      ...files.map(() => '600'),
    ]);
    await database.destroy();
  });

  it('is closed to others where an older version left it open', () => {
    const files = ['agent-service.db', 'agent-service.db-wal', 'agent-service.db-shm', 'secrets.key'];
    for (const name of files) writeFileSync(join(parent, name), '', { mode: 0o644 });
    chmodSync(parent, 0o755);
    prepareDataFolder(parent);
    expect([parent, ...files.map((name) => join(parent, name))].map(rights)).toEqual([
      '700',
      ...files.map(() => '600'),
    ]);
  });

  it('stays as open as it is when it holds files that are not ours', () => {
    chmodSync(parent, 0o755);
    mkdirSync(join(parent, 'something-else'));
    const files = [prepareLockFile(parent), prepareDataFolder(parent), prepareDataFolder(parent)];
    expect([parent, ...files].map(rights)).toEqual(['755', '600', '600', '600']);
  });

  it('is closed to others by whatever comes first in it', () => {
    chmodSync(parent, 0o755);
    prepareLockFile(parent);
    chmodSync(parent, 0o755);
    prepareDataFolder(parent);
    expect(rights(parent)).toBe('700');
  });

  it('gives a clear error when it cannot be written', () => {
    const file = join(parent, 'file');
    writeFileSync(file, '');
    expect(() => prepareDataFolder(file)).toThrow(/the data folder .* is not writable \((EEXIST|ENOTDIR)\)/);
  });
});
