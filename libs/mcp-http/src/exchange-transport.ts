import { randomBytes } from 'node:crypto';
import type {
  JSONRPCErrorResponse,
  JSONRPCMessage,
  JSONRPCNotification,
  JSONRPCRequest,
  JSONRPCResponse,
  MessageExtraInfo,
  RequestId,
  Result,
  Server,
  Transport,
  TransportSendOptions,
} from '@modelcontextprotocol/server';
import { InFlight } from './in-flight.js';
import { shortened, type WireError } from './json-rpc.js';
import type { ClientMessage } from './relay.js';

/** The request that an answer is to. */
export interface Asked {
  method: string;
  /** The name in a call of a tool. */
  tool: string | null;
}

/** Where the transport puts what the protocol server sends for a request: into an exchange, or nowhere. */
export interface AnswerSink {
  /** Takes a notification or a request of the server. Returns false when its client cannot get it. */
  send(message: JSONRPCMessage): boolean;
  /** Takes the answer to a request. */
  answer(message: JSONRPCResponse, status: number, asked: Asked): void;
  /** Is told that the client cancelled a request and no answer will come. */
  forgo(id: RequestId): void;
  /** Is told why no answers will come to those of its requests that have none. */
  abandon(reason: WireError): void;
}

const UNANSWERED = { jsonrpc: '2.0', result: { action: 'cancel' } } as const;

const NO_STREAM =
  'no stream is open on which the client could be asked. Send Accept: application/json, text/event-stream with the request';

/** Errors repeat what was sent: this much of it shows what is meant. */
const LONGEST_ERROR = 4_000;

interface PendingRequest {
  id: RequestId;
  asked: Asked;
  sink: AnswerSink;
}

/** How the errors of an era look on the wire. */
export interface ErrorRules {
  /** Returns the HTTP status. `beforeHandler`: the protocol server refused the request without calling a handler. */
  statusOf(code: number, beforeHandler: boolean): number;
  codeOf(error: JSONRPCErrorResponse['error']): number;
}

type RequestEntry = (message: JSONRPCRequest, extra: MessageExtraInfo) => void;

/**
 * Returns the method by which the SDK's server handles requests; null when this release has none of that name. The
 * method is private in the SDK's types.
 */
export function requestEntryOf(server: Server): RequestEntry | null {
  const entry: unknown = Reflect.get(server, '_onrequest');
  if (typeof entry !== 'function') return null;
  return (message, extra) => void Reflect.apply(entry, server, [message, extra]);
}

/**
 * The SDK's `Transport` over exchanges. Each request reaches the protocol server under a number of ours, so that several
 * clients, or one client twice, may use the same JSON-RPC id at once. By this number, what the server sends for the
 * request finds its way back.
 */
export class ExchangeTransport implements Transport {
  onmessage?: (message: JSONRPCMessage, extra?: MessageExtraInfo) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;

  private requestEntry: RequestEntry | null = null;
  private readonly pending = new InFlight<PendingRequest>();
  private readonly questions = new Set<number>(); // those to the user that nobody has answered yet
  private isDispatching = false;
  private ended: WireError | null = null; // null = requests are still served
  // The SDK numbers the server's requests from 0: after a restart, a late answer must not match a new request.
  private readonly outboundPrefix = `s${randomBytes(6).toString('base64url')}-`;

  constructor(
    readonly sessionId: string | undefined,
    private readonly errors: ErrorRules,
    /** Sends what belongs to no request. Returns false when there is no stream for it. */
    private readonly sendUnrelated?: (message: JSONRPCMessage) => boolean,
  ) {}

  /** Has this protocol server handle the messages. */
  async connect(server: Server): Promise<void> {
    await server.connect(this);
    // `onmessage` first tries whether the message is a response, which costs more than all the rest; `request` knows.
    this.requestEntry = requestEntryOf(server);
  }

  async start(): Promise<void> {
    // Nothing to open: messages come with HTTP requests.
  }

  async close(): Promise<void> {
    this.onclose?.();
  }

  get inFlight(): number {
    return this.pending.size;
  }

  get isEnded(): boolean {
    return this.ended !== null;
  }

  /** Ends all requests for this reason, and those that still come. The protocol server would leave them without an answer. */
  end(reason: WireError): void {
    this.ended = reason;
    const sinks = new Set(Array.from(this.pending, ({ item }) => item.sink));
    for (const sink of sinks) sink.abandon(reason);
  }

  /** Hands a request to the protocol server; its answer goes to `sink`. */
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
   * Hands over a notification of the client, or its answer to a request of the server. Returns whether it may be meant for
   * another transport of the session: it is about a request that is not here.
   */
  deliver({ kind, message }: ClientMessage): boolean {
    if (kind === 'response') return !this.deliverAnswer(message);
    if (message.method === 'notifications/cancelled') return !this.cancelByClient(message.params?.['requestId']);
    this.onmessage?.(message);
    return false;
  }

  /** Aborts the handlers that work for this sink, because nobody waits for their answers. */
  cancel(sink: AnswerSink): void {
    for (const { number, item } of this.pending) {
      if (item.sink === sink) this.abort(number, 'The caller went away');
    }
  }

  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if (!('method' in message)) return this.answer(message);
    const related = options?.relatedRequestId;
    const sink = related === undefined ? null : this.pending.get(Number(related))?.sink;
    const outbound = this.withOutboundId(message);
    this.noteQuestion(message);
    if (sink?.send(outbound)) return;
    // What a request sends after its answer is dropped. A question for which its response is no place may be asked elsewhere.
    const mayGoElsewhere = sink === null || (sink !== undefined && isAboutQuestion(message));
    if (mayGoElsewhere && this.sendUnrelated?.(outbound)) return;
    // Without this, the protocol server would wait for an answer that cannot come.
    if (!('id' in message)) return;
    this.questions.delete(Number(message.id));
    throw new Error(`${message.method}: ${NO_STREAM}`);
  }

  private noteQuestion({ method, params, ...message }: JSONRPCRequest | JSONRPCNotification): void {
    if (method === 'elicitation/create' && 'id' in message) this.questions.add(Number(message.id));
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
    // Handlers answer later: what answers during the dispatch is the protocol server itself.
    const status = this.errors.statusOf(code, this.isDispatching);
    const error = { ...message.error, code, message: shortened(message.error.message, LONGEST_ERROR) };
    request.sink.answer({ ...message, id: request.id, error }, status, request.asked);
  }

  /** Returns whether the answered request was made here. */
  private deliverAnswer(message: JSONRPCResponse): boolean {
    const id = String(message.id);
    if (!id.startsWith(this.outboundPrefix)) return false;
    const number = Number(id.slice(this.outboundPrefix.length));
    const isQuestion = this.questions.delete(number);
    // A client that says that its user can be asked, and cannot do it: nobody has answered.
    const answer = isQuestion && 'error' in message ? UNANSWERED : message;
    this.onmessage?.({ ...answer, id: number });
    return true;
  }

  /** Returns whether the request was here. */
  private cancelByClient(id: unknown): boolean {
    const cancelled = [...this.pending].filter(({ item }) => item.id === id);
    for (const { number, item } of cancelled) {
      this.abort(number, 'Cancelled by the client');
      item.sink.forgo(item.id);
    }
    return cancelled.length > 0;
  }

  private abort(number: number, reason: string): void {
    this.pending.delete(number);
    this.onmessage?.({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: number, reason } });
  }
}

/** Returns whether a message asks the client something, or takes back what was asked. */
const isAboutQuestion = (message: JSONRPCRequest | JSONRPCNotification): boolean =>
  'id' in message || message.method === 'notifications/cancelled';

export function askedOf({ method, params }: JSONRPCRequest): Asked {
  const name = method === 'tools/call' ? params?.['name'] : undefined;
  return { method, tool: typeof name === 'string' ? name : null };
}

/** Returns a task as the result of a call, without the empty content that the SDK adds to all results of tools. */
function withoutContent({ content: _content, ...task }: Result): Result {
  return task;
}
