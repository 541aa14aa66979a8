import { type ChildProcess, execFileSync, type ExecFileSyncOptions, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { corpusFile, FeedServer } from './feeds/feed-server.js';
import { ChildProcesses } from './harness/child-processes.js';
import { freePort } from './harness/free-port.js';
import { callTool } from './harness/stateless-message.js';
import { moduleOfManual } from './support/module-of-manual.js';
import { until } from './support/until.js';

const KEY = 'key-of-the-release';
const PASSWORD = 'password-of-the-release';
/** Uses what the bundle does not contain as code: jq, and Cedar for policies. */
const WORKFLOW = `document: { dsl: 1.0.3, namespace: test, name: shout, version: 1.0.0, summary: Shouts. }
input: { schema: { document: { type: object, properties: { text: { type: string } } } } }
do:
  - shout: { set: { said: '\${ $workflow.input.text | ascii_upcase }' } }
`;
const POLICY = 'forbid (principal, action == Action::"callTool", resource == Tool::"run_list");';
/** The uid of a user without privileges. */
const NOBODY = 65_534;
const MEGABYTE = 1_000_000;
/** The Node of the machine, not the one that npm has installed here. */
const PATH = (process.env['PATH'] ?? '')
  .split(delimiter)
  .filter((folder) => !folder.endsWith(join('node_modules', '.bin')) && !folder.endsWith('node-gyp-bin'))
  .join(delimiter);

const describeWithRegistry = process.env['REQUIRE_ALL'] === '1' ? describe : describe.skip;
if (process.env['REQUIRE_ALL'] !== '1') {
  process.stderr.write('Left out: "a release" installs packages from the registry; REQUIRE_ALL=1 leaves nothing out\n');
}

interface Running {
  origin: string;
  child: ChildProcess;
  output: () => string;
}

describeWithRegistry('a release', () => {
  // A name that is not the same in a URL.
  const folder = mkdtempSync(join(tmpdir(), 'the release #1 100%20-'));
  const children = new ChildProcesses();
  let release: string;
  let archive: string;

  beforeAll(() => {
    // Like `npm run release`, without what is already built.
    const made = execFileSync(process.execPath, ['bin/build/release.js', folder], { encoding: 'utf8' });
    [release = '', archive = ''] = made.trim().split('\n');
    // The unprivileged user needs access.
    chmodSync(folder, 0o755);
  });
  afterEach(() => children.kill());
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const newFolder = (name: string) => {
    const path = join(folder, name);
    mkdirSync(path, { recursive: true });
    return path;
  };

  async function start(
    program: string,
    args: string[],
    options: { cwd: string; env: NodeJS.ProcessEnv; uid?: number },
  ): Promise<Running> {
    const port = String(await freePort());
    const child = spawn(program, [...args, '--port', port], { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    children.add(child);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
    await until(() => {
      if (child.exitCode !== null) throw new Error(output);
      return output.includes('  Next  ');
    });
    return { origin: `http://127.0.0.1:${port}`, child, output: () => output };
  }

  const stop = async ({ child }: Running) => {
    // Waits for its child processes too, such as the service under npx, and for all output.
    const ended = once(child, 'close');
    child.kill('SIGTERM');
    await ended;
  };

  describe('as a folder', () => {
    /** Starts it as a user who may write only to the data folder. */
    async function startUnprivileged(): Promise<Running> {
      const data = newFolder('data');
      const workflows = newFolder('workflows');
      writeFileSync(join(workflows, 'shout.yaml'), WORKFLOW);
      if (process.getuid?.() === 0) chownSync(data, NOBODY, NOBODY);
      else execFileSync('chmod', ['-R', 'a-w', release]);
      return start(process.execPath, ['bin/agent-service.js', '--data', data], {
        cwd: release,
        env: {
          PATH,
          LOG_LEVEL: 'warn',
          MCP_API_KEY: KEY,
          ADMIN_PASSWORD: PASSWORD,
          WORKFLOWS_DIR: workflows,
          HTTP_ALLOWED_HOSTS: '127.0.0.1',
        },
        ...(process.getuid?.() === 0 && { uid: NOBODY }),
      });
    }

    it('has the pages that its README links to', () => {
      const links = [...readFileSync(join(release, 'README.md'), 'utf8').matchAll(/\]\(([^)#]+)/g)].map(
        ([, to = '']) => to,
      );
      const pages = links.filter((to) => !/^https?:/.test(to));
      expect(pages.length).toBeGreaterThan(10);
      expect(pages.filter((page) => !existsSync(join(release, page)))).toEqual([]);
    });

    it('creates no folder for a command that finds no data there', () => {
      const data = join(folder, 'mistyped');
      const args = ['bin/agent-service.js', 'export', 'backup', '--data', data];
      const { status } = spawnSync(process.execPath, args, { cwd: release, env: { PATH } });
      expect([status, existsSync(data)]).toEqual([1, false]);
    });

    it('needs no packages, and writes nothing but its data', async () => {
      const { origin, output } = await startUnprivileged();
      const pages = await fetch(`${origin}/admin/`);
      expect([pages.status, await pages.text()]).toEqual([200, expect.stringContaining('<!doctype html>')]);
      expect(await callTool(origin, KEY, 'shout', { text: 'hello' })).toMatchObject({
        content: [{ text: '{"said":"HELLO"}' }],
      });
      const authorization = `Basic ${Buffer.from(`admin:${PASSWORD}`).toString('base64')}`;
      const post = async (path: string, body: object) => {
        const headers = { authorization, 'content-type': 'application/json' };
        const init = { method: 'POST', headers, body: JSON.stringify(body) };
        const res = await fetch(`${origin}/admin/api/${path}`, init);
        return { status: res.status, text: await res.text() };
      };
      for (const path of ['runs?limit=5&status=failed', 'audit?limit=5', 'feeds?limit=5', 'overview'])
        expect((await fetch(`${origin}/admin/api/${path}`, { headers: { authorization } })).status).toBe(200);
      const embeddings = await fetch(`${origin}/admin/api/knowledge/embeddings`, { headers: { authorization } });
      expect(await embeddings.json()).toMatchObject({
        builtinInstalled: false,
        builtinCommand: 'npx agent-service add embeddings',
      });
      expect(await post('skill-module-samples/calculate', {})).toMatchObject({ status: 201 });
      expect(await callTool(origin, KEY, 'calculate', { expression: '2 + 3' })).toMatchObject({
        structuredContent: { result: '5' },
      });
      // Lazily loaded parts: the HTTP client, and the file readers.
      const feeds = (await FeedServer.start()).publish('/a.xml', corpusFile('long-title.xml'));
      expect(await post('feeds', { url: feeds.url('/a.xml') })).toMatchObject({ status: 201 });
      feeds.stop();
      for (const path of ['handbook.pdf', 'travel.docx']) {
        const base64 = readFileSync(join('test/knowledge/files', path), 'base64');
        expect(await post('knowledge/import', { files: [{ path, base64 }] })).toMatchObject({
          text: expect.stringContaining('"created"') as unknown,
        });
      }
      expect(await post('policies', { name: 'no-runs', policy: POLICY })).toMatchObject({ status: 201 });
      expect(await callTool(origin, KEY, 'run_list', {})).toMatchObject({ isError: true });
      expect(output().trim().split('\n')).toHaveLength(4);
      expect(['src', 'node_modules'].filter((name) => existsSync(join(release, name)))).toEqual([]);
    });

    it('starts without the parts of Node that it does not use', async () => {
      const says = `process.on('exit', () => console.log(process.moduleLoadList.join()))`;
      const args = ['--import', `data:text/javascript,${encodeURIComponent(says)}`, 'bin/agent-service.js'];
      const env = { PATH, HOME: newFolder('lean-home'), LOG_LEVEL: 'warn' };
      const running = await start(process.execPath, args, { cwd: release, env });
      await stop(running);
      expect(running.output()).toContain('NativeModule http,');
      expect(running.output()).not.toContain('undici');
    });

    it('names the lines of the sources where something fails', () => {
      const fails = `import { Server } from 'node:net'; Server.prototype.listen = () => { throw new TypeError('here'); };`;
      const { stderr } = spawnSync(
        process.execPath,
        ['--import', `data:text/javascript,${encodeURIComponent(fails)}`, 'bin/agent-service.js'],
        { cwd: release, env: { PATH, HOME: newFolder('no-home'), LOG_LEVEL: 'debug' }, encoding: 'utf8' },
      );
      expect(stderr).toMatch(/TypeError: here\n[^]*src\/platform\/listening\/service-port\.ts:\d+:\d+/);
    });
  });

  it('says why it cannot install what is optional', () => {
    if (process.getuid?.() !== 0) execFileSync('chmod', ['-R', 'a-w', release]);
    const { status, stderr } = spawnSync(process.execPath, ['bin/agent-service.js', 'add', 'embeddings'], {
      cwd: release,
      env: { PATH },
      encoding: 'utf8',
      ...(process.getuid?.() === 0 && { uid: NOBODY }),
    });
    const folder = join(release, 'embeddings');
    expect([status, stderr]).toEqual([1, expect.stringContaining(`The folder ${folder} is not writable (EACCES)`)]);
  });

  it('names the command that installs what is optional', async () => {
    const port = String(await freePort());
    const { status, stderr } = spawnSync(process.execPath, ['bin/agent-service.js', '--port', port], {
      cwd: release,
      env: {
        PATH,
        HOME: newFolder('restate-home'),
        LOG_LEVEL: 'warn',
        WORKFLOW_ENGINE: 'restate',
        RESTATE_INGRESS_URL: 'http://127.0.0.1:1',
        RESTATE_ADMIN_URL: 'http://127.0.0.1:1',
        RESTATE_ENDPOINT_URL: 'http://127.0.0.1:9080',
      },
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([1, expect.stringContaining('Run "npx agent-service add restate"')]);
  });

  it('as a package serves the first call in an empty folder, with the Node that it brings', async () => {
    const cwd = newFolder('empty');
    const HOME = newFolder('home');
    const env = {
      PATH,
      HOME,
      npm_config_cache: process.env['npm_config_cache'] ?? resolve(process.env['HOME'] ?? '', '.npm'),
      // The npm configuration of this machine for the registry, which --prefix and another HOME would hide.
      npm_config_globalconfig: process.env['npm_config_globalconfig'],
      npm_config_userconfig: process.env['npm_config_userconfig'],
    };
    const options: ExecFileSyncOptions = { cwd, env, stdio: ['ignore', 'ignore', 'inherit'] };
    execFileSync(
      'npm',
      ['install', '--prefix', '.', '--ignore-scripts', '--prefer-offline', '--no-audit', archive],
      options,
    );
    const bytes = sizeOf(join(cwd, 'node_modules/agent-service'));
    expect(bytes).toBeLessThan(40 * MEGABYTE);

    const first = await start('node', ['node_modules/.bin/agent-service'], { cwd, env });
    const banner = first.output();
    expect(banner).toMatch(/^ {2}Password {6}\S+ {3}\(user admin; shown this once\)$/m);
    const key = /^ {2}API key {7}(\S+)/m.exec(banner)?.[1] ?? '';
    expect(banner).toContain(
      `claude mcp add --transport http --scope user agent ${first.origin}/mcp --header "Authorization: Bearer ${key}"`,
    );
    expect(await callTool(first.origin, key, 'system_info', {})).toMatchObject({
      structuredContent: { hostname: expect.any(String) as unknown },
    });
    await stop(first);
    expect(readdirSync(join(HOME, '.agent-service'))).toContain('agent-service.db');
    expect(readdirSync(cwd).sort()).toEqual(['node_modules', 'package-lock.json', 'package.json']);

    const second = await start('npx', ['agent-service'], { cwd, env });
    expect(second.output()).not.toMatch(/Password|API key {5}/);
    expect(await callTool(second.origin, key, 'system_info', {})).toMatchObject({ structuredContent: {} });
    await stop(second);
    execFileSync('npx', ['agent-service', 'export', 'all.jsonl'], options);
    expect(statSync(join(cwd, 'all.jsonl')).size).toBeGreaterThan(0);
  });

  it('as a package has the types that authors of skill modules need', () => {
    const cwd = newFolder('author');
    writeFileSync(join(cwd, 'package.json'), '{ "type": "module" }');
    const skills = newFolder('author/skills');
    const env = { PATH, HOME: newFolder('author-home'), SKILLS_DIR: skills };
    const install = ['install', '--prefix', '.', '--omit=optional', '--ignore-scripts', '--offline', '--no-audit'];
    execFileSync('npm', [...install, archive], { cwd, env, stdio: ['ignore', 'ignore', 'inherit'] });
    mkdirSync(join(cwd, 'node_modules/@types'));
    symlinkSync(resolve('node_modules/@types/node'), join(cwd, 'node_modules/@types/node'), 'junction');
    const run = (...args: string[]) => spawnSync(process.execPath, args, { cwd, env, encoding: 'utf8' });
    expect(run('node_modules/agent-service/bin/agent-service.js', 'skill-new', 'words')).toMatchObject({ status: 0 });
    const { module, test } = moduleOfManual();
    const importing = `import { skill } from 'agent-service/skill';\n`;
    const written = {
      'github_issues.ts': module,
      'github_issues.test.ts': test,
      'no_schema.ts': `${importing}skill<{ limit?: number }>({ name: 'a', description: 'b', execute: () => '' });`,
      'no_description.ts': `${importing}skill({ name: 'a', execute: () => '' });`,
      'context.ts': `${importing}skill({ name: 'a', description: 'b', execute: (input, { fetches }) => fetches });`,
    };
    for (const [file, code] of Object.entries(written)) writeFileSync(join(skills, file), code);
    const compiler = resolve('tools/node_modules/typescript/bin/tsc');
    const mistakes = (...args: string[]) =>
      run(compiler, ...args).stdout.match(/^\S+\.ts\(|'\w+' (?:is missing|does)/gm);
    const expected = [
      ...['skills/context.ts(', `'fetches' does`],
      ...['skills/no_description.ts(', `'description' is missing`],
      ...['skills/no_schema.ts(', `'input' is missing`],
    ];
    expect(mistakes('-p', 'skills')).toEqual(expected);
    // Without the paths of that tsconfig.json, as in a project with its own.
    const own = ['--ignoreConfig', '--noEmit', '--strict', '--module', 'nodenext', 'skills/words.test.ts'];
    expect(mistakes(...own, 'skills/context.ts', 'skills/no_description.ts', 'skills/no_schema.ts')).toEqual(expected);
    const imported = run(
      '--input-type=module',
      '-e',
      `import { ask } from 'agent-service/skill'; console.log(typeof ask)`,
    );
    expect(imported.stdout).toBe('function\n');
  });
});

function sizeOf(path: string): number {
  if (!statSync(path).isDirectory()) return statSync(path).size;
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0);
}
