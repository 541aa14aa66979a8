import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  ResourceListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { openEmbeddedDatabase, openPostgres } from '../src/database/open-database.js';
import { newPostgresDatabase } from '../src/database/testing.js';
import { knowledgeOn } from '../src/knowledge/testing.js';
import { freePort } from './harness/free-port.js';
import { ServerProcess } from './harness/server-process.js';
import { until } from './support/until.js';

const KEY = 'import-key';
const PASSWORD = 'import-password';
const DATABASES = ['sqlite', ...(process.env['TEST_POSTGRES_URL'] ? ['postgres'] : [])];

describe.each(DATABASES)('npm run knowledge:import on %s', (dialect) => {
  let dataDir: string;
  let folder: string;
  let postgres: Awaited<ReturnType<typeof newPostgresDatabase>> | undefined;
  const env = () => ({ DATA_DIR: dataDir, ...(postgres && { DATABASE_URL: postgres.url }) });

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'agent-service-'));
    folder = join(dataDir, 'handbook');
    await mkdir(join(folder, 'deep'), { recursive: true });
    await writeFile(join(folder, 'a.md'), '# Alpha\n\ntext');
    await writeFile(join(folder, 'deep/b.html'), '<h1>Beta</h1>');
    await writeFile(join(folder, 'ignored.png'), '');
    if (dialect === 'postgres') postgres = await newPostgresDatabase(process.env['TEST_POSTGRES_URL'] ?? '');
  });
  afterEach(async () => {
    await postgres?.drop();
    await rm(dataDir, { recursive: true, force: true });
  });

  const run = async (...args: string[]) => {
    const child = spawn(process.execPath, ['bin/command.js', 'knowledge-import', folder, ...args], {
      env: { PATH: process.env['PATH'], ...env() },
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
    await once(child, 'close');
    return output.trim().split('\n');
  };

  it('fills the knowledge base from a folder, and only once', async () => {
    expect(await run()).toEqual([
      'handbook/a.md: created',
      'handbook/deep/b.html: created',
      '2 files: 2 created, 0 updated, 0 unchanged, 0 failed.',
    ]);
    await rm(join(folder, 'a.md'));
    expect(await run()).toEqual([
      'handbook/a.md: its file no longer exists; kept (--prune removes it)',
      '1 files: 0 created, 0 updated, 1 unchanged, 0 failed.',
    ]);
    expect(await run('--prune')).toContain('handbook/a.md: its file no longer exists; removed');
    const database = await (postgres ? openPostgres(postgres.url) : openEmbeddedDatabase(dataDir));
    expect((await knowledgeOn(database).knowledge.listByAge({ limit: 10 })).items.map(({ title }) => title)).toEqual([
      'Beta',
    ]);
    await database.destroy();
  }, 60_000);

  it('notifies the clients of a service that runs on the same database', async () => {
    const port = await freePort();
    const origin = `http://127.0.0.1:${port}`;
    const server = await ServerProcess.start({
      script: 'bin/start.js',
      env: { ...env(), PORT: String(port), MCP_API_KEY: KEY, ADMIN_PASSWORD: PASSWORD, LOG_LEVEL: 'warn' },
      readyUrl: `${origin}/health`,
    });
    const authorization = `Basic ${Buffer.from(`admin:${PASSWORD}`).toString('base64')}`;
    const client = new Client({ name: 'ide', version: '1.0.0' });
    const updated: string[] = [];
    let listChanges = 0;
    client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void updated.push(params.uri));
    client.setNotificationHandler(ResourceListChangedNotificationSchema, () => void (listChanges += 1));
    const requestInit = { headers: { Authorization: `Bearer ${KEY}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${origin}/mcp`), { requestInit }));
    await until(async () => {
      const overview = await fetch(`${origin}/admin/api/overview`, { headers: { authorization } });
      return ((await overview.json()) as { streams: number }).streams === 1;
    });

    await run();
    await until(() => listChanges > 0);
    const { resources } = await client.listResources();
    expect(resources.map(({ title }) => title)).toEqual(expect.arrayContaining(['Alpha', 'Beta']));

    const { uri = '' } = resources.find(({ title }) => title === 'Alpha') ?? {};
    await client.subscribeResource({ uri });
    await writeFile(join(folder, 'a.md'), '# Alpha\n\nanother text');
    await run();
    await until(() => updated.includes(uri));

    await client.close();
    await server.stop();
  }, 60_000);
});
