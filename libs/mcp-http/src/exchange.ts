import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { JSONRPCMessage, JSONRPCResponse, RequestId } from '@modelcontextprotocol/server';
import { answerText } from './answer-text.js';
import type { EndpointTiming } from './endpoint-options.js';
import { EVENT_STREAM_HEADERS, type EventStreams } from './event-stream.js';
import type { AnswerSink, Asked } from './exchange-transport.js';
import { type ExchangeState, follow } from './exchange.transitions.js';
import type { WireError } from './json-rpc.js';
import type { Accepts } from './mcp-headers.js';
import { RETRY_SOON, TOO_MUCH_UNREAD } from './refusals.js';
import { sendEmpty, sendError, sendJsonText } from './responses.js';
import type { ResumableStream } from './resumable-stream.js';
import type { UnreadBytes } from './unread-bytes.js';

export interface ExchangeOptions {
  accepts: Accepts;
  /** How many answers make it complete. */
  expected: number;
  /** Whether the answers go into one array: the request was a JSON-RPC batch. */
  batch: boolean;
  headers: OutgoingHttpHeaders;
  resumable: ResumableStream | null; // null = when the connection goes away, so does the call
  timing: Pick<EndpointTiming, 'slowAfterMs' | 'resumeWithinMs' | 'retryMs'>;
  events: EventStreams;
  unread: UnreadBytes;
  /** Of all answers together, as JSON, when the last is to a call of this tool (null = to something else). */
  maxResultBytes: (tool: string | null) => number;
  /** Is told when the rest of a stream could not be sent, and its connection was cut. */
  onStorageError: (error: unknown) => void;
  /** Is called when a stream was opened that can be resumed. */
  onResumable?: (streamId: string, exchange: Exchange) => void;
  /** Is called once: all answers are on their way, or nobody waits for them any more. */
  onEnd: (outcome: 'answered' | 'abandoned') => void;
}

/**
 * One POST and its response: plain JSON when the answer is all there is, a stream of Server-Sent Events as soon as
 * something else comes before it (specification 2026-07-28, streamable-http, "Receiving Messages").
 */
export class Exchange implements AnswerSink {
  private state: ExchangeState = 'pending';
  private readonly answers: string[] = [];
  private answeredBytes = 0;
  private firstId: RequestId | null = null;
  private readonly slowTimer: NodeJS.Timeout;
  private resumeTimer: NodeJS.Timeout | null = null;
  private stopKeepAlive: (() => void) | null = null;
  private writes = Promise.resolve();
  private expected: number;

  constructor(
    private res: ServerResponse,
    private readonly options: ExchangeOptions,
  ) {
    this.expected = options.expected;
    this.slowTimer = setTimeout(() => this.sendHeadersEarly(), options.timing.slowAfterMs);
    res.on('close', () => this.loseConnection(res));
  }

  /**
   * Takes a notification, or a request from the server to the client, that belongs to this exchange. Returns false when the
   * client cannot get it, because it takes only JSON.
   */
  send(message: JSONRPCMessage): boolean {
    if (this.state === 'pending' && this.options.accepts.sse) this.startStream();
    if (!this.isStream()) return false;
    this.emit(JSON.stringify(message));
    return true;
  }

  /** Takes the answer to one request. `status` counts only while nothing has been sent. */
  answer(message: JSONRPCResponse, status: number, { method, tool }: Asked): void {
    const most = this.options.maxResultBytes(tool);
    const text = answerText(message, method, { most, used: this.answeredBytes });
    this.firstId ??= message.id ?? null;
    this.answeredBytes += text.length;
    this.answers.push(text);
    if (this.state === 'pending' && !this.options.accepts.json && status === 200) this.startStream();
    if (this.isStream()) this.emit(text);
    if (this.answers.length >= this.expected) this.complete(status);
  }

  /** Stops waiting for one answer: the client cancelled its request and expects none. */
  forgo(): void {
    this.expected -= 1;
    if (this.answers.length < this.expected || this.state === 'ended') return;
    if (this.answers.length > 0) return this.complete(200);
    if (this.state === 'pending') sendEmpty(this.res, 202, this.options.headers);
    else this.res.end();
    this.end('abandoned');
  }

  /** Ends the HTTP response while the work goes on. Does nothing for a client that could not resume it. */
  release(): void {
    if (!this.options.resumable?.canBeResumed || !this.options.accepts.sse) return;
    if (this.state === 'pending') this.startStream();
    const { events, timing } = this.options;
    this.enqueue(() => {
      if (this.state !== 'streaming' || !this.options.resumable?.canBeResumed) return;
      events.retry(this.res, timing.retryMs);
      this.detach();
    });
  }

  /** Goes on over another connection, after what this stream sent as number `seq`. */
  resume(res: ServerResponse, seq: number): void {
    this.clearResumeTimer();
    this.enqueue(async () => {
      // A client may come back before its old connection is seen to break.
      if (this.state === 'streaming') this.detach();
      this.clearResumeTimer();
      for (const { message, id } of await this.recordedAfter(seq)) this.options.events.event(res, message, id);
      // The call may have been abandoned while the journal was read.
      if (this.state !== 'detached') return void res.end();
      this.enter('streaming');
      this.res = res;
      if (res.destroyed) this.loseConnection(res);
      else res.on('close', () => this.loseConnection(res));
    });
  }

  /** Goes on waiting for its client, who follows the stream from another process. */
  keepWaiting(): void {
    if (this.resumeTimer) this.waitForClient();
  }

  /** Stops at once, and tells the reason where nothing has been sent yet. */
  abandon(reason: WireError): void {
    if (this.state === 'ended') return;
    if (this.state === 'pending') sendError(this.res, reason);
    else this.res.end();
    this.end('abandoned');
  }

  private enter(next: ExchangeState): void {
    this.state = follow(this.state, next);
  }

  private isStream(): boolean {
    return this.state === 'streaming' || this.state === 'detached';
  }

  private complete(status: number): void {
    switch (this.state) {
      case 'pending':
        this.sendBody(status);
        return this.end('answered');
      case 'padding':
        this.res.end(this.body());
        this.options.unread.wrote(this.res);
        return this.end('answered');
      case 'streaming':
      case 'detached':
        if (this.options.resumable) return this.enqueue(() => this.finishStream());
        this.res.end();
        return this.end('answered');
      case 'ended':
        return;
    }
  }

  private startStream(): void {
    const { headers, events, resumable } = this.options;
    clearTimeout(this.slowTimer);
    this.enter('streaming');
    this.res.writeHead(200, { ...EVENT_STREAM_HEADERS, ...headers });
    this.res.flushHeaders();
    this.stopKeepAlive = events.keepAlive.add(() => this.state === 'streaming' && events.comment(this.res));
    if (!resumable) return;
    this.enqueue(async () => {
      if (!(await resumable.open())) return;
      this.options.onResumable?.(resumable.id, this);
      events.primer(this.res, resumable.startId);
    });
  }

  private emit(data: string): void {
    const { resumable, events } = this.options;
    if (!resumable) return void events.event(this.res, data);
    this.enqueue(async () => {
      // It is recorded before it is sent: what a client has seen is never unknown to the journal.
      const id = await resumable.record(data);
      if (this.state === 'streaming') events.event(this.res, data, id ?? undefined);
    });
  }

  private async finishStream(): Promise<void> {
    await this.options.resumable?.finish();
    if (this.state === 'streaming') this.res.end();
    this.end('answered');
  }

  private async recordedAfter(seq: number): Promise<{ id: string; message: string }[]> {
    return (await this.options.resumable?.after(seq)) ?? [];
  }

  /** Runs steps one after the other: the journal makes them asynchronous. */
  private enqueue(step: () => void | Promise<void>): void {
    this.writes = this.writes.then(step).catch((error: unknown) => {
      this.options.onStorageError(error);
      this.res.destroy();
    });
  }

  private sendHeadersEarly(): void {
    if (this.state !== 'pending') return;
    if (this.options.accepts.sse) {
      this.startStream();
      this.options.events.comment(this.res);
      return;
    }
    // JSON text may start with white space (RFC 8259, section 2).
    this.enter('padding');
    this.res.writeHead(200, { 'Content-Type': 'application/json', ...this.options.headers });
    this.res.write(' ');
    this.stopKeepAlive = this.options.events.keepAlive.add(() => void this.res.write(' '));
  }

  private detach(): void {
    this.enter('detached');
    this.res.end();
  }

  /** The connection is gone without an answer: the client may come back for a stream that it can resume. */
  private loseConnection(res: ServerResponse): void {
    if (res !== this.res || this.state === 'ended' || this.state === 'detached') return;
    if (this.state !== 'streaming' || !this.options.resumable?.canBeResumed) return this.end('abandoned');
    this.enter('detached');
    this.waitForClient();
  }

  private waitForClient(): void {
    this.clearResumeTimer();
    this.resumeTimer = setTimeout(() => this.end('abandoned'), this.options.timing.resumeWithinMs);
  }

  private end(outcome: 'answered' | 'abandoned'): void {
    if (this.state === 'ended') return;
    this.enter('ended');
    clearTimeout(this.slowTimer);
    this.clearResumeTimer();
    this.stopKeepAlive?.();
    this.options.onEnd(outcome);
  }

  private clearResumeTimer(): void {
    if (this.resumeTimer) clearTimeout(this.resumeTimer);
    this.resumeTimer = null;
  }

  private sendBody(status: number): void {
    const { unread, headers } = this.options;
    if (!unread.hasRoomFor(this.answeredBytes)) {
      return sendError(this.res, TOO_MUCH_UNREAD, this.firstId, { ...headers, ...RETRY_SOON });
    }
    sendJsonText(this.res, status, this.body(), headers);
    unread.wrote(this.res);
  }

  private body(): string {
    return this.options.batch ? `[${this.answers.join(',')}]` : (this.answers[0] ?? '');
  }
}
