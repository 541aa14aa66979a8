import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { ChildProcesses } from './harness/child-processes.js';
import { freePort } from './harness/free-port.js';
import { sendStateless } from './harness/stateless-message.js';
import { until } from './support/until.js';
import { temporaryFolder } from './support/temporary-folder.js';

const KEY = 'a-key-for-lifecycle';
const bearer = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };

const workflow = (name: string, task: string) => `
document: { dsl: 1.0.3, namespace: test, name: ${name}, version: 1.0.0, summary: Waits. }
do: [{ rest: ${task} }]
`;
const ENDLESS = workflow('endless', '{ wait: P100D }');
const ASKING = workflow(
  'asking',
  `{ listen: { to: { one: { with: { type: person.answered } } } }, metadata: { question: { message: Well?, schema: { type: object, properties: {} } } } }`,
);

const basic = (password: string) => ({
  authorization: `Basic ${Buffer.from(`admin:${password}`).toString('base64')}`,
});

interface Running {
  child: ChildProcess;
  origin: string;
  output: () => string;
}

describe('the process', () => {
  const children = new ChildProcesses();

  afterEach(() => children.kill());

  function launch(env: Record<string, string>): { child: ChildProcess; output: () => string } {
    let output = '';
    const child = spawn(process.execPath, ['bin/start.js'], {
      env: { PATH: process.env['PATH'], LOG_LEVEL: 'warn', ...env },
    });
    children.add(child);
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
    return { child, output: () => output };
  }

  async function start(env: Record<string, string> = {}): Promise<Running> {
    const port = env['PORT'] ?? String(await freePort());
    const { child, output } = launch({
      PORT: port,
      MCP_API_KEY: KEY,
      DATA_DIR: env['DATA_DIR'] ?? temporaryFolder(),
      ...env,
    });
    const origin = `http://127.0.0.1:${port}`;
    await until(async () => {
      if (child.exitCode !== null) throw new Error(output());
      return fetch(`${origin}/health/ready`).then(
        (res) => res.ok,
        () => false,
      );
    });
    return { child, origin, output };
  }

  const rpc = (origin: string, method: string, params: object, headers: Record<string, string> = {}) =>
    fetch(`${origin}/mcp`, {
      method: 'POST',
      headers: { ...bearer, ...headers },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });

  const admin = (origin: string, path: string, body: object) =>
    fetch(`${origin}/admin/api/${path}`, {
      method: 'POST',
      headers: { ...basic(KEY), 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });

  async function openSession(origin: string): Promise<Record<string, string>> {
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test' } };
    const res = await rpc(origin, 'initialize', params);
    return { 'mcp-session-id': res.headers.get('mcp-session-id') ?? '' };
  }

  it('prints its address, and the generated password once', async () => {
    const dataDir = temporaryFolder();
    const first = await start({ DATA_DIR: dataDir });
    const password = /Password\s+(\S+)/.exec(first.output())?.[1] ?? '';
    expect(first.output()).toContain(`${first.origin}/mcp`);
    expect(first.output()).toContain(`${first.origin}/admin`);
    const login = (origin: string) =>
      fetch(`${origin}/admin/api/config`, {
        headers: basic(password),
      });
    expect((await login(first.origin)).status).toBe(200);
    first.child.kill('SIGTERM');
    await once(first.child, 'exit');
    const second = await start({ DATA_DIR: dataDir });
    expect(second.output()).not.toContain('Password');
    expect((await login(second.origin)).status).toBe(200);
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('ends cleanly on %s with streams open', async (signal) => {
    const { child, origin } = await start();
    const session = await openSession(origin);
    const stream = await fetch(`${origin}/mcp`, { headers: { ...bearer, ...session, accept: 'text/event-stream' } });
    const listen = await rpc(
      origin,
      'subscriptions/listen',
      {
        notifications: { toolsListChanged: true },
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
      { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' },
    );
    expect([stream.status, listen.status]).toEqual([200, 200]);
    const ended = once(child, 'close');
    child.kill(signal);
    expect(await listen.text()).toContain('"resultType":"complete"');
    await stream.text();
    const [code] = (await ended) as [number];
    expect(code).toBe(0);
  });

  it('says how to follow the runs of calls that it ends when it stops', async () => {
    const { child, origin } = await start({ ADMIN_PASSWORD: KEY });
    for (const definition of [ENDLESS, ASKING]) await admin(origin, 'workflows', { definition });
    const asked = Promise.withResolvers<void>();
    const client = new Client({ name: 'asker', version: '1' }, { capabilities: { elicitation: {} } });
    client.setRequestHandler(ElicitRequestSchema, () => {
      asked.resolve();
      return new Promise(() => undefined);
    });
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${origin}/mcp`), { requestInit: { headers: bearer } }),
    );
    const answers = Promise.all([
      sendStateless(origin, KEY, 'tools/call', { name: 'endless', arguments: {} }).then((res) => res.text()),
      client.callTool({ name: 'asking', arguments: {} }).then((result) => JSON.stringify(result)),
    ]);
    await Promise.race([asked.promise, answers]);
    child.kill('SIGTERM');
    for (const answer of await answers)
      expect(answer).toMatch(/it continues as run:\/\/.*call run_status.*Do not call \w+ again for this/);
    await client.close();
  });

  it('logs nothing when it is stopped as soon as it runs', async () => {
    const { child, output } = launch({
      PORT: String(await freePort()),
      MCP_API_KEY: `${KEY}-that-is-long-enough`,
      DATA_DIR: temporaryFolder(),
    });
    await until(() => output().includes('  Next  '));
    child.kill('SIGTERM');
    const [code] = (await once(child, 'close')) as [number];
    expect([code, output()]).toEqual([0, expect.not.stringContaining('"level"')]);
  });

  it('ends when the npm process that started it is terminated', async () => {
    const port = String(await freePort());
    const env = { ...process.env, PORT: port, DATA_DIR: temporaryFolder(), MCP_API_KEY: KEY, LOG_LEVEL: 'warn' };
    const npm = children.add(spawn('npm', ['start'], { env, stdio: ['ignore', 'pipe', 'ignore'] }));
    npm.stdout.resume();
    const isUp = () =>
      fetch(`http://127.0.0.1:${port}/health/live`).then(
        () => true,
        () => false,
      );
    await until(isUp);
    npm.kill('SIGTERM');
    // The service shares this output, so it has exited as well.
    await once(npm, 'close');
    expect(await isUp()).toBe(false);
  });

  it.each<[string, () => Promise<Record<string, string>>, RegExp]>([
    [
      'a port in use',
      async () => {
        const { origin } = await start();
        return { PORT: new URL(origin).port, DATA_DIR: temporaryFolder() };
      },
      /is in use\. Stop the other process, or set PORT/,
    ],
    [
      'a data folder that is a file',
      async () => {
        const file = join(temporaryFolder(), 'file');
        writeFileSync(file, '');
        return { DATA_DIR: file };
      },
      /data folder .* is not writable .*DATA_DIR/,
    ],
    [
      'a database that does not answer',
      async () => ({ DATABASE_URL: 'postgres://agent@127.0.0.1:1/agents' }),
      /can't be used \(ECONNREFUSED\): check DATABASE_URL/,
    ],
    [
      'an environment with several mistakes',
      async () => ({ PORT: '70000', MCP_TOOL_TIMEOUT_MS: 'soon', PUBLIC_URL: 'nowhere', DATA_DIR: temporaryFolder() }),
      /3 problems: PORT must be 1-65535; .*PUBLIC_URL.*MCP_TOOL_TIMEOUT_MS/,
    ],
  ])('refuses %s with one line and exit code 1', async (_case, prepare, message) => {
    const { child, output } = launch(await prepare());
    const [code] = (await once(child, 'close')) as [number];
    expect(code).toBe(1);
    const [title, problem, ...rest] = output().trim().split('\n');
    expect([title, rest]).toEqual([expect.stringMatching(/^Agent Service \d/), []]);
    expect(problem).toMatch(message);
  });

  it('loads neither the phone numbers of class-validator nor the pages of Swagger', async () => {
    const tell = `import { registerHooks } from 'node:module';
      registerHooks({ load: (url, context, next) => {
        if (/phone-?number|swagger-ui-dist/i.test(url)) console.error('loaded ' + url);
        return next(url, context);
      } });`;
    const { output } = await start({ NODE_OPTIONS: `--import "data:text/javascript,${encodeURIComponent(tell)}"` });
    const loaded = output().match(/(?<=loaded ).*/g) ?? [];
    expect(
      loaded.filter((url) => !/\/(no-phone-numbers\/max|class-validator\/.*IsPhoneNumber)\.js$/.test(url)),
    ).toEqual([]);
    expect(loaded).toHaveLength(2);
  });

  const HOMELESS = `data:text/javascript,import os from 'node:os'; import { syncBuiltinESMExports } from 'node:module';
    os.homedir = () => { throw new Error('uv_os_homedir'); }; syncBuiltinESMExports();`;

  /** A package that is not a git clone, whose service prints its Node version. */
  function newPackage(): string {
    const folder = temporaryFolder();
    for (const path of ['bin', 'package.json']) cpSync(path, join(folder, path), { recursive: true });
    mkdirSync(join(folder, 'dist/src'), { recursive: true });
    writeFileSync(
      join(folder, 'dist/src/main.js'),
      'console.log(process.versions.node, process.env.PORT, ...process.execArgv);',
    );
    return folder;
  }

  describe('of an old Node', () => {
    const OLD = `data:text/javascript,Object.defineProperty(process.versions, 'node', { value: '20.0.0' })`;
    const SYSTEM = { darwin: 'darwin', linux: 'linux', win32: 'win' }[process.platform as 'linux'];

    const startOld = (folder: string) =>
      spawnSync(
        process.execPath,
        ['--max-semi-space-size=16', '--import', OLD, join(folder, 'bin/agent-service.js'), '--port', '6001'],
        {
          encoding: 'utf8',
          env: { HOME: folder },
        },
      );

    it('says what to do', () => {
      const { status, stderr } = startOld(newPackage());
      expect(status).toBe(1);
      expect(stderr).toMatch(/^Agent Service needs Node\.js 26.*install again/);
    });

    it('is replaced by one of the Node that npm has installed, with the same heap', () => {
      const folder = newPackage();
      const bin = join(folder, `node_modules/node-${SYSTEM}-${process.arch}/bin`);
      mkdirSync(bin, { recursive: true });
      symlinkSync(process.execPath, join(bin, 'node'));
      const { stdout, stderr } = startOld(folder);
      expect([stdout.trim().split('\n').at(-1), stderr]).toEqual([
        `${process.versions.node} 6001 --max-semi-space-size=16`,
        '',
      ]);
    });
  });

  it.each([
    ['HOME is empty', []],
    ['the system does not know the user', ['--import', HOMELESS]],
  ])('asks for a folder for the data when %s', (_what, args) => {
    const program = join(newPackage(), 'bin/agent-service.js');
    const { status, stderr } = spawnSync(process.execPath, [...args, program], { encoding: 'utf8', env: { HOME: '' } });
    expect(status).toBe(2);
    expect(stderr).toMatch(/^This user has no home folder: name a folder for the data, with --data or DATA_DIR\./);
  });

  it.each([
    [['--prot', '1'], "Unknown option '--prot'."],
    [['--port', ''], 'The value of --port is empty.'],
    [['start-it'], 'There is no command "start-it".'],
    [['add', 'everything'], 'add takes one or more of:'],
  ])('refuses the arguments %j, and says which there are', (args, problem) => {
    const { status, stderr } = spawnSync(process.execPath, ['bin/agent-service.js', ...args], { encoding: 'utf8' });
    expect(status).toBe(2);
    expect(stderr).toContain(problem);
    expect(stderr).toContain('--public-url <url>');
  });

  it.each([
    ['export', 'npm run export -- <file>'],
    ['import', 'npm run import -- <file> [--replace]'],
    ['knowledge-import', 'npm run knowledge:import -- <folder> [--name <name>] [--prune]'],
    ['add', 'agent-service [options]'],
  ])('says how the command %s is called, without running it', (name, usage) => {
    const env = { ...process.env, DATA_DIR: join(temporaryFolder(), 'none') };
    const args = ['bin/agent-service.js', name, '--help'];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', env });
    expect([status, stderr, existsSync(env.DATA_DIR)]).toEqual([0, '', false]);
    expect(stdout).toContain(`Usage: ${usage}`);
  });
});
