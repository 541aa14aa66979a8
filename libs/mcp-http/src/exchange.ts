import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { JSONRPCMessage, JSONRPCResponse, RequestId } from '@modelcontextprotocol/server';
import { answerText, isClosed, sendEmpty, sendJson, sendJsonText, type UnreadBytes, whenClosed } from './responses.js';
import type { EndpointTiming } from './endpoint-options.js';
import { EVENT_STREAM_HEADERS, type EventStreams } from './event-stream.js';
import type { AnswerSink, Asked } from './exchange-transport.js';
import { type ExchangeState, follow } from './exchange.transitions.js';
import { errorMessage, type WireError } from './json-rpc.js';
import type { Accepts } from './request-headers.js';
import { CALL_CANCELLED, CALL_FAILED, CALL_NOT_RESUMED, RETRY_SOON, TOO_MUCH_UNREAD } from './refusals.js';
import type { ResumableStream } from './resumable-stream.js';

export interface ExchangeOptions {
  accepts: Accepts;
  /** The requests of this POST. Each gets a response. */
  requestIds: readonly RequestId[];
  /** True when the request was a JSON-RPC batch: the responses go into one array. */
  batch: boolean;
  headers: OutgoingHttpHeaders;
  resumable: ResumableStream | null; // null = when the connection breaks, the call ends
  timing: Pick<EndpointTiming, 'slowAfterMs' | 'resumeWithinMs' | 'retryMs'>;
  events: EventStreams;
  unread: UnreadBytes;
  /** Limit for all responses together, as JSON, when the last one is to a call of this tool (null = to another request). */
  maxResultBytes: (tool: string | null) => number;
  /** Called when recording a part of the stream, or sending it, fails. */
  onStorageError: (error: unknown) => void;
  /** Called when a resumable stream was opened. */
  onResumable?: (streamId: string, exchange: Exchange) => void;
  /** Called at most once, when nobody waits for the handlers' responses any more: `isLost` when the connection has ended. */
  onAbandoned: (isLost: boolean) => void;
  /** Called once, when nothing more will be sent. */
  onEnd: () => void;
}

/**
 * One POST and its response: plain JSON when the response is all there is, a stream of Server-Sent Events as soon as another
 * message precedes it (specification 2026-07-28, streamable-http, "Receiving Messages"). However it ends, each request has got a
 * response, unless its client cancelled it or is gone for good.
 */
export class Exchange implements AnswerSink {
  private state: ExchangeState = 'pending';
  private readonly unanswered: RequestId[];
  private readonly answers: string[] = [];
  private answeredBytes = 0;
  /** True when the last response has been sent, or is about to be. */
  private isComplete = false;
  /** Messages that were due while there was no connection, and could not be recorded. */
  private readonly unrecorded: { id: string; message: string }[] = [];
  /** True when everything but `unrecorded` has been sent, and only the client is missing. */
  private isFinished = false;
  private mayReturn = true;
  private readonly slowTimer: NodeJS.Timeout;
  private resumeTimer: NodeJS.Timeout | null = null;
  private stopKeepAlive: (() => void) | null = null;
  private writes = Promise.resolve();

  constructor(
    private res: ServerResponse,
    private readonly options: ExchangeOptions,
  ) {
    this.unanswered = [...options.requestIds];
    this.slowTimer = setTimeout(() => this.sendHeadersEarly(), options.timing.slowAfterMs);
    whenClosed(res, () => this.loseConnection(res));
  }

  /**
   * Takes a notification or a server request that belongs to this exchange. Returns false when the client cannot receive it,
   * because it accepts only JSON.
   */
  send(message: JSONRPCMessage): boolean {
    if (this.isComplete) return false;
    if (this.state === 'pending' && this.options.accepts.sse) this.startStream();
    if (!this.isStream()) return false;
    this.emit(JSON.stringify(message));
    return true;
  }

  /** Takes the response to one request. `status` counts only while nothing has been sent. */
  answer(message: JSONRPCResponse, status: number, { method, tool }: Asked): void {
    if (!this.settle(message.id)) return;
    const most = this.options.maxResultBytes(tool);
    const text = answerText(message, method, { most, used: this.answeredBytes });
    if (this.state === 'pending' && !this.options.accepts.json && status === 200) this.startStream();
    this.add(text);
    if (this.unanswered.length === 0) this.complete(status);
  }

  /** Stops waiting for a response: the client cancelled the request and expects none. */
  cancel(id: RequestId): void {
    if (!this.settle(id) || this.unanswered.length > 0) return;
    if (this.state === 'pending' && this.answers.length === 0) {
      sendEmpty(this.res, 202, this.options.headers);
      return this.end();
    }
    // A response that started as JSON must end as JSON, although the client ignores it.
    if (this.state === 'padding' && this.answers.length === 0)
      this.add(JSON.stringify(errorMessage(id, CALL_CANCELLED)));
    this.complete(200);
  }

  /** Ends the HTTP response while the work continues. Does nothing when the client could not resume it. */
  release(): void {
    if (this.isComplete || !this.options.resumable?.canBeResumed || !this.options.accepts.sse) return;
    if (this.state === 'pending') this.startStream();
    const { events, timing } = this.options;
    this.enqueue(() => {
      if (this.state !== 'streaming' || !this.options.resumable?.canBeResumed) return;
      events.retry(this.res, timing.retryMs);
      this.detach();
    });
  }

  /** Continues over another connection, after message number `seq` of this stream. */
  resume(res: ServerResponse, seq: number): void {
    // The client is back, so the timer stops.
    const isWaitedFor = this.stopWaiting();
    this.enqueue(async () => {
      const recorded = (await this.options.resumable?.after(seq)) ?? null;
      if (recorded === null || isClosed(res)) {
        if (isWaitedFor && this.state === 'detached') this.waitForClient();
        return this.sendAway(res, seq);
      }
      // A client may reconnect before the server notices that its old connection broke.
      if (this.state === 'streaming') this.detach();
      this.stopWaiting();
      for (const { message, id } of recorded) this.options.events.event(res, message, id);
      // The exchange may have ended while the journal was being read.
      if (this.state !== 'detached') return void res.end();
      const known = new Set(recorded.map(({ id }) => id));
      for (const { message, id } of this.unrecorded.splice(0)) {
        if (!known.has(id)) this.options.events.event(res, message);
      }
      this.enter('streaming');
      this.res = res;
      whenClosed(res, () => this.loseConnection(res));
      if (this.isFinished) this.endStream();
    });
  }

  /** Restarts the timer for a client that follows the stream from another process. */
  keepWaiting(): void {
    if (!this.isFinished && this.stopWaiting()) this.waitForClient();
  }

  /**
   * Answers all pending requests with this error, immediately. `isResumable`: the client may resume the stream; otherwise its
   * session has ended.
   */
  abandon(reason: WireError, { isResumable = false } = {}): void {
    if (!isResumable) {
      this.mayReturn = false;
      this.options.resumable?.forget();
    }
    if (this.isFinished) return this.end();
    if (this.isComplete) return;
    const status = this.answers.length > 0 ? 200 : reason.httpStatus;
    for (const id of this.unanswered.splice(0)) this.add(JSON.stringify(errorMessage(id, reason)));
    this.complete(status);
    this.options.onAbandoned(false);
  }

  private enter(next: ExchangeState): void {
    this.state = follow(this.state, next);
  }

  private isStream(): boolean {
    return this.state === 'streaming' || this.state === 'detached';
  }

  /** Returns whether the request was still unanswered. */
  private settle(id: RequestId | undefined): boolean {
    const place = this.unanswered.findIndex((one) => one === id);
    if (place >= 0) this.unanswered.splice(place, 1);
    return place >= 0;
  }

  private add(answer: string): void {
    this.answeredBytes += Buffer.byteLength(answer);
    this.answers.push(answer);
    if (this.isStream()) this.emit(answer);
  }

  private complete(status: number): void {
    this.isComplete = true;
    switch (this.state) {
      case 'pending':
        this.sendBody(status);
        return this.end();
      case 'padding':
        this.res.end(this.body());
        this.options.unread.wrote(this.res);
        return this.end();
      case 'streaming':
      case 'detached':
        if (this.options.resumable) return this.enqueue(() => this.finishStream());
        return this.endStream();
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
    if (resumable) {
      this.enqueue(async () => {
        if (!(await resumable.open()) || this.state === 'ended') return;
        this.options.onResumable?.(resumable.id, this);
        events.primer(this.res, resumable.idOf(0));
      });
    }
    // Responses that were held back to be sent together.
    for (const answer of this.answers) this.emit(answer);
  }

  private emit(data: string): void {
    const { resumable, events } = this.options;
    if (!resumable) return void events.event(this.res, data);
    this.enqueue(async () => {
      // Record first, then send: the journal must know everything that a client has seen.
      const { id, isRecorded } = await resumable.record(data);
      if (this.state === 'streaming') events.event(this.res, data, isRecorded ? id : undefined);
      else if (!isRecorded) this.unrecorded.push({ id, message: data });
    });
  }

  private async finishStream(): Promise<void> {
    const { resumable } = this.options;
    // The journal has failed before: a connected client need not wait for it again.
    if (this.state === 'streaming' && !resumable?.canBeResumed) this.endStream();
    await resumable?.finish();
    if (this.state !== 'detached' || this.unrecorded.length === 0 || !this.mayReturn) return this.endStream();
    // Only this process has the messages that the journal did not take.
    this.isFinished = true;
    this.waitForClient();
  }

  private endStream(): void {
    if (this.state === 'streaming') {
      const { resumable, onStorageError } = this.options;
      this.res.once('finish', () => {
        resumable?.deliver().catch(onStorageError);
      });
      this.res.end();
    }
    this.end();
  }

  /** Makes a client that cannot be served now reconnect later, at the same position. */
  private sendAway(res: ServerResponse, seq: number): void {
    const { resumable, events, timing } = this.options;
    if (resumable) events.primer(res, resumable.idOf(seq));
    events.retry(res, timing.retryMs);
    res.end();
  }

  /** Runs steps in sequence: the journal makes them asynchronous. */
  private enqueue(step: () => void | Promise<void>): void {
    this.writes = this.writes.then(step).catch((error: unknown) => {
      this.options.onStorageError(error);
      if (!this.isComplete) return this.abandon(CALL_FAILED, { isResumable: true });
      this.res.destroy();
      this.end();
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

  /** Handles a connection that broke before the end: the client may resume a resumable stream. */
  private loseConnection(res: ServerResponse): void {
    if (res !== this.res || this.state === 'ended' || this.state === 'detached') return;
    if (this.state === 'streaming' && this.options.resumable?.canBeResumed) {
      this.enter('detached');
      return this.waitForClient();
    }
    const wasComplete = this.isComplete;
    this.isComplete = true;
    this.unanswered.length = 0;
    if (!wasComplete) this.options.onAbandoned(true);
    this.end();
  }

  private waitForClient(): void {
    const expire = () => {
      this.resumeTimer = null;
      this.abandon(CALL_NOT_RESUMED, { isResumable: true });
    };
    this.resumeTimer ??= setTimeout(expire, this.options.timing.resumeWithinMs);
  }

  /** Returns whether the timer was running. */
  private stopWaiting(): boolean {
    const wasWaiting = this.resumeTimer !== null;
    if (this.resumeTimer) clearTimeout(this.resumeTimer);
    this.resumeTimer = null;
    return wasWaiting;
  }

  private end(): void {
    if (this.state === 'ended') return;
    this.enter('ended');
    clearTimeout(this.slowTimer);
    this.stopWaiting();
    this.stopKeepAlive?.();
    this.options.onEnd();
  }

  private sendBody(status: number): void {
    const { unread, headers, batch, requestIds } = this.options;
    if (!unread.hasRoomFor(this.answeredBytes)) {
      const refusals = requestIds.map((id) => errorMessage(id, TOO_MUCH_UNREAD));
      const body = batch ? refusals : refusals[0];
      return sendJson(this.res, TOO_MUCH_UNREAD.httpStatus, body, { ...headers, ...RETRY_SOON });
    }
    sendJsonText(this.res, status, this.body(), headers);
    unread.wrote(this.res);
  }

  private body(): string {
    return this.options.batch ? `[${this.answers.join(',')}]` : (this.answers[0] ?? '');
  }
}
