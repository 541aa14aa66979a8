import { registerHooks } from 'node:module';
import { inspect } from 'node:util';
import type { LogLevel } from './protocol.js';

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
const LEVELS = { debug: 'debug', log: 'info', info: 'info', warn: 'warning', error: 'error' } as const;

type Log = (level: LogLevel, text: string) => void;

/** The URL of a module: stack traces show it. */
export const urlOf = (file: string): string => `skill-module:${file}`;

/**
 * Makes this thread one for a module: it may import itself, the kit and a few built-in modules, and what reaches out of the
 * thread is gone. It keeps faults from everybody else; it is no wall against malice.
 * @param module its URL and its source, in JavaScript
 * @param kit what `import 'agent-service/skill'` gives
 */
export function confine(module: { url: string; source: string }, kit: Record<string, unknown>, log: Log): void {
  const shelf = Symbol.for('agent-service.kit');
  Object.defineProperty(globalThis, shelf, { value: kit });
  const names = Object.keys(kit).join(', ');
  const sources = new Map([
    [module.url, module.source],
    [KIT_URL, `const { ${names} } = globalThis[Symbol.for('agent-service.kit')]; export { ${names} };`],
    [PROCESS_URL, 'export default globalThis.process;'],
  ]);
  registerHooks({
    resolve: (specifier) => ({ url: resolved(specifier, module.url), shortCircuit: true }),
    load(url, context, next) {
      const source = sources.get(url);
      return source === undefined ? next(url, context) : { format: 'module', source, shortCircuit: true };
    },
  });
  for (const name of TAKEN) Reflect.deleteProperty(globalThis, name);
  define('process', harmlessProcess(log));
  define('console', Object.fromEntries(Object.entries(LEVELS).map(([name, level]) => [name, lineOf(level, log)])));
}

/** @throws Error that says what can be imported */
function resolved(specifier: string, own: string): string {
  const name = specifier.replace(/^node:/, '');
  if (specifier === own) return own;
  if (specifier === KIT) return KIT_URL;
  if (name === 'process') return PROCESS_URL;
  if (ALLOWED.has(name)) return `node:${name}`;
  throw new Error(
    `a skill module cannot import ${JSON.stringify(specifier.slice(0, 100))}. It is one file that may import ${KIT}, and of ` +
      `Node ${[...ALLOWED].join(', ')}. Bundle other packages into the file; for the network and for what the service has, ` +
      'use the context of the call.',
  );
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
