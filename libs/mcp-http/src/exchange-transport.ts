import { randomBytes } from 'node:crypto';
import {
  isSpecType,
  type JSONRPCErrorResponse,
  type JSONRPCMessage,
  type JSONRPCNotification,
  type JSONRPCRequest,
  type JSONRPCResponse,
  type MessageExtraInfo,
  type RequestId,
  type Result,
  type Server,
  type Transport,
  type TransportSendOptions,
} from '@modelcontextprotocol/server';
import { InFlight } from '#in-flight';
import { shortened, type WireError } from './json-rpc.js';
import { OpenQuestions } from './open-questions.js';
import type { ClientMessage } from './relay.js';

/** The request behind a response. */
export interface Asked {
  method: string;
  /** The tool name of a call; null for other requests. */
  tool: string | null;
}

/** Receives what the protocol server sends for a request: an exchange, or a discarding sink. */
export interface AnswerSink {
  /** Takes a notification or a request from the server. Returns false when the client cannot receive it. */
  send(message: JSONRPCMessage): boolean;
  /** Takes the response to a request. */
  answer(message: JSONRPCResponse, status: number, asked: Asked): void;
  /** Called when the client cancelled a request, so that no response will come. */
  cancel(id: RequestId): void;
  /** Called with the reason why the unanswered requests will get no response. */
  abandon(reason: WireError): void;
}

/** The reason of a call's signal when its client has cancelled the call. */
export const CANCELLED_BY_CLIENT = 'Cancelled by the client';

const UNANSWERED = { jsonrpc: '2.0', result: { action: 'cancel' } } as const;

const NO_STREAM =
  'no stream is open on which the client could be asked. Send Accept: application/json, text/event-stream with the request';

/** Error messages repeat the input: this length is enough to recognise it. */
const LONGEST_ERROR = 4_000;

interface PendingRequest {
  id: RequestId;
  asked: Asked;
  sink: AnswerSink;
}

/** Maps errors to one era's wire format. */
export interface ErrorRules {
  /** Returns the HTTP status. `beforeHandler`: the protocol server refused the request without calling a handler. */
  statusOf(code: number, beforeHandler: boolean): number;
  codeOf(error: JSONRPCErrorResponse['error']): number;
}

type RequestEntry = (message: JSONRPCRequest, extra: MessageExtraInfo) => void;

/** Returns the SDK server's private method that handles requests; null when this SDK release has none of that name. */
export function requestEntryOf(server: Server): RequestEntry | null {
  const entry: unknown = Reflect.get(server, '_onrequest');
  if (typeof entry !== 'function') return null;
  return (message, extra) => void Reflect.apply(entry, server, [message, extra]);
}

/**
 * The SDK's `Transport` over exchanges. Renumbers each request for the protocol server, so that several clients, or one client
 * twice, may use the same JSON-RPC id at once. The number maps the server's messages back to the request.
 */
export class ExchangeTransport implements Transport {
  onmessage?: (message: JSONRPCMessage, extra?: MessageExtraInfo) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;

  private requestEntry: RequestEntry | null = null;
  private readonly pending = new InFlight<PendingRequest>();
  private readonly questions = new OpenQuestions((id, call) => this.endQuestion(id, call));
  private isDispatching = false;
  private ended: WireError | null = null; // null = requests are still served
  // The SDK numbers the server's requests from 0: after a restart, a late answer must not match a new request.
  private readonly outboundPrefix = `s${randomBytes(6).toString('base64url')}-`;

  constructor(
    readonly sessionId: string | undefined,
    private readonly errors: ErrorRules,
    /** Sends messages that belong to no request. Returns false when there is no stream for them. */
    private readonly sendUnrelated?: (message: JSONRPCMessage) => boolean,
  ) {}

  async connect(server: Server): Promise<void> {
    await server.connect(this);
    // `onmessage` first checks whether the message is a response, which costs more than all the rest; `request` knows that it is
    // not.
    this.requestEntry = requestEntryOf(server);
  }

  async start(): Promise<void> {
    // Nothing to open: messages come with HTTP requests.
  }

  async close(): Promise<void> {
    this.questions.clear();
    this.onclose?.();
  }

  get inFlight(): number {
    return this.pending.size;
  }

  get isEnded(): boolean {
    return this.ended !== null;
  }

  /** Ends all current and future requests with this reason. The protocol server would leave them unanswered. */
  end(reason: WireError): void {
    this.ended = reason;
    this.questions.clear();
    const sinks = new Set(Array.from(this.pending, ({ item }) => item.sink));
    for (const sink of sinks) sink.abandon(reason);
  }

  /** Passes a request to the protocol server; its response goes to `sink`. */
  request(message: JSONRPCRequest, sink: AnswerSink, extra: MessageExtraInfo): void {
    if (this.ended) return sink.abandon(this.ended);
    const number = this.pending.add({ id: message.id, asked: askedOf(message), sink });
    this.isDispatching = true;
    try {
      (this.requestEntry ?? this.onmessage)?.({ ...message, id: number }, extra);
    } finally {
      this.isDispatching = false;
    }
  }

  /**
   * Passes a client's notification, or its response to a server request. Returns true when it may be meant for another transport
   * of the session, because it refers to a request that is not here.
   */
  deliver({ kind, message }: ClientMessage): boolean {
    if (kind === 'response') return !this.deliverAnswer(message);
    if (message.method === 'notifications/cancelled') return !this.cancelByClient(message.params?.['requestId']);
    this.onmessage?.(message);
    return false;
  }

  /** Aborts the handlers that work for this sink, because nobody waits for their responses. */
  cancel(sink: AnswerSink, reason = 'The caller went away'): void {
    for (const { number, item } of this.pending) {
      if (item.sink === sink) this.abort(number, reason);
    }
  }

  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if (!('method' in message)) return this.answer(message);
    const call = options?.relatedRequestId === undefined ? undefined : Number(options.relatedRequestId);
    const sink = call === undefined ? null : this.pending.get(call)?.sink;
    const outbound = this.withOutboundId(message);
    this.noteQuestion(message, call);
    if (sink?.send(outbound)) return;
    // Messages after the response are dropped. An elicitation that the response cannot carry may go elsewhere.
    const mayGoElsewhere = sink === null || (sink !== undefined && isAboutQuestion(message));
    if (mayGoElsewhere && this.sendUnrelated?.(outbound)) return;
    // Otherwise the protocol server would wait for a response that cannot come.
    if (!('id' in message)) return;
    this.questions.delete(Number(message.id));
    throw new Error(`${message.method}: ${NO_STREAM}`);
  }

  private noteQuestion({ method, params, ...message }: JSONRPCRequest | JSONRPCNotification, call?: number): void {
    if (method === 'elicitation/create' && 'id' in message) this.questions.add(Number(message.id), call);
    if (method === 'notifications/cancelled') this.questions.delete(Number(params?.['requestId']));
  }

  private withOutboundId(message: JSONRPCRequest | JSONRPCNotification): JSONRPCRequest | JSONRPCNotification {
    if ('id' in message) return { ...message, id: `${this.outboundPrefix}${message.id}` };
    if (message.method !== 'notifications/cancelled') return message;
    return {
      ...message,
      params: { ...message.params, requestId: `${this.outboundPrefix}${String(message.params?.['requestId'])}` },
    };
  }

  private answer(message: JSONRPCResponse): void {
    const number = Number(message.id);
    const request = this.pending.get(number);
    if (!request) return;
    this.pending.delete(number);
    if (!('error' in message)) {
      const result = message.result['resultType'] === 'task' ? withoutContent(message.result) : message.result;
      return request.sink.answer({ ...message, id: request.id, result }, 200, request.asked);
    }
    const code = this.errors.codeOf(message.error);
    // Handlers respond later: a response during the dispatch comes from the protocol server itself.
    const status = this.errors.statusOf(code, this.isDispatching);
    const error = { ...message.error, code, message: shortened(message.error.message, LONGEST_ERROR) };
    request.sink.answer({ ...message, id: request.id, error }, status, request.asked);
  }

  /** Treats the elicitations that nobody has answered yet as unanswered, so that their calls end. */
  endQuestions(): void {
    this.questions.endAll();
  }

  private endQuestion(id: number, call?: number): void {
    const params = { requestId: id, reason: 'Nobody answered in time' };
    this.send(
      { jsonrpc: '2.0', method: 'notifications/cancelled', params },
      call === undefined ? {} : { relatedRequestId: call },
    ).catch((error: unknown) => this.onerror?.(error as Error));
    this.onmessage?.({ ...UNANSWERED, id });
  }

  /** Returns whether this transport sent the answered request. */
  private deliverAnswer(message: JSONRPCResponse): boolean {
    const id = String(message.id);
    if (!id.startsWith(this.outboundPrefix)) return false;
    const number = Number(id.slice(this.outboundPrefix.length));
    const isQuestion = this.questions.delete(number);
    // The client claims to support elicitation but fails: treated as unanswered.
    const answer = isQuestion && !hasAnswer(message) ? UNANSWERED : message;
    this.onmessage?.({ ...answer, id: number });
    return true;
  }

  /** Returns whether this transport had the request. */
  private cancelByClient(id: unknown): boolean {
    const cancelled = [...this.pending].filter(({ item }) => item.id === id);
    for (const { number, item } of cancelled) {
      this.abort(number, CANCELLED_BY_CLIENT);
      item.sink.cancel(item.id);
    }
    return cancelled.length > 0;
  }

  private abort(number: number, reason: string): void {
    this.pending.delete(number);
    this.onmessage?.({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: number, reason } });
  }
}

const hasAnswer = (message: JSONRPCResponse): boolean => 'result' in message && isSpecType.ElicitResult(message.result);

/** Returns whether a message is a server request, or cancels one. */
const isAboutQuestion = (message: JSONRPCRequest | JSONRPCNotification): boolean =>
  'id' in message || message.method === 'notifications/cancelled';

export function askedOf({ method, params }: JSONRPCRequest): Asked {
  const name = method === 'tools/call' ? params?.['name'] : undefined;
  return { method, tool: typeof name === 'string' ? name : null };
}

/** Returns a task as the result of a call, without the empty content that the SDK adds to all tool results. */
function withoutContent({ content: _content, ...task }: Result): Result {
  return task;
}
