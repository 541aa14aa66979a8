import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newPostgresDatabase } from '../src/platform/database/testing.js';
import { describeOnPostgres } from './support/postgres.js';
import { TestService } from './support/service.js';
import { TestSkillsModule } from './support/test-skills.module.js';

const call = (text: string) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'echo', arguments: { text } },
});

describeOnPostgres('the service on PostgreSQL', (serverUrl) => {
  let database: { url: string; drop: () => Promise<void> };

  beforeEach(async () => {
    database = await newPostgresDatabase(serverUrl);
  });
  afterEach(() => database.drop());

  const start = () => TestService.start({ imports: [TestSkillsModule], env: { DATABASE_URL: database.url } });

  it('serves a session that another replica opened, and one opened before a restart', async () => {
    const [first, second] = [await start(), await start()];
    const session = await first.openSession();
    expect(await (await second.post(call('hi'), session)).json()).toMatchObject({
      result: { content: [{ text: 'hi' }] },
    });
    await first.stop();
    await second.stop();
    const third = await start();
    expect(await (await third.post(call('again'), session)).json()).toMatchObject({
      result: { content: [{ text: 'again' }] },
    });
    await third.stop();
  });

  it('takes over what the embedded database held', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'transfer-'));
    const embedded = await TestService.start({ imports: [TestSkillsModule] });
    const session = await embedded.openSession();
    await embedded.admin('PUT', 'config/mcp.tool_timeout_ms', { value: 12_345 });
    await embedded.stop({ keepData: true });
    const file = join(folder, 'export.jsonl');
    const command = (name: string, args: string[], env: Record<string, string>) =>
      spawnSync(process.execPath, ['bin/agent-service.js', name, ...args], {
        env: { PATH: process.env['PATH'], ...env },
        encoding: 'utf8',
      });
    expect(command('export', [file], { DATA_DIR: embedded.dataDir })).toMatchObject({ status: 0 });
    expect(command('migrate', [], { DATABASE_URL: database.url }).stdout).toContain('up to date: 0001-initial');
    expect(command('import', [file], { DATABASE_URL: database.url })).toMatchObject({ status: 0, stderr: '' });
    const again = command('import', [file], { DATABASE_URL: database.url });
    expect([again.status, again.stderr.trim()]).toEqual([
      1,
      expect.stringMatching(/^the database is not empty .*--replace/),
    ]);
    const service = await start();
    expect((await service.admin('GET', 'config/mcp.tool_timeout_ms')).body).toMatchObject({ value: 12_345 });
    expect((await service.post(call('moved'), session)).status).toBe(200);
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
    rmSync(embedded.dataDir, { recursive: true, force: true });
  });
});
