import { spawn } from 'node:child_process';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { type Place, PROGRAMS } from '../programs.js';
import { commandFor, environmentOf, type SetUp, start } from '../trial.js';

/** Called with the output of a program so far. */
type Watch = (output: string) => void;

export interface SigningProgram {
  program: SetUp;
  /** It starts the sign-in itself when it needs one. */
  signsInItself?: true;
  /** Signs in: the program prints the link. Resolves when the program has its tokens. */
  logIn: (place: Place, url: string, watch: Watch) => Promise<void>;
  /** Calls system_info, and returns what the program shows of the result. */
  call: (place: Place, url: string) => Promise<string>;
}

/** A program from the list of those with keys, plus its sign-in command. */
function withCommand(name: string, args: readonly string[], { needsTerminal = false } = {}): SigningProgram {
  const program = PROGRAMS.find((one) => one.name === name);
  if (!program) throw new Error(`there is no program ${name}`);
  return {
    program,
    logIn: (place, _url, watch) => run(program, place, { args, needsTerminal }, watch),
    call: (place) => start(program, place, program.ask(place)),
  };
}

const mcpRemote: SetUp = {
  name: 'mcp-remote',
  package: 'mcp-remote',
  file: 'mcp-remote/dist/proxy.js',
  section: 'Any other program',
  configure: async () => [],
};

export const SIGNING_PROGRAMS: readonly SigningProgram[] = [
  withCommand('Claude Code', ['mcp', 'login', 'agent', '--no-browser'], { needsTerminal: true }),
  withCommand('Codex', ['mcp', 'login', 'agent', '--no-browser']),
  withCommand('opencode', ['mcp', 'auth', 'agent']),
  {
    program: mcpRemote,
    signsInItself: true,
    logIn: async (place, url, watch) => void (await callByBridge(place, url, watch)),
    call: (place, url) => callByBridge(place, url),
  },
];

/** Calls through a bridge from stdio, which signs in when needed. */
async function callByBridge(place: Place, url: string, watch?: Watch): Promise<string> {
  const [command, ...first] = commandFor(mcpRemote);
  const transport = new StdioClientTransport({
    command,
    args: [...first, url],
    env: environmentOf(place),
    stderr: 'pipe',
  });
  let output = '';
  transport.stderr?.on('data', (chunk: Buffer) => watch?.((output += String(chunk))));
  const client = new Client({ name: 'bridged', version: '1' });
  await client.connect(transport, { timeout: TIMEOUT_MS });
  try {
    const { content } = await client.callTool({ name: 'system_info', arguments: {} }, { timeout: TIMEOUT_MS });
    return JSON.stringify(content);
  } finally {
    await client.close();
  }
}

const TIMEOUT_MS = 120_000;

/** Runs a program until it exits, in a terminal (`script` of util-linux) if it requires one. @throws Error on timeout */
async function run(
  program: SetUp,
  place: Place,
  { args, needsTerminal }: { args: readonly string[]; needsTerminal: boolean },
  watch: Watch,
): Promise<void> {
  const words = [...commandFor(program), ...args];
  const quoted = words.map((word) => `'${word}'`).join(' ');
  const [command = '', ...rest] = needsTerminal ? ['script', '-qec', quoted, '/dev/null'] : words;
  const child = spawn(command, rest, {
    cwd: place.folder,
    env: environmentOf(place),
    stdio: ['pipe', 'pipe', 'pipe'],
    timeout: TIMEOUT_MS,
    killSignal: 'SIGKILL',
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      watch((output += chunk));
      // It asks for confirmation, with yes as the default.
      if (/\?\s+│\s+● Yes/.test(chunk)) child.stdin.write('\r');
    });
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  if (code !== 0) throw new Error(`${program.name} ended with ${code}: ${output.slice(-1_000)}`);
}
