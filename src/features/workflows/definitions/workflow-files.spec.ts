import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import { jest } from '@jest/globals';
import type { Database } from '../../../platform/database/database.js';
import { memoryDatabase } from '../../../platform/database/testing.js';
import { parseEnvironment } from '../../../platform/environment/environment.js';
import { until } from '../../../../test/support/until.js';
import { addRun, definitionsOn, workflowText } from './testing.js';
import { WorkflowFiles } from './workflow-files.service.js';
import { temporaryFolder } from '../../../../test/support/temporary-folder.js';

describe('the workflow files', () => {
  let folder: string;
  let closing: (() => Promise<void>)[] = [];
  const logged: string[] = [];

  beforeEach(async () => {
    folder = temporaryFolder();
    for (const level of ['log', 'warn'] as const) {
      jest.spyOn(Logger.prototype, level).mockImplementation((message: unknown) => void logged.push(String(message)));
    }
  });
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
    closing = [];
    logged.length = 0;
    jest.restoreAllMocks();
  });

  async function start(database?: Database, { isWatched = true } = {}) {
    const used = database ?? (await memoryDatabase());
    const { definitions, close } = await definitionsOn(used);
    const files = new WorkflowFiles(parseEnvironment({ WORKFLOWS_DIR: folder }), definitions);
    closing.push(() => files.beforeApplicationShutdown(), close);
    await (isWatched ? files.onApplicationBootstrap() : files.scan(0));
    const names = async () =>
      (await definitions.listPage({ limit: 99 })).items.map(({ name, version }) => `${name} ${version}`);
    return { definitions, files, names, database: used };
  }

  const write = (file: string, text: string) => writeFile(join(folder, file), text);

  it('are workflows from the start on, of source file', async () => {
    await write('one.yaml', workflowText('one'));
    await write('two.YML', workflowText('two'));
    await write('notes.md', 'no workflow');
    await write('.hidden.yaml', workflowText('hidden'));
    await mkdir(join(folder, 'folder.yaml'));
    const { definitions, files, names } = await start();
    expect(await names()).toEqual(['one 1.0.0', 'two 1.0.0']);
    expect(await definitions.get('one')).toMatchObject({ source: 'file', enabled: true });
    expect(files.listBroken()).toEqual([]);
    await expect(files.assertNotFromFile('one')).rejects.toThrow('"one" comes from the file one.yaml');
    await files.assertNotFromFile('three');
  });

  it('that cannot be read are reported once', async () => {
    const reported = jest.spyOn(Logger.prototype, 'error').mockReturnValue(undefined);
    await write('file', '');
    const { definitions, close } = await definitionsOn(await memoryDatabase());
    const files = new WorkflowFiles(parseEnvironment({ WORKFLOWS_DIR: join(folder, 'file') }), definitions);
    closing.push(() => files.beforeApplicationShutdown(), close);
    jest.useFakeTimers();
    await files.onApplicationBootstrap();
    for (let n = 0; n < 3; n += 1) {
      await jest.advanceTimersByTimeAsync(10_000);
      await files.assertNotFromFile('one'); // waits for the scan
    }
    jest.useRealTimers();
    expect(reported).toHaveBeenCalledTimes(1);
  });

  it('that go take their workflows with them, also when the database fails once', async () => {
    await write('one.yaml', workflowText('one'));
    await write('two.yaml', workflowText('two'));
    const { definitions, files, names } = await start(undefined, { isWatched: false });
    await rm(join(folder, 'two.yaml'));
    jest.spyOn(definitions, 'remove').mockRejectedValueOnce(new Error('the connection was lost'));
    await files.scan(0);
    await expect(files.scan(2_000)).rejects.toThrow('the connection was lost');
    await files.scan(2_001);
    expect(await names()).toEqual(['one 1.0.0']);
  });

  it('keep their workflows, also disabled ones, while they are replaced', async () => {
    await write('one.yaml', workflowText('one'));
    const { definitions, files } = await start(undefined, { isWatched: false });
    await definitions.setEnabled('one', false);
    for (const atMs of [0, 10_000]) {
      await rm(join(folder, 'one.yaml'));
      await files.scan(atMs);
      await files.scan(atMs + 1_999);
      await write('one.yaml', workflowText('one'));
      await files.scan(atMs + 1_999);
    }
    expect(await definitions.get('one')).toMatchObject({ enabled: false });
  });

  it('do not enable a disabled workflow again when they come back', async () => {
    await write('one.yaml', workflowText('one'));
    const { definitions, files, names } = await start(undefined, { isWatched: false });
    await definitions.setEnabled('one', false);
    await rm(join(folder, 'one.yaml'));
    await files.scan(0);
    await files.scan(60_000);
    await write('one.yaml', workflowText('one', '1.1.0'));
    await files.scan(60_001);
    expect(await definitions.get('one')).toMatchObject({ enabled: false });
    await definitions.setEnabled('one', true);
    await rm(join(folder, 'one.yaml'));
    await files.scan(70_000);
    await files.scan(72_000);
    expect(await names()).toEqual([]);
  });

  it('with errors are reported by line, and do not stop the others', async () => {
    await write('a.yaml', workflowText('a', '1.0.0', 'wait: soon'));
    await write('b.yaml', workflowText('b'));
    await write('c.yaml', 'do: [');
    await write('d.yaml', workflowText('b', '2.0.0'));
    await write('e.yaml', '#'.repeat(300_000));
    const { files, names } = await start();
    expect(await names()).toEqual(['b 1.0.0']);
    const broken = files
      .listBroken()
      .map(({ file, name, problems: [problem] }) => [file, name, problem?.line, problem?.message]);
    expect(broken).toEqual([
      ['a.yaml', 'a', 9, expect.stringContaining('ISO 8601')],
      ['c.yaml', null, 1, expect.stringContaining('not valid YAML')],
      ['d.yaml', 'b', 4, 'the file b.yaml has a workflow of the same name: rename one of the two'],
      ['e.yaml', null, 1, expect.stringContaining('larger than 256 KB')],
    ]);
    expect(logged).toContainEqual(
      expect.stringMatching(/^a\.yaml:9:13 \/do\/0\/work\/wait must be an ISO 8601 duration/),
    );
  });

  it('are followed as they change, are replaced, appear and go', async () => {
    await write('one.yaml', workflowText('one'));
    const { names, definitions } = await start();
    await write('one.yaml', workflowText('one', '1.1.0'));
    await until(async () => (await names()).includes('one 1.1.0'));
    // Saves like an editor: a new file is renamed to the old one.
    await write('one.yaml~', workflowText('one', '1.2.0'));
    await rename(join(folder, 'one.yaml~'), join(folder, 'one.yaml'));
    await until(async () => (await names()).includes('one 1.2.0'));
    await write('two.yaml', workflowText('two'));
    await until(async () => (await names()).length === 2);
    await rm(join(folder, 'one.yaml'));
    await until(async () => (await names()).length === 1);
    expect(await names()).toEqual(['two 1.0.0']);
    expect((await definitions.listVersions('one', { limit: 9 })).items).toEqual([]);
  });

  it('keep the workflow as it was while they have mistakes', async () => {
    await write('one.yaml', workflowText('one'));
    const { files, names } = await start();
    await write('one.yaml', 'document: {');
    await files.scan();
    expect(await names()).toEqual(['one 1.0.0']);
    expect(files.listBroken()).toMatchObject([{ file: 'one.yaml', name: 'one' }]);
    await write('one.yaml', workflowText('one', '1.0.1'));
    await files.scan();
    expect([await names(), files.listBroken()]).toEqual([['one 1.0.1'], []]);
  });

  it('that went while the service was down are removed, unless another hand has saved them since', async () => {
    for (const name of ['one', 'two', 'three']) await write(`${name}.yaml`, workflowText(name));
    const { definitions, database } = await start();
    await definitions.save(workflowText('two', '2.0.0'), { source: 'admin' });
    for (const close of closing.splice(0)) await close();
    await rm(join(folder, 'one.yaml'));
    await rm(join(folder, 'two.yaml'));
    const { names } = await start(database);
    expect(await names()).toEqual(['three 1.0.0', 'two 2.0.0']);
  });

  it('leave everything as it is when the folder is missing or empty', async () => {
    await write('one.yaml', workflowText('one'));
    const { database } = await start();
    for (const close of closing.splice(0)) await close();
    await rm(join(folder, 'one.yaml'));
    expect(await (await start(database)).names()).toEqual(['one 1.0.0']);
    for (const close of closing.splice(0)) await close();
    await rm(folder, { recursive: true });
    const missing = await start(database);
    expect(await missing.names()).toEqual(['one 1.0.0']);
    await mkdir(folder);
    await write('two.yaml', workflowText('two'));
    await missing.files.scan();
    expect(await missing.names()).toEqual(['two 1.0.0']);
  });

  it('that are changed without a new version after a run say so at the version', async () => {
    await write('one.yaml', workflowText('one'));
    const { files, database } = await start();
    await addRun(database, 'one', '1.0.0');
    await write('one.yaml', workflowText('one', '1.0.0', 'wait: PT5S'));
    await files.scan();
    expect(files.listBroken()).toMatchObject([{ problems: [{ path: '/document/version', line: 5, column: 12 }] }]);
  });
});
