import { createServer, type IncomingMessage, request as send, type Server, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listenOnLoopback } from '../support/loopback.js';

/** The response of the service to a tool call. */
export interface ToolResult {
  content: { type: string; text?: string }[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
}

interface Message {
  id?: string | number;
  method?: string;
  params?: { name?: string; protocolVersion?: string };
  result?: { protocolVersion?: string };
}

/** A proxy between a program and the service: forwards everything unchanged, and records the calls with their results. */
export class Recorder {
  /** The negotiated protocol version; empty = none yet. */
  protocol = '';
  /** The responses to `tools/call`, by tool name, in order. */
  readonly results = new Map<string, ToolResult[]>();

  private constructor(
    private readonly server: Server,
    private readonly target: URL,
    readonly url: string,
  ) {}

  static async start(target: URL): Promise<Recorder> {
    // As the service, whose header Keep-Alive is passed on.
    const server = createServer({ keepAliveTimeout: 75_000 });
    const recorder = new Recorder(server, target, (await listenOnLoopback(server)) + target.pathname);
    server.on('request', (request, response) => void recorder.forward(request, response));
    return recorder;
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private async forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    const asked = messageIn(body.toString());
    const { method, url: path } = request;
    const { 'transfer-encoding': _chunked, ...headers } = request.headers;
    const { port } = this.target;
    const upstream = send(
      { host: '127.0.0.1', port, method, path, headers: { ...headers, host: `127.0.0.1:${port}` } },
      (answer) => {
        let text = '';
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        response.flushHeaders();
        answer.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
          response.write(chunk);
        });
        answer.on('end', () => {
          this.note(asked, text);
          response.end();
        });
        answer.on('error', () => response.destroy());
      },
    );
    upstream.on('error', () => response.destroy());
    response.on('close', () => upstream.destroy());
    upstream.end(body);
    const { 'mcp-protocol-version': version } = request.headers;
    if (typeof version === 'string' && version !== '') this.protocol = version;
  }

  private note({ id, method, params }: Message, answer: string): void {
    const lines = answer.startsWith('{') ? [answer] : answer.split('\n').map((line) => line.replace(/^data: ?/, ''));
    const result = lines.map(messageIn).find((message) => message.id === id)?.result;
    this.protocol = result?.protocolVersion ?? this.protocol;
    if (method !== 'tools/call' || !result) return;
    const tool = params?.name ?? '';
    this.results.set(tool, [...(this.results.get(tool) ?? []), result as ToolResult]);
  }
}

function messageIn(text: string): Message {
  try {
    return JSON.parse(text) as Message;
  } catch {
    return {};
  }
}
