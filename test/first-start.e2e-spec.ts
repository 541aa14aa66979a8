import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { ChildProcesses } from './harness/child-processes.js';
import { freePort } from './harness/free-port.js';
import { until } from './support/until.js';

const VITE = 'libs/admin-ui/node_modules/vite/bin/vite.js';
/** Writes an index.html to the output folder, like the real build. */
const BUILDS = `const { mkdirSync, writeFileSync } = require('node:fs');
const folder = process.argv[process.argv.indexOf('--outDir') + 1];
mkdirSync(folder);
writeFileSync(folder + '/index.html', '<!doctype html><title>built</title>');`;
const FAILS = `console.log('transforming ...'); console.error('the pages do not compile'); process.exit(1);`;

interface Start {
  child: ChildProcess;
  stdout: () => string;
  stderr: () => string;
}

describe('a clone', () => {
  let folder: string;
  let clone: string;
  const children = new ChildProcesses();

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'clone-'));
    clone = join(folder, 'clone');
    for (const path of ['bin', 'package.json', '.swcrc']) cpSync(path, join(clone, path), { recursive: true });
    symlinkSync(resolve('node_modules'), join(clone, 'node_modules'));
  });
  afterEach(async () => {
    await children.kill();
    rmSync(folder, { recursive: true, force: true });
  });

  function write(path: string, content: string): void {
    mkdirSync(dirname(join(clone, path)), { recursive: true });
    writeFileSync(join(clone, path), content);
  }

  /** Writes the sources of the pages, with installed packages; the test provides the code of Vite. */
  function writePages(vite: string): void {
    write('libs/admin-ui/index.html', '<!doctype html>');
    const packages = { 'node_modules/vite': { version: '8.0.0' } };
    for (const folder of ['libs/admin-ui/', 'libs/admin-ui/node_modules/.'])
      write(`${folder}package-lock.json`, JSON.stringify({ packages }));
    write(VITE, vite);
    write('libs/admin-ui/node_modules/vite/package.json', '{}');
  }

  function start(env: Record<string, string> = {}): Start {
    const child = spawn(process.execPath, ['bin/start.js'], {
      cwd: clone,
      env: { PATH: process.env['PATH'], LOG_LEVEL: 'warn', ...env },
    });
    children.add(child);
    const output = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const) child[name].on('data', (text) => (output[name] += String(text)));
    // Most tests do not care about transpilation.
    const stderr = () => output.stderr.replaceAll(/^Transpiling .*\n/gm, '');
    return { child, stdout: () => output.stdout, stderr };
  }

  async function run(env: Record<string, string> = {}): Promise<{ code: number; said: string; stderr: string }> {
    const { child, stdout, stderr } = start(env);
    const [code] = (await once(child, 'close')) as [number];
    // Without the title.
    return { code, said: stdout().split('\n').slice(2).join('\n'), stderr: stderr() };
  }

  describe('of the service', () => {
    beforeEach(() => {
      for (const path of ['src', 'libs']) {
        const isSource = (file: string) => !/^libs\W(?:admin-ui|app-views)\b/.test(file);
        cpSync(path, join(clone, path), { recursive: true, filter: isSource });
      }
    });

    async function startService(): Promise<Start & { origin: string }> {
      const port = String(await freePort());
      const started = start({ PORT: port, DATA_DIR: join(clone, 'data'), ADMIN_PASSWORD: 'of-the-first-start' });
      await until(() => {
        if (started.child.exitCode !== null) throw new Error(started.stderr());
        return started.stdout().includes('Next');
      });
      return { ...started, origin: `http://127.0.0.1:${port}` };
    }

    it('says its banner at the first start, and that it prepares the pages, which are there soon', async () => {
      writePages(BUILDS);
      const { origin, stdout, stderr } = await startService();
      await until(async () => (await (await fetch(`${origin}/admin/`)).text()).includes('<title>built'));
      expect(stdout().trim().split('\n')).toEqual([
        expect.stringMatching(/^Agent Service \d/),
        `  MCP endpoint  ${origin}/mcp`,
        `  Admin         ${origin}/admin`,
        expect.stringMatching(/^ {2}Next {10}no API key yet/),
      ]);
      expect(stderr()).toMatch(/^Building the administration pages\. .*\n$/);
    });

    it('says nothing but its banner when the pages are there', async () => {
      writePages(FAILS);
      write('libs/admin-ui/dist/index.html', '<!doctype html><title>built</title>');
      const { origin, stderr } = await startService();
      expect((await fetch(`${origin}/admin/`)).status).toBe(200);
      expect(stderr()).toBe('');
    });

    it('serves without the pages when they cannot be built, and says why and how to try again', async () => {
      writePages(FAILS);
      const { origin, stderr } = await startService();
      await until(() => stderr().includes('npm run build:ui'));
      expect(stderr()).toContain('the pages do not compile');
      const { status } = await fetch(`${origin}/health/live`);
      expect(status).toBe(200);
      const pages = await fetch(`${origin}/admin/`);
      expect([pages.status, await pages.text()]).toEqual([503, expect.stringContaining('npm run build:ui')]);
      expect(readdirSync(join(clone, 'dist')).sort()).toEqual(['.compiled', 'libs', 'src']);
    });

    it.each(['SIGTERM', 'SIGKILL'] as const)('ends the build of the pages when %s ends it', async (signal) => {
      writePages(`require('node:fs').writeFileSync('began', ''); setInterval(() => {}, 1000);`);
      const { child, stderr } = await startService();
      await until(() => existsSync(join(clone, 'libs/admin-ui/began')));
      const ended = once(child, 'close');
      child.kill(signal);
      await until(() => readdirSync(join(clone, 'dist')).every((name) => !name.startsWith('pages-')));
      await ended;
      expect(stderr()).toMatch(/^Building the administration pages\. .*\n$/);
    });
  });

  it('runs the current sources, and nothing of a deleted one', async () => {
    write('src/main.ts', `import { word } from './word.js';\nconsole.log(word satisfies string);\n`);
    write('src/word.ts', `export const word: string = 'first';\n`);
    expect((await run()).said).toBe('first\n');
    write('src/word.ts', `export const word: string = 'second';\n`);
    expect((await run()).said).toBe('second\n');
    rmSync(join(clone, 'src/word.ts'));
    const { code, stderr } = await run();
    expect([code, stderr]).toEqual([1, expect.stringContaining('word.js')]);
    expect(existsSync(join(clone, 'dist/src/word.js'))).toBe(false);
  });

  it('does not use the packages of the pages when they are not those of the lock file', async () => {
    writePages(BUILDS);
    write(
      'libs/admin-ui/package-lock.json',
      JSON.stringify({ packages: { 'node_modules/vite': { version: '9.0.0' } } }),
    );
    const isInstalled = `const { isInstalled } = await import('./bin/build/packages.js');
      console.log(isInstalled('libs/admin-ui'));`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', isInstalled], { cwd: clone });
    expect(await text(child.stdout)).toBe('false\n');
  });

  it('says that the pages cannot be built where a folder has a # in its name', async () => {
    writePages(BUILDS);
    const place = join(folder, 'clone #1');
    renameSync(clone, place);
    const build = spawn(process.execPath, ['bin/build/pages.js'], { cwd: place });
    expect(await text(build.stderr)).toBe(`Vite takes no path with # or ?: rename or move ${place}\n`);
    expect(existsSync(join(place, 'dist'))).toBe(false);
  });

  it('says that memory may have run out when the build of the pages is killed', async () => {
    writePages(`console.log('transforming ...'); process.kill(process.pid, 'SIGKILL');`);
    const build = spawn(process.execPath, ['bin/build/pages.js'], { cwd: clone });
    expect(await text(build.stderr)).toMatch(/ was killed, probably for lack of memory:\ntransforming/);
  });

  it('can be started several times at once', async () => {
    for (let at = 0; at < 100; at++) write(`src/part-${at}.ts`, `export const part: number = ${at};\n`);
    const imports = Array.from({ length: 100 }, (_, at) => `import { part as part${at} } from './part-${at}.js';`);
    const sum = Array.from({ length: 100 }, (_, at) => `part${at}`).join(' + ');
    write('src/main.ts', `${imports.join('\n')}\nconsole.log(${sum});\n`);
    const runs = await Promise.all(Array.from({ length: 4 }, () => run()));
    expect(runs).toEqual(runs.map(() => ({ code: 0, said: '4950\n', stderr: '' })));
    expect(readdirSync(join(clone, 'dist')).sort()).toEqual(['.compiled', 'libs', 'src']);
  });

  it('names the lines of the sources where something fails', async () => {
    write(
      'src/main.ts',
      `interface Gone {\n  anyway: true;\n}\n\nconst fail = (_: Gone) => {\n  throw new Error('here');\n};\nfail({ anyway: true });\n`,
    );
    const { stderr } = await run();
    expect(stderr).toMatch(/src\/main\.ts:6:\d+/);
  });

  it('says where a source is not TypeScript', async () => {
    write('src/main.ts', 'const = 1;\n');
    const { code, stderr } = await run();
    expect(code).toBe(1);
    expect(stderr).toMatch(/^Agent Service cannot be built: .*\n[^]*main\.ts/);
  });

  describe('without packages', () => {
    beforeEach(() => {
      // The transpiler is installed, and nothing else.
      renameSync(join(clone, 'node_modules'), join(folder, 'node_modules'));
      write(
        'word/package.json',
        JSON.stringify({ name: 'word', version: '1.0.0', exports: './word.js', type: 'module' }),
      );
      write('word/word.js', `export const word = 'installed';\n`);
      write('src/main.ts', `import { word } from 'word';\nconsole.log(word satisfies string);\n`);
    });

    function writeLock(names: string[], packages: Record<string, object>): void {
      const dependencies = Object.fromEntries(names.map((name) => [name, name === 'word' ? 'file:word' : '1.0.0']));
      const root = { name: 'clone', version: '1.0.0', dependencies };
      write('package.json', JSON.stringify({ ...root, type: 'module' }));
      const all = { '': root, ...packages };
      write('package-lock.json', JSON.stringify({ lockfileVersion: 3, requires: true, packages: all }));
    }

    const offline = () => ({ HOME: clone, npm_config_offline: 'true', npm_config_cache: join(clone, 'cache') });

    it('installs them, says so, and runs', async () => {
      writeLock(['word'], { word: { version: '1.0.0' }, 'node_modules/word': { resolved: 'word', link: true } });
      const { code, said, stderr } = await run(offline());
      expect([code, said]).toEqual([0, 'installed\n']);
      expect(stderr).toMatch(/^Installing the packages: 2 of them, once\.\n/);
      expect((await run(offline())).stderr).toBe('');
    });

    it('omits development dependencies, which the tests add later', async () => {
      const link = (name: string) => ({ resolved: name, link: true });
      write('later/package.json', JSON.stringify({ name: 'later', version: '1.0.0' }));
      const root = {
        name: 'clone',
        version: '1.0.0',
        dependencies: { word: 'file:word' },
        devDependencies: { later: 'file:later' },
      };
      const packages = {
        '': root,
        ...{ word: { version: '1.0.0' }, 'node_modules/word': link('word') },
        ...{ later: { version: '1.0.0', dev: true }, 'node_modules/later': { ...link('later'), dev: true } },
      };
      write('package.json', JSON.stringify({ ...root, type: 'module' }));
      write('package-lock.json', JSON.stringify({ lockfileVersion: 3, requires: true, packages }));
      const { said, stderr } = await run(offline());
      expect([said, stderr]).toEqual([
        'installed\n',
        expect.stringMatching(/^Installing the packages: 2 of them, once\.\n/),
      ]);
      const names = () =>
        readdirSync(join(clone, 'node_modules'))
          .filter((name) => !name.startsWith('.'))
          .sort();
      expect(names()).toEqual(['word']);
      const placeOf = () => lstatSync(join(clone, 'node_modules/word')).ino;
      const place = placeOf();

      const rest = spawn(process.execPath, ['bin/build/packages.js', '.'], {
        cwd: clone,
        env: { ...process.env, ...offline() },
      });
      expect(await text(rest.stderr)).toMatch(/^Installing the packages: \d of them, once\.\n/);
      expect([names(), placeOf()]).toEqual([['later', 'word'], place]);
      expect((await run(offline())).stderr).toBe('');
    });

    it('adds what is installed when it is wanted, in a folder of its own', async () => {
      const root = { name: 'embeddings', version: '1.0.0', dependencies: { word: 'file:../word' } };
      const packages = {
        '': root,
        '../word': { version: '1.0.0' },
        'node_modules/word': { resolved: '../word', link: true },
      };
      write('embeddings/package.json', JSON.stringify(root));
      write('embeddings/package-lock.json', JSON.stringify({ lockfileVersion: 3, requires: true, packages }));
      const add = spawn(process.execPath, ['bin/agent-service.js', 'add', 'embeddings'], {
        cwd: clone,
        env: { ...process.env, ...offline() },
      });
      expect(await Promise.all([text(add.stdout), text(add.stderr)])).toEqual([
        'embeddings installed.\n',
        expect.stringMatching(/^Installing the packages of embeddings: 2 of them, once\.\n/),
      ]);
      expect(existsSync(join(clone, 'embeddings/node_modules/word/word.js'))).toBe(true);
    });

    it('says why they cannot be installed', async () => {
      const resolved = 'https://registry.example.com/gone/-/gone-1.0.0.tgz';
      writeLock(['gone'], { 'node_modules/gone': { version: '1.0.0', resolved } });
      const { code, said, stderr } = await run(offline());
      expect([code, said]).toEqual([1, '']);
      expect(stderr).toMatch(/^(?:Installing .*\n)+Agent Service cannot be installed: .*npm.* failed:\n/);
    });
  });
});
