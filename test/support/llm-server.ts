import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { listenOnLoopback, stopServer } from './loopback.js';

export interface AskedBody {
  model: string;
  messages: { role: string; content: string }[];
  max_tokens?: number;
  max_completion_tokens?: number;
  stream?: boolean;
  stream_options?: object;
  response_format?: { type: string; json_schema: { name: string; schema: object } };
}

/** Sends the response to one request. */
export type Reply = (asked: AskedBody, response: ServerResponse, request: IncomingMessage) => unknown;

const USAGE = { prompt_tokens: 7, completion_tokens: 5, total_tokens: 12 };

const chunk = (content: string, more: object = {}) => ({ choices: [{ index: 0, delta: { content }, ...more }] });

/** Sends one server-sent event. */
export const send = (response: ServerResponse, data: object): boolean =>
  response.write(`data: ${JSON.stringify(data)}\n\n`);

export function beginStream(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
}

/** Streams a text in chunks of a few characters. @param usage null = not reported */
export const streamed =
  (text: string, { finish = 'stop', usage = USAGE }: { finish?: string; usage?: object | null } = {}): Reply =>
  (_asked, response) => {
    beginStream(response);
    for (const part of text.match(/[^]{1,5}/gu) ?? []) send(response, chunk(part));
    send(response, { choices: [{ index: 0, delta: {}, finish_reason: finish }] });
    if (usage) send(response, { choices: [], usage });
    response.end('data: [DONE]\n\n');
  };

/** Responds with the complete text, like servers that cannot stream. */
export const whole =
  (text: string): Reply =>
  (_asked, response) => {
    const choices = [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }];
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ choices, usage: USAGE }));
  };

export const refused =
  (status: number, message = `refused with ${status}`, headers: Record<string, string> = {}): Reply =>
  (_asked, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify({ error: { message } }));
  };

/** Streams an answer in the given choices, one for each event. @param end early = without the event that ends it */
export const choices =
  (list: readonly object[], { end = 'usual' }: { end?: 'usual' | 'early' | 'never' } = {}): Reply =>
  (_asked, response) => {
    beginStream(response);
    for (const choice of list) send(response, { choices: [{ index: 0, ...choice }] });
    if (end !== 'never') response.end(end === 'usual' ? 'data: [DONE]\n\n' : '');
  };

/** Streams a part of an answer, and then drops the connection. @param finish null = the model has not finished */
export const cut =
  (text: string, finish: string | null = null): Reply =>
  (_asked, response) => {
    beginStream(response);
    const part = chunk(text, { finish_reason: finish });
    response.write(`data: ${JSON.stringify(part)}\n\n`, () => response.destroy());
  };

/** Sends the beginning, if any, and then nothing more. */
export const silent =
  (beginning = ''): Reply =>
  (_asked, response) => {
    if (beginning === '') return;
    beginStream(response);
    send(response, chunk(beginning));
  };

/** Streams the same chunk as long as the client reads. */
export const endless =
  (piece: string): Reply =>
  (_asked, response) => {
    beginStream(response);
    const more = () => {
      while (!response.destroyed && send(response, chunk(piece))) continue;
      if (!response.destroyed) response.once('drain', more);
    };
    more();
  };

/** A server of the OpenAI chat API on loopback that sends scripted replies in order, then the reply `otherwise`. */
export class LlmServer {
  readonly asked: AskedBody[] = [];
  readonly authorizations: (string | undefined)[] = [];
  readonly replies: Reply[] = [];
  otherwise: Reply = streamed('Hello there.');
  /** Number of requests that the service aborted before they were answered. */
  givenUp = 0;

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(): Promise<LlmServer> {
    const server = createServer();
    const llm = new LlmServer(server, `${await listenOnLoopback(server)}/v1`);
    server.on('request', (request: IncomingMessage, response: ServerResponse) => void llm.answer(request, response));
    return llm;
  }

  /** Queues replies for the next requests. */
  script(...replies: Reply[]): void {
    this.replies.push(...replies);
  }

  /** Clears the recorded requests and the queued replies. */
  reset(): void {
    for (const list of [this.asked, this.authorizations, this.replies]) list.length = 0;
    this.otherwise = streamed('Hello there.');
    this.givenUp = 0;
  }

  stop(): Promise<void> {
    return stopServer(this.server);
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    this.authorizations.push(request.headers.authorization);
    response.on('close', () => (this.givenUp += response.writableFinished ? 0 : 1)).on('error', () => undefined);
    if (request.method !== 'POST' || request.url !== '/v1/chat/completions') {
      response.writeHead(404).end();
      return;
    }
    const body = JSON.parse(Buffer.concat(chunks).toString()) as AskedBody;
    this.asked.push(body);
    await (this.replies.shift() ?? this.otherwise)(body, response, request);
  }
}
