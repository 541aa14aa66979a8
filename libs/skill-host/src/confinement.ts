import { registerHooks } from 'node:module';
import { posix } from 'node:path';
import { inspect } from 'node:util';
import type { LogLevel, ModuleFiles } from './protocol.js';

/** Built-in modules that a skill module may import: those that reach nothing outside its thread. */
const ALLOWED = new Set(
  (
    'assert async_hooks buffer crypto diagnostics_channel events path path/posix punycode querystring stream ' +
    'stream/promises stream/web string_decoder timers timers/promises url util util/types zlib'
  ).split(' '),
);
/** How modules import what the kit has. */
const KIT = 'agent-service/skill';
const KIT_URL = 'skill-kit:';
const PROCESS_URL = 'skill-process:';
/** Globals that reach out of the thread, or say that they could. */
const TAKEN = [
  ...['fetch', 'WebSocket', 'EventSource', 'BroadcastChannel', 'localStorage', 'sessionStorage', 'Storage'],
  ...['navigator', 'gc', 'require', 'Worker', 'postMessage'],
  'WebAssembly', // nothing says how much memory a thread has by it
];
const LONGEST_LINE = 2_000;
const LEVELS: Record<string, LogLevel> = {
  ...{ debug: 'debug', trace: 'debug', log: 'info', info: 'info', warn: 'warning', error: 'error' },
  ...{ dir: 'info', table: 'info', group: 'info' },
};
/** What of the console writes no lines here. */
const SILENT = ['clear', 'count', 'countReset', 'groupEnd', 'time', 'timeEnd', 'timeLog'];

type Log = (level: LogLevel, text: string) => void;

/** What URLs of files of a module begin with: stack traces show them. */
export const SCHEME = 'skill-module:';

/** The URL of a file of a module. */
export const urlOf = (path: string): string => SCHEME + path;

/**
 * Makes this thread one for a module: it may import its own files, the kit and a few built-in modules, and what reaches out of the
 * thread is gone. It keeps faults from everybody else; it is no wall against malice.
 * @param module the file that is imported first, and the texts of all of them, in JavaScript
 * @param kit what `import 'agent-service/skill'` gives
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
  define('process', harmlessProcess(log));
  define('console', {
    ...Object.fromEntries(Object.entries(LEVELS).map(([name, level]) => [name, lineOf(level, log)])),
    ...Object.fromEntries(SILENT.map((name) => [name, () => undefined])),
    assert: (is: unknown, ...said: unknown[]) => void (is || lineOf('error', log)('Assertion failed', ...said)),
  });
}

/** @throws Error that says what can be imported */
function resolved(
  specifier: string,
  parent: string | undefined,
  { file, sources }: { file: string; sources: ModuleFiles },
): string {
  const name = specifier.replace(/^node:/, '');
  if (specifier === urlOf(file)) return specifier;
  if (/^\.\.?\//.test(specifier) && parent?.startsWith(SCHEME)) return ownFile(specifier, parent, sources);
  if (specifier === KIT) return KIT_URL;
  if (name === 'process') return PROCESS_URL;
  if (ALLOWED.has(name)) return `node:${name}`;
  throw new Error(
    `a skill module cannot import ${JSON.stringify(specifier.slice(0, 100))}. It may import ${KIT}, files of its own folder ` +
      `such as ./lib/x.ts, and of Node ${[...ALLOWED].join(', ')}. Bundle other packages into it; for the network and for what ` +
      'the service has, use the context of the call.',
  );
}

/** Returns the URL of a file that another file of the module imports. @throws Error that says what there is */
function ownFile(specifier: string, parent: string, sources: ModuleFiles): string {
  const from = parent.slice(SCHEME.length);
  const path = posix.join(posix.dirname(from), specifier);
  if (Object.hasOwn(sources, path)) return urlOf(path);
  const near = Object.keys(sources).find((one) => one.replace(/\.\w+$/, '') === path.replace(/\.\w+$/, ''));
  const advice = near
    ? `write ${JSON.stringify(relativePath(from, near))}`
    : 'a module has the files of its folder, with their extensions';
  throw new Error(`${from} imports ${JSON.stringify(specifier.slice(0, 100))}, which is not there: ${advice}`);
}

function relativePath(from: string, to: string): string {
  const path = posix.relative(posix.dirname(from), to);
  return path.startsWith('.') ? path : `./${path}`;
}

function define(name: string, value: unknown): void {
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
}

/** What libraries read of `process`. */
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
