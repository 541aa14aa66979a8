import { randomBytes } from 'node:crypto';
import type {
  JSONRPCErrorResponse,
  JSONRPCMessage,
  JSONRPCNotification,
  JSONRPCRequest,
  JSONRPCResponse,
  MessageExtraInfo,
  RequestId,
  Transport,
  TransportSendOptions,
} from '@modelcontextprotocol/server';
import { type InboundMessage, shortened } from './json-rpc.js';
import type { RequestEntry } from './request-entry.js';

/** Where what belongs to a request goes: to an exchange, or (when a session is brought back) nowhere. */
export interface AnswerSink {
  send(message: JSONRPCMessage): void;
  /** The answer to a request of this method. */
  answer(message: JSONRPCResponse, status: number, method: string): void;
  forgo(): void;
}

/** Errors repeat what was sent: enough of it to see what is meant. */
const LONGEST_ERROR = 4_000;

interface PendingRequest {
  id: RequestId;
  method: string;
  sink: AnswerSink;
}

/** How the errors of an era look on the wire. */
export interface ErrorRules {
  /** The HTTP status, given whether the protocol layer raised the error before any handler ran. */
  statusOf(code: number, beforeHandler: boolean): number;
  codeOf(error: JSONRPCErrorResponse['error']): number;
}

/**
 * The SDK's `Transport` over exchanges. Each request reaches the protocol server under a number of our own, so that
 * clients (or one client twice) may use the same JSON-RPC id at once; what the server sends finds its way back by it.
 */
export class ExchangeTransport implements Transport {
  onmessage?: (message: JSONRPCMessage, extra?: MessageExtraInfo) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;

  /** A shorter way into the protocol server than `onmessage`, once connected. */
  requestEntry: RequestEntry | null = null;

  private readonly pending = new Map<number, PendingRequest>();
  private lastNumber = 0;
  private dispatching = false;
  // Requests of the server's are numbered from 0 by the SDK: after a restart, a late answer must not match a new one.
  private readonly outboundPrefix = `s${randomBytes(6).toString('base64url')}-`;

  constructor(
    readonly sessionId: string | undefined,
    private readonly errors: ErrorRules,
    /** Sends what belongs to no request; false when there is no stream for it. */
    private readonly sendUnrelated?: (message: JSONRPCMessage) => boolean,
  ) {}

  async start(): Promise<void> {
    // Nothing to open: messages come with HTTP requests.
  }

  async close(): Promise<void> {
    this.onclose?.();
  }

  get inFlight(): number {
    return this.pending.size;
  }

  /** Hands a request to the protocol server; its answer goes to `sink`. */
  request(message: JSONRPCRequest, sink: AnswerSink, extra: MessageExtraInfo): void {
    const number = ++this.lastNumber;
    this.pending.set(number, { id: message.id, method: message.method, sink });
    this.dispatching = true;
    (this.requestEntry ?? this.onmessage)?.({ ...message, id: number }, extra);
    this.dispatching = false;
  }

  /** Hands over a notification of the client, or its answer to a request of the server's. */
  deliver({ kind, message }: Exclude<InboundMessage, { kind: 'request' }>): void {
    if (kind === 'response') return this.deliverAnswer(message);
    if (message.method === 'notifications/cancelled') return this.cancelByClient(message.params?.['requestId']);
    this.onmessage?.(message);
  }

  /** Nobody waits at this sink any more: aborts the handlers that work for it. */
  cancel(sink: AnswerSink): void {
    for (const [number, request] of this.pending) {
      if (request.sink === sink) this.abort(number, 'The caller went away');
    }
  }

  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if (!('method' in message)) return this.answer(message);
    const related = options?.relatedRequestId;
    const request = typeof related === 'number' ? this.pending.get(related) : undefined;
    if (request) return request.sink.send(this.withOutboundId(message));
    if (this.sendUnrelated?.(this.withOutboundId(message))) return;
    // Without this, the protocol server would wait for an answer that cannot come.
    if ('id' in message) throw new Error(`${message.method}: no stream is open on which the client could be asked`);
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
    if (!('error' in message)) return request.sink.answer({ ...message, id: request.id }, 200, request.method);
    const code = this.errors.codeOf(message.error);
    const status = this.errors.statusOf(code, this.dispatching);
    const error = { ...message.error, code, message: shortened(message.error.message, LONGEST_ERROR) };
    request.sink.answer({ ...message, id: request.id, error }, status, request.method);
  }

  private deliverAnswer(message: JSONRPCResponse): void {
    const id = String(message.id);
    if (!id.startsWith(this.outboundPrefix)) return;
    this.onmessage?.({ ...message, id: Number(id.slice(this.outboundPrefix.length)) });
  }

  private cancelByClient(id: unknown): void {
    for (const [number, request] of this.pending) {
      if (request.id !== id) continue;
      this.abort(number, 'Cancelled by the client');
      request.sink.forgo();
    }
  }

  private abort(number: number, reason: string): void {
    this.pending.delete(number);
    this.onmessage?.({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: number, reason } });
  }
}
