import { stripTypeScriptTypes } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import { confine, urlOf } from './confinement.js';
import {
  ask,
  failure,
  type FoundRows,
  image,
  type ModuleContext,
  type ModuleSkill,
  result,
  skill,
  text,
} from './kit.js';
import { describe } from './module-error.js';
import { questionsIn, withBlocks } from './module-output.js';
import { LINES_A_SECOND, Rate } from './rate.js';
import type {
  FromThread,
  LogLevel,
  ModuleCode,
  ModuleFiles,
  ModuleReply,
  ModuleRequest,
  ToThread,
} from './protocol.js';
import { lineOf } from './syntax-place.rules.js';
import { LONGEST_REPORT } from './thread-messages.js';

/** How often a call reports progress. */
const PROGRESS_EVERY_MS = 100;
/** Responses that have no body. */
const EMPTY = new Set([101, 204, 205, 304]);
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** Objects that JSON writes as {}. */
const LOST_IN_JSON = [Map, Set, Error];

/** The context of a call, as received. */
interface Given {
  caller: ModuleContext['caller'];
  answers: ModuleContext['answers'];
  /** Placeholders for the secrets that the skill may use. */
  secrets: Record<string, string>;
  /** Values of the settings that the skill declares. */
  settings?: ModuleContext['settings'];
  /** The current time that a test has set, in milliseconds. */
  nowMs?: number;
}

type Settled = (reply: ModuleReply | { error: string }) => void;

const port = parentPort;
if (!port) throw new Error('this runs in a thread of the skill host');
const { file, files, hasTypes } = workerData as ModuleCode;
const { parse, stringify } = JSON;
// A module may replace the clock, as libraries for tests do.
const nowMs = performance.now.bind(performance);
const parserNeeds: unknown = Reflect.get(globalThis, 'WebAssembly');
const post = (message: FromThread) => port.postMessage(message);

const skills = new Map<string, ModuleSkill>();
const calls = new Map<number, AbortController>();
const waiting = new Map<number, Settled>();
let requests = 0;
/** The host has the same limit; a message that is not sent costs nothing. */
const lines = new Rate(LINES_A_SECOND);

port.on('message', (message: ToThread) => {
  if (message.type === 'call') answer(message).catch(() => undefined); // it reports its outcome itself
  if (message.type === 'cancel') {
    post({ type: 'cancelling', id: message.id });
    calls.get(message.id)?.abort(new DOMException('The call was cancelled', 'AbortError'));
  }
  if (message.type === 'reply') {
    waiting.get(message.request)?.(message.reply);
    waiting.delete(message.request);
  }
});
await open();

async function open(): Promise<void> {
  try {
    const sources = withoutTypes();
    post({ type: 'read', files: sources });
    confine({ file, sources }, { skill, ask, text, image, result, failure }, log);
    const { default: exported } = (await import(urlOf(file))) as { default?: unknown };
    const declared = (Array.isArray(exported) ? exported : [exported]) as unknown[];
    for (const one of declared) {
      if (typeof one !== 'object' || one === null || typeof (one as ModuleSkill).execute !== 'function')
        throw new Error('export default must be a skill, { name, description, execute }, or a list of skills');
      skills.set(String((one as ModuleSkill).name), one as ModuleSkill);
    }
    post({ type: 'opened', declaration: stringify(declared) });
  } catch (error) {
    post({ type: 'refused', message: error instanceof SyntaxError ? syntaxErrorIn(error) : describe(error, file) });
  }
}

function withoutTypes(): ModuleFiles {
  if (!hasTypes) return files;
  return Object.fromEntries(
    Object.entries(files).map(([path, text]) => [path, path.endsWith('ts') ? stripTypeScriptTypes(text) : text]),
  );
}

/** Returns the error with its position, which TypeScript's parser reports; it reads JavaScript, too, and finds most errors. */
function syntaxErrorIn(error: SyntaxError): string {
  Object.assign(globalThis, { WebAssembly: parserNeeds });
  for (const [path, text] of Object.entries(files))
    try {
      stripTypeScriptTypes(text);
    } catch (withPlace) {
      return describe(withPlace, path);
    }
  for (const [path, text] of Object.entries(withoutTypes())) {
    const line = lineOf(error.message, text);
    if (line !== null) return `${error.message} (${path}:${line})`;
  }
  return describe(error, file);
}

async function answer({ id, skill: name, input, context }: Extract<ToThread, { type: 'call' }>): Promise<void> {
  const controller = new AbortController();
  calls.set(id, controller);
  try {
    const found = skills.get(name);
    if (!found) throw new Error(`the module has no skill ${name}`);
    const output = await found.execute(
      parse(input) as Record<string, unknown>,
      contextOf(id, parse(context) as Given, controller.signal),
    );
    assertWritable(output);
    const questions = questionsIn(output);
    post({ type: 'returned', id, output: stringify(questions ? { questions } : { output: withBlocks(output) ?? '' }) });
  } catch (error) {
    post({ type: 'failed', id, message: describe(error, file) });
  } finally {
    calls.delete(id);
  }
}

/** @throws TypeError when JSON would lose the output without a word */
function assertWritable(output: unknown): void {
  const lost = LOST_IN_JSON.find((kind) => output instanceof kind)?.name;
  if (lost === undefined && typeof output !== 'function' && typeof output !== 'symbol') return;
  throw new TypeError(
    `execute has returned a value of the kind ${lost ?? typeof output}: return a text, an object, result(...) or failure(...)`,
  );
}

function contextOf(
  id: number,
  { caller, answers, secrets, settings, nowMs: setMs }: Given,
  signal: AbortSignal,
): ModuleContext {
  let reportedAtMs = -PROGRESS_EVERY_MS;
  const request = async (asked: ModuleRequest): Promise<ModuleReply> => {
    signal.throwIfAborted();
    return requested(id, asked);
  };
  return {
    signal,
    caller,
    answers,
    settings: Object.freeze(settings ?? {}),
    now: () => new Date(setMs ?? Date.now()),
    fetch: (url, init) => fetched(request, new Request(url, init)),
    query: async (database, sql, parameters = []) =>
      parse((await request({ kind: 'query', value: stringify({ database, sql, parameters }) })).value) as FoundRows,
    callSkill: async (name, input = {}) =>
      parse((await request({ kind: 'skill', value: stringify({ name, input }) })).value) as unknown,
    secret(name) {
      if (!Object.hasOwn(secrets, name))
        throw new Error(`the skill does not declare the secret ${name}: add it to uses.secrets`);
      return secrets[name] ?? '';
    },
    progress(progress, total, message) {
      const now = nowMs();
      // JSON has only finite numbers.
      if (now - reportedAtMs < PROGRESS_EVERY_MS || !Number.isFinite(Number(progress))) return;
      reportedAtMs = now;
      const report = {
        progress: Number(progress),
        ...(Number.isFinite(Number(total)) && { total: Number(total) }),
        ...(message !== undefined && { message: String(message).slice(0, LONGEST_REPORT) }),
      };
      post({ type: 'progress', id, progress: report });
    },
    state: {
      get: async () => parse((await request({ kind: 'state_get', value: 'null' })).value) as unknown,
      set: async (value) => void (await request({ kind: 'state_set', value: stringify(value ?? null) })),
    },
  };
}

async function fetched(request: (asked: ModuleRequest) => Promise<ModuleReply>, asked: Request): Promise<Response> {
  const body = asked.body === null ? undefined : new Uint8Array(await asked.arrayBuffer());
  const value = {
    url: asked.url,
    method: asked.method,
    headers: Object.fromEntries(asked.headers),
    redirect: asked.redirect,
  };
  const sent = request({ kind: 'fetch', value: stringify(value), ...(body && { body }) });
  const reply = await untilAborted(sent, asked.signal);
  const { status, headers, url } = parse(reply.value) as {
    status: number;
    headers: Record<string, string>;
    url: string;
  };
  if (asked.redirect === 'error' && REDIRECTS.has(status) && 'location' in headers)
    throw new TypeError(`${asked.url} redirects, and the request says redirect: 'error'`);
  const response = new Response(EMPTY.has(status) ? null : (reply.body as Uint8Array<ArrayBuffer>), {
    status,
    headers,
  });
  return Object.defineProperty(response, 'url', { value: url });
}

function untilAborted<Value>(value: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const aborted = new Promise<never>((_resolve, reject) => {
    const stop = () => reject(signal.reason as Error);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
  return Promise.race([value, aborted]);
}

function requested(id: number, asked: ModuleRequest): Promise<ModuleReply> {
  const request = (requests += 1);
  post({ type: 'request', id, request, asked });
  return new Promise((resolve, reject) => {
    waiting.set(request, (reply) => ('error' in reply ? reject(new Error(reply.error)) : resolve(reply)));
  });
}

function log(level: LogLevel, text: string): void {
  if (lines.allows()) post({ type: 'log', level, text });
}
