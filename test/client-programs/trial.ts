import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { Client, StreamableHTTPClientTransport, type Tool } from '@modelcontextprotocol/client';
import { FeedServer, rssDocument } from '../feeds/feed-server.js';
import { ServerProcess } from '../harness/server-process.js';
import type { Shown } from './model/dialect.js';
import { type MadeCall, ScriptedModel } from './model/scripted-model.js';
import type { Place, Program, Start } from './programs.js';
import { Recorder, type ToolResult } from './recorder.js';
import { scriptFor } from './script.js';
import { snippetsFor } from './snippets.js';

export const PACKAGES = resolve('test/client-programs/node_modules');
const KEY = 'key-for-client-programs';
const WRONG_KEY = 'another-key-than-that';
const TIMEOUT_MS = 180_000;

export type SetUp = Pick<Program, 'name' | 'package' | 'file' | 'section' | 'configure'>;

/** The service's description of itself. */
interface Described {
  instructions: string;
  tools: Tool[];
}

/** The result of testing a program. */
export interface Trial {
  protocol: string;
  /** What the model was shown last; null = no tool of the service. */
  shown: Shown | null;
  calls: readonly MadeCall[];
  /** The results of the service, by tool name, in the order of the calls. */
  results: ReadonlyMap<string, ToolResult[]>;
  /** The tools that a search returned; empty = all tools are offered directly. */
  searched: string;
  scripted: number;
  /** The tools and the instructions of the service. */
  service: Described;
  output: string;
  wrongKeyOutput: string;
  /** Other hosts that it tried to reach. */
  refusedHosts: readonly string[];
  /** Requests that the scripted model does not know. */
  unknownRequests: readonly string[];
}

/** Sets a program up as the manual says, and lets it call the tools of a service, all on loopback. */
export async function tryProgram(program: Program): Promise<Trial> {
  const folder = await mkdtemp(join(tmpdir(), 'client-program-'));
  const publisher = await FeedServer.start();
  publisher.publish('/feed.xml', rssDocument('Daily News', [{ id: 'zebra', text: 'About zebras' }]));
  const script = scriptFor(publisher.url('/feed.xml'));
  const model = await ScriptedModel.start(script);
  const service = await ServerProcess.start({
    env: {
      DATA_DIR: join(folder, 'data'),
      MCP_API_KEY: KEY,
      HTTP_ALLOWED_HOSTS: '127.0.0.1',
      LOG_LEVEL: 'warn',
    },
  });
  const described = await describedBy(`${service.origin}/mcp`);
  const recorder = await Recorder.start(new URL('/mcp', service.origin));
  try {
    const place = await placeFor(program, { folder: join(folder, 'right'), key: KEY, url: recorder.url, model });
    const output = await start(program, place, program.ask(place));
    const wrong = await placeFor(program, { folder: join(folder, 'wrong'), key: WRONG_KEY, url: recorder.url, model });
    const wrongKeyOutput = await start(program, wrong, program.list(wrong));
    return {
      protocol: recorder.protocol,
      shown: model.lastShown,
      calls: model.calls,
      results: recorder.results,
      searched: model.searched,
      scripted: script.length,
      service: described,
      output,
      wrongKeyOutput,
      refusedHosts: [...model.refusedHosts],
      unknownRequests: [...model.unknown],
    };
  } finally {
    recorder.stop();
    model.stop();
    publisher.stop();
    await service.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

/** Returns the tools and instructions that the service gives every program. */
async function describedBy(url: string): Promise<Described> {
  const client = new Client({ name: 'client-programs', version: '1' });
  const headers = { Authorization: `Bearer ${KEY}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  try {
    const { tools } = await client.listTools();
    return { instructions: client.getInstructions() ?? '', tools };
  } finally {
    await client.close();
  }
}

interface PlaceOptions {
  folder: string;
  key: string;
  url: string;
  model: ScriptedModel;
  /** The page of the manual with the setup. */
  page?: string;
}

/** Creates a home folder for a program, and configures it there. */
export async function placeFor(
  program: SetUp,
  { folder, key, url, model, page = 'docs/connect.md' }: PlaceOptions,
): Promise<Place> {
  const manual = await readFile(page, 'utf8');
  const snippets = snippetsFor(manual, program.section, { url, key });
  const place = { home: join(folder, 'home'), folder: join(folder, 'work'), key, model: model.origin, snippets };
  await mkdir(place.home, { recursive: true });
  await mkdir(place.folder, { recursive: true });
  for (const step of await program.configure(place)) await start(program, place, step);
  return place;
}

/** Returns the command of a program: its executable, or Node with its script. */
export function commandFor({ file }: SetUp): [string, ...string[]] {
  const path = join(PACKAGES, file);
  return file.endsWith('.js') ? [process.execPath, path] : [path];
}

/** Runs a program until it exits, and returns its output. */
export async function start(program: SetUp, place: Place, { args, env }: Start): Promise<string> {
  const [command, ...first] = commandFor(program);
  const child = spawn(command, [...first, ...args], {
    cwd: place.folder,
    env: { ...environmentOf(place), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: TIMEOUT_MS,
    killSignal: 'SIGKILL',
  });
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return `${out}\n${err}`;
}

/** The environment of a program: its own home folder, and no access to other hosts. */
export const environmentOf = ({ home, key, model }: Place): Record<string, string> => ({
  PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
  HOME: home,
  USERPROFILE: home,
  XDG_CONFIG_HOME: join(home, '.config'),
  XDG_DATA_HOME: join(home, '.local/share'),
  XDG_CACHE_HOME: join(home, '.cache'),
  XDG_STATE_HOME: join(home, '.local/state'),
  TMPDIR: process.env['TMPDIR'] ?? tmpdir(),
  AGENT_KEY: key,
  CI: '1',
  NO_COLOR: '1',
  HTTP_PROXY: model,
  HTTPS_PROXY: model,
  http_proxy: model,
  https_proxy: model,
  NO_PROXY: '127.0.0.1,localhost',
  no_proxy: '127.0.0.1,localhost',
  DO_NOT_TRACK: '1',
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  DISABLE_AUTOUPDATER: '1',
  DISABLE_TELEMETRY: '1',
  GEMINI_TELEMETRY_ENABLED: 'false',
  OPENCODE_DISABLE_AUTOUPDATE: '1',
  OPENCODE_DISABLE_MODELS_FETCH: '1',
  OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
  OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
});
