import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { knowledgeOn } from '../src/features/knowledge/testing.js';
import { runCommand } from './harness/run-command.js';
import { ServerProcess } from './harness/server-process.js';
import { describeOnEachDatabase } from './support/databases.js';
import { temporaryFolder } from './support/temporary-folder.js';

describeOnEachDatabase('npm run export and npm run import', (data) => {
  let folder: string;
  beforeEach(async () => {
    await data.renew();
    folder = temporaryFolder();
  });
  const exported = async (env: Record<string, string>, name: string): Promise<string> => {
    const file = join(folder, name);
    // Nothing on stdout, so that an export to /dev/stdout can be imported.
    expect(await runCommand(env, 'export', file)).toMatchObject({ status: 0, output: '' });
    return readFile(file, 'utf8');
  };

  it('move what texts can hold, and take the whole file or nothing', async () => {
    const database = await data.open();
    const content = 'one\u2028two\u2029three\u0085four\rfive "six" \\';
    await knowledgeOn(database).knowledge.save({ title: 'Lines', content });
    await database.destroy();
    const text = await exported(data.env, 'first');
    expect(text).toContain('\u2028two');
    const target = { DATA_DIR: join(folder, 'other') };
    const imported = await runCommand(target, 'import', join(folder, 'first'));
    expect(imported).toMatchObject({ status: 0, lines: [expect.stringMatching(/^Imported \d+ rows/)] });
    expect(await exported(target, 'second')).toBe(text);
    expect(await runCommand(target, 'migrate')).toMatchObject({
      status: 0,
      lines: ['The schema is up to date: 0001-initial'],
    });
    const again = await runCommand(target, 'import', join(folder, 'first'));
    expect(again).toMatchObject({
      status: 1,
      lines: [expect.stringMatching(/^the database is not empty .*--replace/)],
    });
  });

  it('import nothing while a service uses the database', async () => {
    await (await data.open()).destroy();
    await exported(data.env, 'first');
    const server = await ServerProcess.start({ env: { ...data.env, LOG_LEVEL: 'warn' } });
    const replace = () => runCommand(data.env, 'import', join(folder, 'first'), '--replace');
    const refused = await replace();
    expect([refused.status, refused.lines.at(-1)]).toEqual([
      1,
      expect.stringMatching(/another process of the service uses the data folder|a replica uses the database/),
    ]);
    await exported(data.env, 'meanwhile');
    await server.stop();
    expect(await replace()).toMatchObject({ status: 0 });
  });
});

describe('a command that needs the data of a service', () => {
  it('makes none to import a file that does not exist', async () => {
    const DATA_DIR = join(tmpdir(), `no-import-${process.pid}`);
    expect(await runCommand({ DATA_DIR }, 'import', 'no-such-file')).toMatchObject({
      status: 1,
      lines: [expect.stringMatching(/^ENOENT.*no-such-file/)],
    });
    expect(existsSync(DATA_DIR)).toBe(false);
  });

  it.each([
    ['export', ['backup']],
    ['audit-verify', []],
  ])('makes none: %s', async (name, args) => {
    const DATA_DIR = join(tmpdir(), `no-data-${process.pid}`);
    const { status, lines } = await runCommand({ DATA_DIR }, name, ...args);
    expect([status, lines]).toEqual([
      1,
      [expect.stringContaining(`there is no database of the service in ${DATA_DIR}`)],
    ]);
    expect([existsSync(DATA_DIR), existsSync('backup')]).toEqual([false, false]);
  });
});
