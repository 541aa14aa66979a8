import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { listenOnLoopback } from '../../support/loopback.js';
import { anthropic } from './anthropic.js';
import { chatCompletions } from './chat-completions.js';
import type { Answer, Dialect, Shown } from './dialect.js';
import { gemini } from './gemini.js';
import { responses } from './responses.js';

const DIALECTS: readonly Dialect[] = [anthropic, responses, chatCompletions, gemini];
/** The names of the tools that programs use to search for tools, and to call those found. */
const SEARCH = /^tool_?search$/i;
const BRIDGE = /^tool_?call$/i;
const SEARCHED = 'search of tools';
const LOOPBACK = new Set(['127.0.0.1', 'localhost']);
/** Responses to other model requests, by path suffix. */
const OTHER_ANSWERS: readonly [RegExp, object][] = [
  [/count_tokens$/, { input_tokens: 10 }],
  [/:countTokens$/, { totalTokens: 10 }],
];

export interface ScriptedCall {
  tool: string;
  arguments: object;
}

/** A call that was made, with what the program showed of its result; null = no result yet. */
export interface MadeCall extends ScriptedCall {
  shown: string | null;
}

/**
 * A scripted model on loopback: it calls the given tools one by one, and records what it is shown. It is also the HTTP proxy
 * of the programs, so that requests to other hosts are rejected and recorded.
 */
export class ScriptedModel {
  /** Hosts outside loopback that programs sent requests to. */
  readonly refusedHosts = new Set<string>();
  /** The last request that contained tools of the service; null = none. */
  lastShown: Shown | null = null;
  requests = 0;
  /** Parts of requests that the model does not know. */
  readonly unknown = new Set<string>();
  private readonly made: MadeCall[] = [];
  private readonly answers = new Map<number, Answer>();

  private constructor(
    private readonly server: Server,
    private readonly script: readonly ScriptedCall[],
    readonly origin: string,
  ) {}

  static async start(script: readonly ScriptedCall[]): Promise<ScriptedModel> {
    const server = createServer();
    const model = new ScriptedModel(server, script, await listenOnLoopback(server));
    server.on('request', (request, response) => void model.answer(request, response));
    server.on('connect', (request: IncomingMessage, socket) => model.connect(request.url ?? '', socket));
    return model;
  }

  get calls(): readonly MadeCall[] {
    return this.made.filter(({ tool }) => tool !== SEARCHED);
  }

  /** What the program showed for the search of tools that it offers by name only. */
  get searched(): string {
    return this.made.find(({ tool }) => tool === SEARCHED)?.shown ?? '';
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  /** Some programs use the proxy even for loopback, whatever NO_PROXY says. */
  private connect(place: string, socket: Duplex): void {
    socket.on('error', () => socket.destroy());
    const [host = '', port] = place.split(':');
    if (LOOPBACK.has(host)) {
      const upstream = connect(Number(port), host, () => {
        socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
        socket.pipe(upstream).pipe(socket);
      });
      upstream.on('error', () => socket.destroy());
      socket.on('close', () => upstream.destroy());
      return;
    }
    this.refusedHosts.add(host);
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, hostname } = new URL(request.url ?? '', this.origin);
    if (!LOOPBACK.has(hostname)) {
      this.refusedHosts.add(hostname);
      return void response.writeHead(403).end();
    }
    const body = await text(request);
    const other = OTHER_ANSWERS.find(([path]) => path.test(pathname))?.[1];
    const dialect = DIALECTS.find(({ path }) => path.test(pathname));
    if (other || !dialect) {
      if (!other) this.unknown.add(`${request.method} ${pathname}`);
      return void response
        .writeHead(other ? 200 : 404, { 'content-type': 'application/json' })
        .end(JSON.stringify(other ?? {}));
    }
    this.requests += 1;
    const asked = JSON.parse(body) as object;
    const answer = this.next(dialect.shown(asked));
    if (!dialect.wantsStream(asked, pathname)) {
      return void response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify(dialect.whole(answer)));
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const { event, data } of dialect.stream(answer)) {
      if (event) response.write(`event: ${event}\n`);
      response.write(`data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`);
    }
    response.end();
  }

  /** The same request gets the same response, because programs retry. */
  private next(shown: Shown): Answer {
    const names = this.script.map(({ tool }) => nameIn(shown, tool)).filter((name) => name !== null);
    if (names.length === 0) return { text: 'Scripted' }; // such as a title for the conversation
    this.lastShown = shown;
    for (const [index, call] of this.made.entries()) call.shown ??= shown.results[index] ?? null;
    const at = shown.results.length;
    const answer = this.answers.get(at) ?? this.answerAt(at, shown, [...new Set(names)]);
    this.answers.set(at, answer);
    return answer;
  }

  private answerAt(at: number, shown: Shown, names: readonly string[]): Answer {
    const id = `call_${at}`;
    const search = shown.tools.find(({ name }) => SEARCH.test(name));
    if (search && at === 0) {
      const found = { query: `select:${names.join()}`, max_results: 20 };
      this.made.push({ tool: SEARCHED, arguments: found, shown: null });
      return { call: search, id, arguments: found };
    }
    const next = this.script[this.calls.length];
    const name = next ? nameIn(shown, next.tool) : null;
    if (!next || name === null) return { text: 'Done.' };
    this.made.push({ ...next, shown: null });
    const tool = shown.tools.find((one) => one.name === name);
    if (tool) return { call: tool, id, arguments: next.arguments };
    const bridge = shown.tools.find((one) => BRIDGE.test(one.name));
    if (!bridge) return { text: `${name} cannot be called.` };
    return { call: bridge, id, arguments: { name, arguments: next.arguments } };
  }
}

/** Finds the name that a program gives a tool of the service, among its tools or in its list of searchable ones. */
function nameIn({ tools, prompt }: Shown, tool: string): string | null {
  const listed = tools.find(({ name }) => name === tool || name.endsWith(`_${tool}`));
  return listed?.name ?? new RegExp(`mcp_\\w*_${tool}(?!\\w)`).exec(prompt)?.[0] ?? null;
}
