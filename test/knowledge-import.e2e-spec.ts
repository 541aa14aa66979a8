import { copyFile, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  ResourceListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { knowledgeOn } from '../src/features/knowledge/testing.js';
import { runCommand, runCommandUnread } from './harness/run-command.js';
import { ServerProcess } from './harness/server-process.js';
import { describeOnEachDatabase } from './support/databases.js';
import { until } from './support/until.js';

const KEY = 'knowledge-import-key';
const PASSWORD = 'import-password';

describeOnEachDatabase('npm run knowledge:import', (data) => {
  let folder: string;

  beforeEach(async () => {
    await data.renew();
    folder = join(data.dir, 'handbook');
    await mkdir(join(folder, 'deep'), { recursive: true });
    await writeFile(join(folder, 'a.md'), '# Alpha\n\ntext');
    await writeFile(join(folder, 'deep/b.html'), '<h1>Beta</h1>');
    await writeFile(join(folder, 'ignored.png'), '');
  });

  const command = (name: string, ...args: string[]) => runCommand(data.env, name, ...args);
  const run = async (...args: string[]) => (await command('knowledge-import', folder, ...args)).lines;
  const onDatabase = async <Result>(work: (found: ReturnType<typeof knowledgeOn>) => Promise<Result>) => {
    const database = await data.open();
    try {
      return await work(knowledgeOn(database));
    } finally {
      await database.destroy();
    }
  };
  const documents = () =>
    onDatabase(async ({ knowledge }) => {
      const { items } = await knowledge.listByAge({ limit: 100 });
      return items.map(({ path, title }) => `${path}: ${title}`).sort();
    });

  it('fills the knowledge base from a folder, and only once', async () => {
    expect(await run()).toEqual([
      'handbook/a.md: created',
      'handbook/deep/b.html: created',
      'Not imported, because their types are not read: 1 file (.png 1).',
      '2 files: 2 created, 0 updated, 0 unchanged, 0 failed.',
    ]);
    await rm(join(folder, 'a.md'));
    expect(await run()).toEqual([
      'Not imported, because their types are not read: 1 file (.png 1).',
      'handbook/a.md: its file no longer exists; kept (--prune removes it)',
      '1 file: 0 created, 0 updated, 1 unchanged, 0 failed.',
    ]);
    expect(await run('--prune')).toContain('handbook/a.md: its file no longer exists; removed');
    expect(await documents()).toEqual(['handbook/deep/b.html: Beta']);
  });

  it('goes on when nobody reads its output', async () => {
    expect(await runCommandUnread(data.env, 'knowledge-import', folder)).toBe(0);
    expect(await documents()).toEqual(['handbook/a.md: Alpha', 'handbook/deep/b.html: Beta']);
  });

  it('names what it cannot open, and continues', async () => {
    await symlink(join(folder, 'nowhere'), join(folder, 'gone.md'));
    await writeFile(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xff]), Buffer.from('.md')]), '# Latin');
    const lines = await run();
    expect(lines).toContainEqual(expect.stringMatching(/\ufffd\.md: .*cannot be read \(ENOENT\)/));
    expect(lines).toContain('handbook/deep/b.html: created');
  });

  it('removes parts that a file no longer has, but nothing of a file that it cannot read', async () => {
    const chapter = (name: string) => `# ${name}\n\n${'words of a chapter. '.repeat(30_000)}`;
    await writeFile(join(folder, 'a.md'), ['One', 'Two', 'Three'].map(chapter).join('\n\n'));
    await run();
    expect(await documents()).toHaveLength(4);
    await writeFile(join(folder, 'a.md'), new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0]));
    expect(await run('--prune')).not.toContainEqual(expect.stringContaining('removed'));
    await writeFile(join(folder, 'a.md'), ['One', 'Two'].map(chapter).join('\n\n'));
    expect(await run()).toContain('handbook/a.md#3: its file is shorter now; kept (--prune removes it)');
    expect(await run('--prune')).toContain('handbook/a.md#3: its file is shorter now; removed');
    expect(await documents()).toHaveLength(3);
  });

  it('keeps folders of the same last name apart', async () => {
    const other = join(data.dir, 'other/handbook');
    await mkdir(other, { recursive: true });
    await writeFile(join(other, 'a.md'), '# Another Alpha');
    await run();
    const refused = await command('knowledge-import', other, '--prune');
    expect(refused).toMatchObject({ status: 1, lines: [expect.stringMatching(/"handbook".*--name <name>.*--moved/)] });
    const named = await command('knowledge-import', other, '--prune', '--name', 'second');
    expect(named).toMatchObject({ status: 0, lines: ['second/a.md: created', expect.any(String)] });
    expect(await documents()).toEqual([
      'handbook/a.md: Alpha',
      'handbook/deep/b.html: Beta',
      'second/a.md: Another Alpha',
    ]);

    await rm(folder, { recursive: true });
    const moved = await command('knowledge-import', other, '--prune', '--name', 'handbook', '--moved');
    expect(moved.lines).toContain('handbook/deep/b.html: its file no longer exists; removed');
    expect(await documents()).toEqual(['handbook/a.md: Another Alpha', 'second/a.md: Another Alpha']);
  });

  it('removes only what it imported itself', async () => {
    await run();
    await onDatabase(async ({ knowledge }) => {
      const [{ id = '' } = {}] = (await knowledge.listPaths()).filter(({ path }) => path === 'handbook/a.md');
      await knowledge.save({ id, title: 'Alpha', content: 'by hand', source: 'admin' });
      await knowledge.save({ title: 'Own', content: 'text', path: 'handbook/own.md', source: 'admin' });
    });
    await rm(join(folder, 'a.md'));
    expect(await run('--prune')).toEqual(
      expect.arrayContaining([
        'handbook/a.md: its file no longer exists; kept, because admin has changed it',
        'handbook/own.md: its file no longer exists; kept, because admin has changed it',
      ]),
    );
    expect(await documents()).toHaveLength(3);
  });

  it('reads many types and charsets, and names what it does not read', async () => {
    const files = join(import.meta.dirname, 'knowledge/files');
    for (const name of ['travel.docx', 'handbook.pdf', 'pictures.pdf']) {
      await copyFile(join(files, name), join(folder, name));
    }
    await writeFile(join(folder, 'page.mdx'), '---\ntitle: Parts\n---\n\n<Card>Text</Card>');
    await writeFile(join(folder, 'guide.rst'), '.. note::\n\n=====\nGuide\n=====\n\nText');
    await writeFile(join(folder, 'manual.adoc'), ':toc:\n\n= Manual\n\nText');
    await writeFile(join(folder, 'latin.md'), Buffer.from('# Gr\xfc\xdfe', 'latin1'));
    await writeFile(join(folder, 'wide.txt'), '\ufeffwide', 'utf16le');
    await writeFile(join(folder, 'empty.md'), '');
    await writeFile(join(folder, 'binary.txt'), Buffer.from([0, 1, 2, 3]));
    await writeFile(join(folder, 'broken.pdf'), 'no PDF');
    await symlink('/etc', join(folder, 'out'));
    const { status, lines } = await command('knowledge-import', folder);
    expect(await documents()).toEqual([
      'handbook/a.md: Alpha',
      'handbook/deep/b.html: Beta',
      'handbook/guide.rst: Guide',
      'handbook/handbook.pdf: The handbook',
      'handbook/latin.md: Grüße',
      'handbook/manual.adoc: Manual',
      'handbook/page.mdx: Parts',
      'handbook/travel.docx: Travel rules',
      'handbook/wide.txt: wide',
    ]);
    expect(lines).toEqual(
      expect.arrayContaining([
        'handbook/binary.txt: skipped: it is not a text but binary data',
        'handbook/empty.md: skipped: it is empty',
        expect.stringMatching(/^handbook\/broken.pdf: failed: .*damaged or protected/),
        expect.stringMatching(/^handbook\/pictures.pdf: failed: .*no text/),
        expect.stringMatching(/^handbook\/out: skipped: .*--follow-links/),
      ]),
    );
    expect([status, lines.at(-1)]).toEqual([1, '11 files: 9 created, 0 updated, 0 unchanged, 2 failed, 3 skipped.']);
  });

  it('notifies the clients of a service that runs on the same database', async () => {
    const server = await ServerProcess.start({
      env: { ...data.env, MCP_API_KEY: KEY, ADMIN_PASSWORD: PASSWORD, LOG_LEVEL: 'warn' },
    });
    const authorization = `Basic ${Buffer.from(`admin:${PASSWORD}`).toString('base64')}`;
    const client = new Client({ name: 'ide', version: '1.0.0' });
    const updated: string[] = [];
    let listChanges = 0;
    client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void updated.push(params.uri));
    client.setNotificationHandler(ResourceListChangedNotificationSchema, () => void (listChanges += 1));
    const requestInit = { headers: { Authorization: `Bearer ${KEY}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', server.origin), { requestInit }));
    await until(async () => {
      const overview = await fetch(`${server.origin}/admin/api/overview`, { headers: { authorization } });
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
  });
});

describe('a command that is called with the wrong arguments', () => {
  it.each([
    ['knowledge-import', []],
    ['knowledge-import', ['a', 'b']],
    ['knowledge-import', ['a', '--prnue']],
    ['import', []],
    ['export', []],
    ['export', ['a', '--replace']],
    ['migrate', ['now']],
    ['audit-verify', ['--fast']],
  ])('exits with 2 when %s is called with %j', async (name, args) => {
    const { status, lines } = await runCommand({}, name, ...args);
    expect([status, lines.at(-1)]).toEqual([2, expect.stringMatching(/^Usage: npm run /)]);
  });
});
