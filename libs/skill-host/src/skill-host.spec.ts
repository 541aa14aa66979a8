import { ChildProcess, fork } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { HostLimits, ModuleReply, ModuleRequest } from './protocol.js';
import { ModuleFailed, ModuleInterrupted } from './module-thread.js';
import { SkillHost } from './skill-host.js';

/** Long limits, so that on a busy machine threads time out only in the tests of timeouts. */
const PATIENT = { openMs: 120_000, noticeMs: 120_000, endMs: 120_000 };
const LIMITS: Partial<HostLimits> = { ...PATIENT, heapMegabytes: 32, bufferMegabytes: 64, hostMegabytes: 400 };
const GIVEN = JSON.stringify({ caller: { name: 'ada', groups: ['dev'] }, answers: {}, secrets: { key: 'stand-in' } });

const raise = (error: Error): never => {
  throw error;
};

function failing(process: ChildProcess): ChildProcess {
  setImmediate(() => process.emit('error', new Error('EMFILE')));
  return process;
}

/** A host whose first process cannot start. */
class UnluckyHost extends SkillHost {
  private starts = 0;

  constructor(
    private readonly startFirst: () => ChildProcess,
    options: ConstructorParameters<typeof SkillHost>[0],
  ) {
    super(options);
  }

  protected override startProcess(): ChildProcess {
    this.starts += 1;
    return this.starts === 1 ? this.startFirst() : super.startProcess();
  }
}

describe('SkillHost', () => {
  const offences: string[] = [];
  const lines: string[] = [];
  const hosts: SkillHost[] = [];
  const newHost = (options = {}) => {
    const host = new SkillHost({
      limits: LIMITS,
      onLog: (key, level, line) => lines.push(`${key} ${level} ${line}`),
      onOffence: (key, message) => offences.push(`${key}: ${message}`),
      ...options,
    });
    hosts.push(host);
    return host;
  };
  let shared: SkillHost;
  let keys = 0;
  beforeAll(() => {
    // The modules of all tests stay in this host: memory limits are tested with separate hosts.
    shared = newHost({ limits: { ...LIMITS, hostMegabytes: 2_000 } });
  });
  beforeEach(() => {
    offences.length = 0;
    lines.length = 0;
  });
  afterAll(() => Promise.all(hosts.map((host) => host.stop())));

  const never = new AbortController().signal;
  const moduleOf = (code: string, file = 'm.ts', others: Record<string, string> = {}) => ({
    key: `m${(keys += 1)}`,
    file,
    files: { [file]: code, ...others },
    hasTypes: true,
  });
  const skillOf = (body: string) =>
    moduleOf(`export default { name: 's', async execute(input, context) { ${body} } };`);
  interface Options {
    host?: SkillHost;
    input?: object;
    signal?: AbortSignal;
    request?: (asked: ModuleRequest, signal: AbortSignal) => Promise<ModuleReply>;
    progress?: (told: object) => void;
  }
  const call = async (module: ReturnType<typeof moduleOf>, options: Options = {}): Promise<unknown> => {
    const { host = shared, input = {}, signal = never, progress = () => undefined } = options;
    const { request = () => Promise.reject(new Error('nothing to ask')) } = options;
    const asked = { skill: 's', input: JSON.stringify(input), context: GIVEN };
    const answer = JSON.parse(await host.call(module, asked, { request, progress }, signal)) as object;
    return 'output' in answer ? answer.output : answer;
  };
  const echo = skillOf('return { ...input, caller: context.caller.name };');

  it('distinguishes a module that failed to load from one whose host ended meanwhile', async () => {
    const host = newHost();
    const failed = await host.open(moduleOf('throw new Error("no");')).catch((error: unknown) => error);
    expect([failed instanceof ModuleFailed, failed instanceof ModuleInterrupted]).toEqual([true, false]);
    const opening = host.open(moduleOf('await new Promise(() => undefined);')).catch((error: unknown) => error);
    process.kill(host.pid ?? 0, 'SIGKILL');
    expect(await opening).toEqual(new ModuleInterrupted('the process that runs modules ended (SIGKILL)'));
    expect(await opening).toBeInstanceOf(ModuleInterrupted);
  });

  it('runs a skill written in TypeScript, with the kit, and says what it declares', async () => {
    const code = `
      import { skill, text, result } from 'agent-service/skill';
      interface Input { n: number }
      export default skill<Input>({
        name: 's', description: 'Doubles.', input: { type: 'object', properties: { n: { type: 'number' } } },
        execute: ({ n }, { caller }) => result(text(String(n * 2)), text(caller.groups.join())),
      });`;
    const module = moduleOf(code);
    const { declaration, files } = await shared.open(module);
    const js = files['m.ts'] ?? '';
    expect(JSON.parse(declaration)).toEqual([
      { name: 's', description: 'Doubles.', input: { type: 'object', properties: { n: { type: 'number' } } } },
    ]);
    expect(js.split('\n')).toHaveLength(code.split('\n').length);
    expect(js).not.toContain('interface');
    const content = [
      { type: 'text', text: '4' },
      { type: 'text', text: 'dev' },
    ];
    expect(await call(module, { input: { n: 2 } })).toEqual({ content });
    expect(await call({ ...module, key: 'again', files, hasTypes: false }, { input: { n: 3 } })).toMatchObject({
      content: [{ text: '6' }, { text: 'dev' }],
    });
  });

  it('takes texts and images of the kit for the content of a result, but no other data', async () => {
    const module = moduleOf(`
      import { image, text } from 'agent-service/skill';
      const made = { one: text('a'), list: [text('a'), image('aGk=', 'image/png')], none: [], data: [{ type: 'text', text: 'a' }] };
      export default { name: 's', execute: ({ what }) => made[what] };`);
    const returned = (what: string) => call(module, { input: { what } });
    const [block, picture] = [
      { type: 'text', text: 'a' },
      { type: 'image', data: 'aGk=', mimeType: 'image/png' },
    ];
    expect(await returned('one')).toEqual({ content: [block] });
    expect(await returned('list')).toEqual({ content: [block, picture] });
    expect([await returned('none'), await returned('data')]).toEqual([[], [block]]);
  });

  it('returns the code that it was given, whatever the module says of it', async () => {
    const module = moduleOf(`
      const { postMessage } = MessagePort.prototype;
      MessagePort.prototype.postMessage = function (message) {
        const files = { 'm.ts': 'other code' };
        for (const type of ['read', 'opened']) postMessage.call(this, { ...message, type, files });
      };
      export default { name: 's', execute: () => 1 };`);
    expect((await shared.open(module)).files).toEqual(module.files);
  });

  it('keeps what a module has in its thread from call to call', async () => {
    const module = moduleOf(`let n = 0; export default { name: 's', execute: () => (n += 1) };`);
    expect([await call(module), await call(module), await call(module)]).toEqual([1, 2, 3]);
  });

  it('returns to each of many concurrent calls its own result', async () => {
    const module = skillOf('await new Promise((done) => setTimeout(done, input.ms)); return input.n;');
    const all = Array.from({ length: 200 }, (_, n) => call(module, { input: { n, ms: (n * 7) % 20 } }));
    expect(await Promise.all(all)).toEqual(Array.from({ length: 200 }, (_, n) => n));
  });

  it('asks the service, and passes progress, log and questions on', async () => {
    const module = moduleOf(`
      import { ask } from 'agent-service/skill';
      export default { name: 's', async execute({ what }, context) {
        if (what === 'ask') return ask({ size: { message: 'How large?', schema: { type: 'object' } } });
        console.warn('asking', { what });
        context.progress(1, 2, 'half');
        const response = await context.fetch('https://a.example/x?k=' + context.secret('key'), {
          method: 'POST', body: 'hello', headers: { 'x-a': '1' } });
        await context.state.set({ n: 1 });
        return [response.status, response.url, await response.text(), await context.callSkill('other', { a: 1 }), await context.state.get()];
      } };`);
    const asked: unknown[] = [];
    const told: unknown[] = [];
    const request = ({ kind, value, body }: ModuleRequest): Promise<ModuleReply> => {
      asked.push([kind, JSON.parse(value), body && Buffer.from(body).toString()]);
      if (kind === 'fetch')
        return Promise.resolve({
          value: JSON.stringify({ status: 201, headers: { a: 'b' }, url: 'https://a.example/y' }),
          body: Buffer.from('answer'),
        });
      return Promise.resolve({ value: JSON.stringify(kind === 'skill' ? { ok: true } : 'kept') });
    };
    const progress = (step: object) => told.push(step);
    const output = await call(module, { request, progress });
    expect(output).toEqual([201, 'https://a.example/y', 'answer', { ok: true }, 'kept']);
    expect(asked).toEqual([
      [
        'fetch',
        {
          url: 'https://a.example/x?k=stand-in',
          method: 'POST',
          headers: { 'x-a': '1', 'content-type': 'text/plain;charset=UTF-8' },
          redirect: 'follow',
        },
        'hello',
      ],
      ['state_set', { n: 1 }, undefined],
      ['skill', { name: 'other', input: { a: 1 } }, undefined],
      ['state_get', null, undefined],
    ]);
    expect(told).toEqual([{ progress: 1, total: 2, message: 'half' }]);
    expect(lines).toEqual([`${module.key} warning asking { what: undefined }`]);
    expect(await call(module, { input: { what: 'ask' } })).toEqual({
      questions: { size: { message: 'How large?', schema: { type: 'object' } } },
    });
  });

  it('logs what else the console writes', async () => {
    const module = skillOf(
      `console.table([1]); console.assert(true); console.assert(false, 'odd'); console.time('a'); console.timeEnd('a');
       console.group('group'); console.groupEnd(); return 'done';`,
    );
    expect(await call(module)).toBe('done');
    expect(lines.map((line) => line.replace(`${module.key} `, ''))).toEqual([
      'info [ 1 ]',
      'error Assertion failed odd',
      'info group',
    ]);
  });

  it('limits lines and progress by a clock that no module can replace', async () => {
    const module = skillOf(`
      let used = 0;
      performance.now = () => (used += 1);
      console.log('line');
      context.progress(1);
      return used;`);
    expect(await call(module)).toBe(0);
    expect(lines).toEqual([`${module.key} info line`]);
  });

  it('reports no progress that is not a number', async () => {
    const module = skillOf(
      `for (const odd of ['abc', Infinity, NaN, undefined]) context.progress(odd, 2);
       context.progress('3', Infinity, 'three'); return 'done';`,
    );
    const told: unknown[] = [];
    expect(await call(module, { progress: (step) => told.push(step) })).toBe('done');
    expect(told).toEqual([{ progress: 3, message: 'three' }]);
  });

  it('aborts a request when its own signal fires, and follows no redirect that should be an error', async () => {
    const module = skillOf(`
      const [own, other] = [new AbortController(), AbortSignal.abort(new Error('never sent'))];
      const given = [{ signal: own.signal }, { signal: other }, { redirect: 'error' }, { redirect: 'manual' }];
      const waiting = given.map((init) => context.fetch('https://a.example/' + (init.signal ? 'held' : ''), init));
      own.abort(new Error('too long'));
      const ended = await Promise.allSettled(waiting);
      return ended.map(({ reason, value }) => reason?.message ?? value.status);`);
    const redirect = { value: JSON.stringify({ status: 302, headers: { location: '/b' }, url: 'https://a.example/' }) };
    const request = ({ value }: ModuleRequest): Promise<ModuleReply> =>
      value.includes('held') ? new Promise(() => undefined) : Promise.resolve({ ...redirect, body: Buffer.from('') });
    expect(await call(module, { request })).toEqual([
      'too long',
      'never sent',
      "https://a.example/ redirects, and the request says redirect: 'error'",
      302,
    ]);
  });

  it('gives a module the reason why the service refused its request', async () => {
    const module = skillOf(
      'try { await context.fetch("https://b.example/"); } catch (error) { return error.message; }',
    );
    expect(await call(module)).toBe('nothing to ask');
  });

  it.each([
    ['a syntax error in TypeScript', `const a = 1;\nconst b: = 2;`, /line|Unexpected token.*m\.ts:/],
    ['a syntax error in JavaScript', `const a = 1;\nconst b c;`, /m\.(js|ts):2/, 'm.js'],
    ['a name that is declared twice', `const a: number = 1;\n\nconst a = 2;`, /already been declared \(m\.ts:3\)/],
    ['an enum', `enum A { x }\nexport default A;`, /enum is not supported/],
    ['no default export', `export const a = 1;`, /export default must be a skill/],
    ['a default export that is no skill', `export default [{ name: 's' }];`, /export default must be a skill/],
    ['an exception', `\n\nthrow new Error('no luck');`, /no luck \(m\.ts:3/],
    ['a getter that throws', `export default { get name() { throw new Error('ha'); }, execute() {} };`, /ha \(m\.ts:1/],
    ['a circle', `const a = { execute() {} }; a.a = a; export default a;`, /circular/],
    [
      'a file that it imports',
      `import './other.js';`,
      /m\.ts imports "\.\/other\.js", which is not there: a module has the \.ts, .* files of its folder/,
    ],
    ['a file without code', `import data from './data.json';`, /put data such as JSON into one/],
    ['a package', `import 'express';`, /cannot import "express"/],
    ['a member of objects', `import './constructor';`, /which is not there/],
    ['an exit', `process.exit(1);`, /cannot end the process/],
    ['something thrown that is no error', `throw { toString() { throw 1; } };`, /cannot be shown/],
  ])('refuses a module with %s, and says where', async (_what, code, message, file = 'm.ts') => {
    await expect(shared.open(moduleOf(code, file))).rejects.toThrow(message);
    expect(await call(echo)).toEqual({ caller: 'ada' });
  });

  const REFUSED = [
    ...['fs', 'node:fs', 'fs/promises', 'child_process', 'worker_threads', 'module', 'node:sqlite', 'v8', 'vm', 'wasi'],
    ...[
      'inspector',
      'net',
      'http',
      'https',
      'http2',
      'dgram',
      'dns',
      'cluster',
      'os',
      'node:test',
      'repl',
      'tls',
      'perf_hooks',
    ],
    ...['data:text/javascript,1', 'file:///etc/passwd', 'node:ffi', 'readline', 'tty', 'domain', 'trace_events', 'sys'],
  ];
  it('lets no module have what reaches out of its thread, by any way', async () => {
    const module = skillOf(`
      const got = [];
      for (const name of input.names) {
        got.push(await import(name).then(() => name, (error) => error.message.includes('cannot import') || error.message));
        got.push(typeof process.getBuiltinModule(name) === 'undefined' || name);
      }
      return got;`);
    expect(await call(module, { input: { names: REFUSED } })).toEqual(REFUSED.flatMap(() => [true, true]));
    const ways = [
      ...[
        'binding',
        '_linkedBinding',
        'mainModule',
        'dlopen',
        '_kill',
        'reallyExit',
        'setUncaughtExceptionCaptureCallback',
      ],
      ...['send', 'channel', 'chdir', 'umask', 'permission', 'report', 'constructor.binding'],
    ].map((name) => `typeof process.${name}`);
    ways.push(
      'typeof require',
      `typeof (function () {}).constructor('return process')().binding`,
      'typeof WebAssembly',
    );
    expect(await call(skillOf(`return [${ways.join()}];`))).toEqual(ways.map(() => 'undefined'));
    for (const name of ['node:sqlite', 'fs', 'worker_threads'])
      for (const code of [`import x from '${name}'; export default x;`, `export { default } from '${name}';`])
        await expect(shared.open(moduleOf(code))).rejects.toThrow(/cannot import/);
    await expect(call(skillOf('(await import("process")).default.kill();'))).rejects.toThrow('cannot end the process');
  });

  /** The real process of the thread, on which Node emits warnings. */
  const REAL_PROCESS = `
    import { EventEmitter } from 'node:events';
    const real = await new Promise((resolve) => {
      EventEmitter.prototype.emit = function () { resolve(this); };
      const overheard = new EventEmitter().setMaxListeners(1);
      for (let n = 0; n < 2; n += 1) overheard.on('error', () => {});
    });`;

  it('runs threads with the permissions of their process, whatever they reach', async () => {
    const scopes = ['fs.read', 'fs.write', 'net', 'child', 'addon', 'wasi', 'inspector'];
    const code = `${REAL_PROCESS}
      export default { name: 's', execute: ({ scopes }) => scopes.filter((scope) => real.permission?.has(scope) ?? true) };`;
    expect(await call(moduleOf(code), { input: { scopes } })).toEqual([]);
  });

  it('lets no module import more by replacing methods, and takes what reaches out from its real process', async () => {
    const code = `${REAL_PROCESS}
      export default { name: 's', async execute({ names, members }) {
        Set.prototype.has = Map.prototype.has = Object.hasOwn = Array.prototype.includes = () => true;
        const imported = await Promise.all(names.map((name) => import(name).then(() => name, () => null)));
        return [...imported, ...members.filter((name) => name in real)].filter((name) => name !== null);
      } };`;
    const members = ['getBuiltinModule', 'binding', '_linkedBinding', 'dlopen', 'kill', '_kill', 'execve', 'report'];
    const names = ['sqlite', 'node:sqlite', 'worker_threads', 'node:worker_threads', 'node:fs'];
    expect(await call(moduleOf(code), { input: { names, members } })).toEqual([]);
  });

  describe('of several files', () => {
    const main = (imports: string, body = '') =>
      `${imports}\nexport default { name: 's', async execute(input, context) { ${body} } };`;
    const folder = (index: string, others: Record<string, string>) =>
      moduleOf(
        index,
        'w/index.ts',
        Object.fromEntries(Object.entries(others).map(([path, text]) => [`w/${path}`, text])),
      );

    it('imports its own files, in circles too, and says at which line of which file it fails', async () => {
      const module = folder(
        main(`import { twice } from './lib/twice.ts';`, 'return [twice(input.n), count];') + 'let count = 1;',
        {
          'lib/twice.ts': `import { add } from '../add.mjs';\nexport const twice = (n: number): number => {\n  if (n < 0) throw new Error('negative');\n  return add(n, n); };`,
          'add.mjs': `import { twice } from './lib/twice.ts';\nexport const add = (a, b) => (typeof twice === 'function' ? a + b : 0);`,
        },
      );
      expect(await call(module, { input: { n: 21 } })).toEqual([42, 1]);
      await expect(call(module, { input: { n: -1 } })).rejects.toThrow('negative (w/lib/twice.ts:3:20)');
      const { files } = await shared.open(module);
      expect(await call({ ...module, key: 'js', files, hasTypes: false }, { input: { n: 1 } })).toEqual([2, 1]);
    });

    it.each([
      ['a file above its folder', '../x.ts', /w\/lib\/a\.ts imports "\.\.\/x\.ts"|cannot import/],
      ['a file far above', '../../../../etc/passwd', /which is not there/],
      ['a file of the host', '../../module.worker.js', /which is not there/],
      ['a file without its extension', './b', /write "\.\/b\.ts"/],
      ['a file with another extension', './b.js', /write "\.\/b\.ts"/],
      ['a file with a question mark', './b.ts?1', /which is not there/],
      ['an encoded path', './%62.ts', /which is not there/],
      ['a member of objects', './constructor', /which is not there/],
      ['an absolute path', '/etc/passwd', /cannot import/],
      ['a file URL', 'file:///etc/passwd', /cannot import/],
      ['data', 'data:text/javascript,export default 1', /cannot import/],
      ['another URL of its own', 'skill-module:w/lib/b.ts', /cannot import/],
      ['the process of modules', 'skill-process:', /cannot import/],
      ['what reaches out', 'node:fs', /cannot import/],
      ['what reaches out, without its scheme', 'child_process', /cannot import/],
      ['a package', 'express', /cannot import/],
    ])('refuses an inner file that imports %s, at once or later', async (_what, specifier, message) => {
      const imports = main(`import './lib/a.ts';`);
      const others = { 'lib/b.ts': 'export default 1;' };
      const atOnce = folder(imports, { ...others, 'lib/a.ts': `import '${specifier}';` });
      await expect(shared.open(atOnce)).rejects.toThrow(message);
      const later = folder(main(`import { load } from './lib/a.ts';`, 'return load();'), {
        ...others,
        'lib/a.ts': `export const load = () => import('${specifier}');`,
      });
      await expect(call(later)).rejects.toThrow(message);
    });

    it('says in which file the syntax is wrong, of TypeScript and JavaScript', async () => {
      for (const path of ['lib/a.ts', 'lib/a.js']) {
        const module = folder(main(`import './${path}';`), { [path]: 'export const a = 1;\nexport const = 2;' });
        await expect(shared.open(module)).rejects.toThrow(`w/${path}:2`);
      }
    });
  });

  it('exposes nothing of the service to a module: no environment, no network, no file, no add-on', async () => {
    const module = skillOf(
      `return [Object.keys(process.env), typeof fetch, typeof WebSocket, process.cwd(), process.argv];`,
    );
    expect(await call(module)).toEqual([[], 'undefined', 'undefined', '/', []]);
  });

  it.each([
    ['throws', `throw new Error('no luck');`, /no luck \(m\.ts:1/],
    ['throws nothing', `throw undefined;`, /undefined/],
    ['returns what is no JSON', `return { n: 1n };`, /BigInt/],
    ['returns a Map', `return new Map([['a', 1]]);`, /returned a value of the kind Map: return a text, an object/],
    ['returns an error', `return new TypeError('no luck');`, /returned a value of the kind Error/],
    ['returns a function', `return () => 1;`, /returned a value of the kind function/],
    ['returns a getter that throws', `return { get a() { throw new Error('ha'); } };`, /ha/],
    ['kills itself', `process.kill(process.pid);`, /cannot end the process/],
    ['exits', `process.exit();`, /cannot end the process/],
    ['uses a secret that it did not declare', `return context.secret('other');`, /does not declare the secret other/],
    [
      'asks for too much at once',
      `await Promise.all(Array.from({ length: 30 }, () => context.state.get()));`,
      /20 requests/,
    ],
  ])('says so when a skill %s', async (_what, body, message) => {
    const request = () => new Promise<ModuleReply>(() => undefined);
    await expect(call(skillOf(body), { request })).rejects.toThrow(message);
    expect(await call(echo)).toEqual({ caller: 'ada' });
    expect(offences).toEqual([]);
  });

  it.each([
    ['leaves a rejection unhandled', `Promise.reject(new Error('alone')); await new Promise(() => {});`, /alone/],
    ['throws later', `setTimeout(() => { throw new Error('late'); }); await new Promise(() => {});`, /late/],
  ])('ends only the thread when a skill %s', async (_what, body, message) => {
    await expect(call(skillOf(body))).rejects.toThrow(message);
    expect(await call(echo)).toEqual({ caller: 'ada' });
  });

  it.each([
    ['of heap', `const all = []; for (;;) all.push({ n: all.length, s: [all.length] });`],
    ['of texts', `let s = ''; const all = []; for (let i = 0; ; i++) all.push(s = (i + s).slice(0, 1e6) + i);`],
    [
      'of buffers',
      `const all = []; for (;;) { all.push(new Uint8Array(5e6).fill(1)); await new Promise((r) => setTimeout(r, 5)); }`,
    ],
  ])('ends a module that takes gigabytes %s, and no other', async (_what, body) => {
    const host = newHost();
    await call(echo, { host });
    const bad = skillOf(body);
    await expect(call(bad, { host })).rejects.toThrow(/ended|stopped|grow/);
    expect(await call(echo, { host })).toEqual({ caller: 'ada' });
    expect(new Set(offences.map((offence) => offence.split(':')[0]))).toEqual(new Set([bad.key]));
    await host.stop();
  });

  it.each([
    ['an endless loop', `for (;;);`],
    ['a wait that blocks', `Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);`],
    ['a call that ignores its signal', `for (;;) await new Promise((r) => setTimeout(r, 5));`],
  ])('ends the thread of %s when its call is cancelled', async (_what, body) => {
    const host = newHost({ limits: { ...LIMITS, noticeMs: 100, endMs: 100 } });
    const module = moduleOf(
      `export default { name: 's', async execute(input) { if (input.good) return 'good'; ${body} } };`,
    );
    const controller = new AbortController();
    await host.open(module);
    const running = call(module, { host, signal: controller.signal });
    await sleep(50);
    controller.abort(new Error('too late'));
    await expect(running).rejects.toThrow('too late');
    while (offences.length === 0) await sleep(10);
    expect(offences[0]).toContain(module.key);
    expect(await call(module, { host, input: { good: true } })).toBe('good');
    await host.stop();
  });

  it('makes a call again that came while another one blocked their thread', async () => {
    const host = newHost({ limits: { ...LIMITS, noticeMs: 300 } });
    const module = moduleOf(
      `let n = 0; export default { name: 's', async execute(input) { n += 1; if (input.loop) for (;;); return n; } };`,
    );
    await host.open(module);
    const controller = new AbortController();
    const looping = call(module, { host, input: { loop: true }, signal: controller.signal });
    const before = call(module, { host }); // it may have started
    before.catch(() => undefined);
    await sleep(50);
    controller.abort(new Error('too late'));
    await expect(looping).rejects.toThrow('too late');
    expect(await call(module, { host })).toBe(1);
    await expect(before).rejects.toThrow('busy without a pause');
    expect(offences).toHaveLength(1);
    await host.stop();
  });

  it.each([
    ['is missing', () => fork('any', { execPath: '/not/there' })],
    ['finds no free files', () => failing(new ChildProcess())],
    ['is refused', () => raise(new Error('EPERM'))],
  ])('starts its process again after one that %s', async (_what, start) => {
    const host = new UnluckyHost(start, { limits: LIMITS, onOffence: (key) => offences.push(key) });
    hosts.push(host);
    await expect(call(echo, { host })).rejects.toThrow(/ENOENT|EMFILE|EPERM/);
    expect(await call(echo, { host, input: { n: 1 } })).toEqual({ n: 1, caller: 'ada' });
    expect(offences).toEqual([]);
  });

  it('stops when its process could not start', async () => {
    const host = new UnluckyHost(() => fork('any', { execPath: '/not/there' }), { limits: LIMITS });
    const waiting = call(echo, { host });
    await host.stop();
    await expect(waiting).rejects.toThrow('the service is stopping');
  });

  it('cancels a call that listens, and keeps its thread', async () => {
    const module = moduleOf(`let n = 0; export default { name: 's', execute: (input, { signal }) => {
      n += 1;
      return input.wait ? new Promise((resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))) : n;
    } };`);
    const controller = new AbortController();
    await shared.open(module);
    const running = call(module, { input: { wait: true }, signal: controller.signal });
    setTimeout(() => controller.abort(new Error('enough')), 50);
    await expect(running).rejects.toThrow('enough');
    expect(await call(module)).toBe(2);
    expect(offences).toEqual([]);
  });

  it('aborts what a call has asked for when the call ends', async () => {
    const module = skillOf(
      'void context.fetch("https://a.example/").catch(() => {}); await new Promise((r) => setTimeout(r, 20)); return 1;',
    );
    const aborted = Promise.withResolvers<unknown>();
    const request = (_asked: ModuleRequest, signal: AbortSignal) =>
      new Promise<ModuleReply>(() => signal.addEventListener('abort', () => aborted.resolve(signal.reason)));
    expect(await call(module, { request })).toBe(1);
    expect(await aborted.promise).toBeInstanceOf(ModuleFailed);
  });

  it('gives up loading a module that does not end', async () => {
    const host = newHost({ limits: { ...LIMITS, openMs: 300 } });
    await expect(host.open(moduleOf('for (;;);'))).rejects.toThrow('did not load within 0.3 s');
    await expect(host.open(moduleOf('await new Promise(() => {});'))).rejects.toThrow('did not load within 0.3 s');
    expect(offences).toHaveLength(2);
    await host.stop();
  });

  it('ends those that have nothing to do when all together need too much, and blames nobody', async () => {
    const host = newHost({ limits: { ...LIMITS, hostMegabytes: 240 } });
    const module = moduleOf(
      'let n = 0; const kept = new Uint8Array(5e7).fill(1); export default { name: "s", execute: () => (n += kept[0]) };',
    );
    const all = Array.from({ length: 6 }, (_, n) => ({ ...module, key: `large ${n}` }));
    const calls: unknown[] = [];
    for (let n = 0; n < 60; n += 1) {
      calls.push(await call(all[n % 6] ?? module, { host }));
      await sleep(20);
    }
    expect(calls.slice(6)).toContain(1); // some were ended and restarted
    expect(offences).toEqual([]);
    await host.stop();
  });

  it('blames no module for memory that another one holds outside of all statistics', async () => {
    const host = newHost({ limits: { ...LIMITS, hostMegabytes: 300 } });
    const innocent = moduleOf(`const kept = new Uint8Array(5e7).fill(1);
      export default { name: 's', execute: () => new Promise(() => kept) };`);
    await host.open(innocent);
    const waiting = call(innocent, { host }).catch((error: Error) => error.message);
    const guilty = moduleOf(`const part = new Uint8Array(4e6).fill(1), all = [];
      export default { name: 's', async execute() {
        for (;;) { all.push(new Blob([part])); await new Promise((r) => setTimeout(r, 5)); }
      } };`);
    await expect(call(guilty, { host })).rejects.toThrow('all modules together need more than 300 MB');
    expect(await waiting).toContain('all modules together need more than 300 MB');
    expect(offences.map((offence) => offence.split(':')[0])).toEqual([guilty.key]);
    await host.stop();
  });

  it('blames the only one that had calls when the host dies, and starts another', async () => {
    const host = newHost();
    const waits = skillOf('await new Promise(() => {});');
    await call(echo, { host });
    await host.open(waits);
    const running = call(waits, { host });
    running.catch(() => undefined);
    await sleep(50);
    process.kill(host.pid ?? NaN, 'SIGKILL');
    await expect(running).rejects.toThrow('the process that runs modules ended (SIGKILL)');
    expect(offences.map((offence) => offence.split(':')[0])).toEqual([waits.key]);
    expect(await call(echo, { host })).toEqual({ caller: 'ada' });
    await host.stop();
  });

  it('blames nobody when the host dies while several have calls', async () => {
    const host = newHost();
    const running = [1, 2].map(() => call(skillOf('await new Promise(() => {});'), { host }));
    for (const one of running) one.catch(() => undefined);
    await call(echo, { host }); // the others have started
    process.kill(host.pid ?? NaN, 'SIGKILL');
    for (const one of running) await expect(one).rejects.toThrow('the process that runs modules ended (SIGKILL)');
    expect(offences).toEqual([]);
    await host.stop();
  });

  /** A module that reaches the port of its thread. */
  const raw = (body: string) =>
    moduleOf(`
      const { postMessage } = MessagePort.prototype;
      let port;
      MessagePort.prototype.postMessage = function (message) { port = this; postMessage.call(this, message); };
      const send = (message) => postMessage.call(port, message);
      export default { name: 's', async execute(input, context) { ${body} } };`);

  it.each([
    ['null', 'null'],
    ['nothing', 'undefined'],
    ['a text', '"returned"'],
    ['a type that is none', '{ type: "ended", ending: "memory", message: "it is mine" }'],
    ['progress without data', '{ type: "progress", id: input.id }'],
    ['progress that is no number', '{ type: "progress", id: input.id, progress: { progress: "1" } }'],
    ['a line that is no text', '{ type: "log", level: "info", text: { a: 1 } }'],
    ['a line of a level that is none', '{ type: "log", level: "constructor", text: "a" }'],
    ['a result that is no text', '{ type: "returned", id: input.id, output: 1 }'],
    ['a result of no call', '{ type: "returned", output: "{}" }'],
    ['a request for nothing', '{ type: "request", id: input.id, request: 1 }'],
    ['a request without data', '{ type: "request", id: input.id, request: 1, asked: { kind: "fetch" } }'],
    [
      'what no process can be sent',
      '{ type: "request", id: input.id, request: 1, asked: { kind: "fetch", value: "{}", body: new SharedArrayBuffer(1) } }',
    ],
  ])('ends only the thread of a module that sends %s', async (_what, message) => {
    const waiting = call(skillOf('await context.state.get(); return "there";'), {
      request: async () => (await ended, { value: 'null' }),
    });
    const bad = raw(`send(${message}); await new Promise(() => {});`);
    const ended = call(bad, { input: { id: 1 } }).catch((error: Error) => error.message);
    expect(await ended).toBe('it sent what is no message of a module');
    expect(await waiting).toBe('there');
    expect(offences).toEqual([]);
  });

  it.each([
    ['null', 'null'],
    ['a type that is none', '{ type: 999 }'],
    ['an error without data', '{ type: "errorMessage" }'],
  ])(
    'ends only the thread of a module that reaches the port of Node in its thread, and sends %s',
    async (_what, message) => {
      const host = newHost();
      const waiting = call(skillOf('await context.state.get(); return "there";'), {
        host,
        request: async () => (await ended, { value: 'null' }),
      });
      const bad = moduleOf(`
      const { postMessage } = MessagePort.prototype;
      export default { name: 's', async execute(input, context) {
        MessagePort.prototype.postMessage = function () { postMessage.call(this, ${message}); };
        setTimeout(() => { throw new Error('ha'); });
        await new Promise(() => {});
      } };`);
      const ended = call(bad, { host }).catch((error: Error) => error.message);
      expect(await ended).toBe('its thread ended');
      expect(await waiting).toBe('there');
      await host.stop();
    },
  );

  it('sends on only the fields of a message', async () => {
    const odd = '{ type: "log", level: "info", text: "a", extra: new SharedArrayBuffer(1), key: "other" }';
    const module = raw(`send(${odd}); return "done";`);
    expect(await call(module)).toBe('done');
    expect(lines).toEqual([`${module.key} info a`]);
  });

  it('ends only the thread of a module that throws what cannot be shown', async () => {
    const bad = skillOf('setTimeout(() => { throw { toString: 1, valueOf: 1 }; }); await new Promise(() => {});');
    await expect(call(bad)).rejects.toThrow('it threw something that cannot be shown');
    expect(await call(echo)).toEqual({ caller: 'ada' });
  });

  it('limits what the thread of a module sends, whatever runs in it', async () => {
    const progress: unknown[] = [];
    const requests: unknown[] = [];
    const release = Promise.withResolvers<ModuleReply>();
    const flood = raw(
      `await null;
       for (let n = 1; n <= 2_000; n += 1) {
         send({ type: 'log', level: 'info', text: 'line ' + n });
         send({ type: 'progress', id: input.id, progress: { progress: n } });
         send({ type: 'request', id: input.id, request: 10_000 + n, asked: { kind: 'state_get', value: 'null' } });
         send({ type: 'request', id: input.id, request: 10_001, asked: { kind: 'state_get', value: 'null' } });
         for (const type of ['cancelling', 'opened', 'refused']) send({ type, id: input.id, declaration: '[]', message: 'no' });
       }
       return 'done';`,
    );
    const request = (asked: ModuleRequest) => (requests.push(asked), release.promise);
    expect(await call(flood, { input: { id: 1 }, request, progress: (step) => progress.push(step) })).toBe('done');
    release.resolve({ value: 'null' });
    expect(requests).toHaveLength(20);
    // A second may end meanwhile, and the next one begin.
    for (const sent of [lines, progress]) expect(sent.length).toBeLessThan(2_000);
    expect(await call(flood, { input: { id: 2 }, request })).toBe('done');
  });

  it('ends the thread of a call that says again and again that it will end', async () => {
    const host = newHost({ limits: { ...LIMITS, endMs: 300 } });
    const module = raw(
      `for (;;) { send({ type: 'cancelling', id: input.id }); await new Promise((r) => setTimeout(r, 5)); }`,
    );
    const controller = new AbortController();
    await host.open(module);
    const running = call(module, { host, input: { id: 1 }, signal: controller.signal });
    await sleep(50);
    controller.abort(new Error('too late'));
    await expect(running).rejects.toThrow('too late');
    while (offences.length === 0) await sleep(10);
    expect(offences[0]).toContain('a call went on after it was cancelled');
    await host.stop();
  });

  it('does not let a module change shared objects', async () => {
    const bad = skillOf(
      'Object.prototype.polluted = 1; Array.prototype.map = () => []; JSON.parse = () => 666; globalThis.x = 1; return 1;',
    );
    await call(bad).catch(() => undefined);
    expect(
      await call(skillOf('return [({}).polluted ?? null, [1].map((n) => n), JSON.parse("2"), typeof x];')),
    ).toEqual([null, [1], 2, 'undefined']);
    expect('polluted' in {}).toBe(false);
  });

  it('ends threads and the host when they are idle, and starts them again', async () => {
    const host = newHost({ idleMs: 50 });
    const module = moduleOf(`let n = 0; export default { name: 's', execute: () => (n += 1) };`);
    expect(await call(module, { host })).toBe(1);
    while (host.pid !== null) await sleep(10);
    expect(await call(module, { host })).toBe(1);
    await host.stop();
  });

  it('lets a call end in the code that it began with when the module is replaced', async () => {
    const host = newHost();
    const old = skillOf('await context.state.get(); return "old";');
    const release = Promise.withResolvers<ModuleReply>();
    const began = Promise.withResolvers<unknown>();
    const request = () => (began.resolve(null), release.promise);
    const running = call(old, { host, request });
    await began.promise;
    host.release(old.key);
    expect(await call(skillOf('return "new";'), { host })).toBe('new');
    release.resolve({ value: 'null' });
    expect(await running).toBe('old');
    await host.stop();
  });

  it('accepts no calls after it has stopped, and aborts the running ones', async () => {
    const host = newHost();
    const module = skillOf('await new Promise(() => {});');
    await host.open(module);
    const running = call(module, { host });
    const outcome = expect(running).rejects.toThrow('the service is stopping');
    await sleep(20);
    await host.stop();
    await outcome;
    await expect(call(echo, { host })).rejects.toThrow('the service is stopping');
    expect(offences).toEqual([]);
  });
});
