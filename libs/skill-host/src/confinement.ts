import { registerHooks } from 'node:module';
import { posix } from 'node:path';
import { inspect } from 'node:util';
import type { LogLevel, ModuleFiles } from './protocol.js';
import { LONGEST_LINE } from './thread-messages.js';

/** Built-in modules that a skill module may import: they have no access outside of their thread. */
const ALLOWED = (
  'assert async_hooks buffer crypto diagnostics_channel events path path/posix punycode querystring stream ' +
  'stream/promises stream/web string_decoder timers timers/promises url util util/types zlib'
).split(' ');
/** The specifier under which modules import the kit. */
const KIT = 'agent-service/skill';
const KIT_URL = 'skill-kit:';
const PROCESS_URL = 'skill-process:';
/** The URLs of what a module may import, besides its own files: an object without methods that a module could replace. */
const IMPORTABLE: Readonly<Record<string, string>> = Object.assign(Object.create(null) as object, {
  ...Object.fromEntries(ALLOWED.flatMap((name) => [name, `node:${name}`].map((one) => [one, `node:${name}`]))),
  ...{ [KIT]: KIT_URL, process: PROCESS_URL, 'node:process': PROCESS_URL },
});
/** Globals with access outside of the thread, or that suggest such access. */
const TAKEN = [
  ...['fetch', 'WebSocket', 'EventSource', 'BroadcastChannel', 'localStorage', 'sessionStorage', 'Storage'],
  ...['navigator', 'gc', 'require', 'Worker', 'postMessage'],
  'WebAssembly', // its memory per thread cannot be measured
];
const LEVELS: Record<string, LogLevel> = {
  ...{ debug: 'debug', trace: 'debug', log: 'info', info: 'info', warn: 'warning', error: 'error' },
  ...{ dir: 'info', table: 'info', group: 'info' },
};
/** Members of the real `process`, which a module can reach, with access outside of the thread. */
const TAKEN_FROM_PROCESS = [
  'getBuiltinModule',
  'binding',
  '_linkedBinding',
  'dlopen',
  'kill',
  '_kill',
  'execve',
  'report',
];
/** Console methods that write no lines here. */
const SILENT = ['clear', 'count', 'countReset', 'groupEnd', 'time', 'timeEnd', 'timeLog'];

type Log = (level: LogLevel, text: string) => void;

/** Prefix of the URLs of a module's files, as shown in stack traces. */
export const SCHEME = 'skill-module:';

export const urlOf = (path: string): string => SCHEME + path;

/**
 * Confines this thread to one module: it may import its own files, the kit and a few built-in modules, and globals with outside
 * access are removed. This contains faults; it is not a sandbox against malicious code.
 * @param module the entry file, and the JavaScript of all files
 * @param kit the exports of `agent-service/skill`
 */
export function confine(module: { file: string; sources: ModuleFiles }, kit: Record<string, unknown>, log: Log): void {
  const shelf = Symbol.for('agent-service.kit');
  Object.defineProperty(globalThis, shelf, { value: kit });
  const names = Object.keys(kit).join(', ');
  const sources = new Map([
    ...Object.entries(module.sources).map(([path, source]) => [urlOf(path), source] as const),
    [KIT_URL, `const { ${names} } = globalThis[Symbol.for('agent-service.kit')]; export { ${names} };`],
    [PROCESS_URL, 'export default globalThis.process;'],
  ]);
  registerHooks({
    resolve: (specifier, { parentURL }) => ({ url: resolved(specifier, parentURL, module), shortCircuit: true }),
    load(url, context, next) {
      const source = sources.get(url);
      return source === undefined ? next(url, context) : { format: 'module', source, shortCircuit: true };
    },
  });
  for (const name of TAKEN) Reflect.deleteProperty(globalThis, name);
  const harmless = harmlessProcess(log);
  for (const name of TAKEN_FROM_PROCESS) Reflect.deleteProperty(process, name);
  define('process', harmless);
  define('console', {
    ...Object.fromEntries(Object.entries(LEVELS).map(([name, level]) => [name, lineOf(level, log)])),
    ...Object.fromEntries(SILENT.map((name) => [name, () => undefined])),
    assert: (is: unknown, ...message: unknown[]) => void (is || lineOf('error', log)('Assertion failed', ...message)),
  });
}

/** @throws Error that lists what can be imported */
function resolved(
  specifier: string,
  parent: string | undefined,
  { file, sources }: { file: string; sources: ModuleFiles },
): string {
  if (specifier === urlOf(file)) return specifier;
  if (/^\.\.?\//.test(specifier) && parent?.startsWith(SCHEME)) return ownFile(specifier, parent, sources);
  const url = IMPORTABLE[specifier];
  if (url !== undefined) return url;
  throw new Error(
    `a skill module cannot import ${JSON.stringify(specifier.slice(0, 100))}. It may import ${KIT}, files of its own folder ` +
      `such as ./lib/x.ts, and of Node ${ALLOWED.join(', ')}. Bundle other packages into it; for the network and for what ` +
      'the service has, use the context of the call.',
  );
}

const CODE_ONLY =
  'a module has the .ts, .mts, .js and .mjs files of its folder, by names with these extensions: put data such as JSON into one';

/** Returns the URL of a file that another file of the module imports. @throws Error that lists the existing files */
function ownFile(specifier: string, parent: string, sources: ModuleFiles): string {
  const from = parent.slice(SCHEME.length);
  const path = posix.join(posix.dirname(from), specifier);
  if (Object.hasOwn(sources, path)) return urlOf(path);
  const near = Object.keys(sources).find((one) => one.replace(/\.\w+$/, '') === path.replace(/\.\w+$/, ''));
  const advice = near ? `write ${JSON.stringify(relativePath(from, near))}` : CODE_ONLY;
  throw new Error(`${from} imports ${JSON.stringify(specifier.slice(0, 100))}, which is not there: ${advice}`);
}

function relativePath(from: string, to: string): string {
  const path = posix.relative(posix.dirname(from), to);
  return path.startsWith('.') ? path : `./${path}`;
}

function define(name: string, value: unknown): void {
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
}

/** The members of `process` that libraries read. */
function harmlessProcess(log: Log): object {
  const own = process;
  const writesTo = (level: LogLevel) => ({ write: (line: unknown) => (lineOf(level, log)(line), true), isTTY: false });
  const refuse = () => {
    throw new Error('a skill module cannot end the process: throw an error, or return');
  };
  return {
    ...{ version: own.version, versions: own.versions, platform: own.platform, arch: own.arch },
    ...{ nextTick: own.nextTick.bind(own), hrtime: own.hrtime.bind(own), uptime: () => own.uptime() },
    ...{ env: {}, argv: [], execArgv: [], pid: 0, browser: false, cwd: () => '/', emitWarning: () => undefined },
    ...{ stdout: writesTo('info'), stderr: writesTo('error'), exit: refuse, abort: refuse, kill: refuse },
    getBuiltinModule: () => undefined,
  };
}

const lineOf =
  (level: LogLevel, log: Log) =>
  (...values: unknown[]): void =>
    log(
      level,
      values
        .map((value) => (typeof value === 'string' ? value : inspect(value, { depth: 3 })))
        .join(' ')
        .slice(0, LONGEST_LINE),
    );
