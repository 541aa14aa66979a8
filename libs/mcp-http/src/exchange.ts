import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { JSONRPCMessage, JSONRPCResponse, RequestId } from '@modelcontextprotocol/server';
import { answerText, isGone, sendEmpty, sendJson, sendJsonText, type UnreadBytes, whenClosed } from './responses.js';
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
  /** The requests that came, each of which gets an answer. */
  requestIds: readonly RequestId[];
  /** Whether the answers go into one array: the request was a JSON-RPC batch. */
  batch: boolean;
  headers: OutgoingHttpHeaders;
  resumable: ResumableStream | null; // null = when the connection goes away, so does the call
  timing: Pick<EndpointTiming, 'slowAfterMs' | 'resumeWithinMs' | 'retryMs'>;
  events: EventStreams;
  unread: UnreadBytes;
  /** Of all answers together, as JSON, when the last is to a call of this tool (null = to something else). */
  maxResultBytes: (tool: string | null) => number;
  /** Is told when a part of a stream could not be sent. */
  onStorageError: (error: unknown) => void;
  /** Is called when a stream was opened that can be resumed. */
  onResumable?: (streamId: string, exchange: Exchange) => void;
  /** Is called at most once: nobody waits for the answers of handlers any more. */
  onAbandoned: () => void;
  /** Is called once: all is sent that will be. */
  onEnd: () => void;
}

/**
 * One POST and its response: plain JSON when the answer is all there is, a stream of Server-Sent Events as soon as
 * something else comes before it (specification 2026-07-28, streamable-http, "Receiving Messages"). However it ends, each of
 * its requests has got an answer, unless its client has cancelled it or gone away for good.
 */
export class Exchange implements AnswerSink {
  private state: ExchangeState = 'pending';
  /** The requests without an answer. */
  private readonly owed: RequestId[];
  private readonly answers: string[] = [];
  private answeredBytes = 0;
  /** Whether the last answer is sent, or about to be. */
  private isComplete = false;
  /** What was to be sent while there was no connection, and could not be recorded. */
  private readonly unrecorded: { id: string; message: string }[] = [];
  /** Whether all is sent but that, so that only the client is missing. */
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
    this.owed = [...options.requestIds];
    this.slowTimer = setTimeout(() => this.sendHeadersEarly(), options.timing.slowAfterMs);
    whenClosed(res, () => this.loseConnection(res));
  }

  /**
   * Takes a notification, or a request from the server to the client, that belongs to this exchange. Returns false when the
   * client cannot get it, because it takes only JSON.
   */
  send(message: JSONRPCMessage): boolean {
    if (this.isComplete) return false;
    if (this.state === 'pending' && this.options.accepts.sse) this.startStream();
    if (!this.isStream()) return false;
    this.emit(JSON.stringify(message));
    return true;
  }

  /** Takes the answer to one request. `status` counts only while nothing has been sent. */
  answer(message: JSONRPCResponse, status: number, { method, tool }: Asked): void {
    if (!this.settle(message.id)) return;
    const most = this.options.maxResultBytes(tool);
    const text = answerText(message, method, { most, used: this.answeredBytes });
    if (this.state === 'pending' && !this.options.accepts.json && status === 200) this.startStream();
    this.add(text);
    if (this.owed.length === 0) this.complete(status);
  }

  /** Stops waiting for the answer to a request: the client cancelled it and expects none. */
  forgo(id: RequestId): void {
    if (!this.settle(id) || this.owed.length > 0) return;
    if (this.state === 'pending' && this.answers.length === 0) {
      sendEmpty(this.res, 202, this.options.headers);
      return this.end();
    }
    // What has begun as JSON must become JSON, though the client ignores it.
    if (this.state === 'padding' && this.answers.length === 0)
      this.add(JSON.stringify(errorMessage(id, CALL_CANCELLED)));
    this.complete(200);
  }

  /** Ends the HTTP response while the work continues. Does nothing for a client that could not resume it. */
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

  /** Goes on over another connection, after what this stream sent as number `seq`. */
  resume(res: ServerResponse, seq: number): void {
    // The client is back, so it is no longer waited for.
    const isWaitedFor = this.stopWaiting();
    this.enqueue(async () => {
      const recorded = (await this.options.resumable?.after(seq)) ?? null;
      if (recorded === null || isGone(res)) {
        if (isWaitedFor && this.state === 'detached') this.waitForClient();
        return this.sendAway(res, seq);
      }
      // A client may come back before its old connection is seen to break.
      if (this.state === 'streaming') this.detach();
      this.stopWaiting();
      for (const { message, id } of recorded) this.options.events.event(res, message, id);
      // It may have ended while the journal was read.
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

  /** Goes on waiting for its client, who follows the stream from another process. */
  keepWaiting(): void {
    if (!this.isFinished && this.stopWaiting()) this.waitForClient();
  }

  /**
   * Answers all requests that wait with this error, at once. `isResumable`: its client may come back for the stream; else its
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
    for (const id of this.owed.splice(0)) this.add(JSON.stringify(errorMessage(id, reason)));
    this.complete(status);
    this.options.onAbandoned();
  }

  private enter(next: ExchangeState): void {
    this.state = follow(this.state, next);
  }

  private isStream(): boolean {
    return this.state === 'streaming' || this.state === 'detached';
  }

  /** Returns whether the request waited for its answer. */
  private settle(id: RequestId | undefined): boolean {
    const place = this.owed.findIndex((owed) => owed === id);
    if (place >= 0) this.owed.splice(place, 1);
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
    // Those that were to be sent together with the others.
    for (const answer of this.answers) this.emit(answer);
  }

  private emit(data: string): void {
    const { resumable, events } = this.options;
    if (!resumable) return void events.event(this.res, data);
    this.enqueue(async () => {
      // It is recorded before it is sent: what a client has seen is never unknown to the journal.
      const { id, isRecorded } = await resumable.record(data);
      if (this.state === 'streaming') events.event(this.res, data, isRecorded ? id : undefined);
      else if (!isRecorded) this.unrecorded.push({ id, message: data });
    });
  }

  private async finishStream(): Promise<void> {
    const { resumable } = this.options;
    // With a journal that has failed before, a client that is connected need not wait for it once more.
    if (this.state === 'streaming' && !resumable?.canBeResumed) this.endStream();
    await resumable?.finish();
    if (this.state !== 'detached' || this.unrecorded.length === 0 || !this.mayReturn) return this.endStream();
    // Only this process can tell the client what the journal did not take.
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

  /** Has a client that cannot be served now come back, with the same place in the stream. */
  private sendAway(res: ServerResponse, seq: number): void {
    const { resumable, events, timing } = this.options;
    if (resumable) events.primer(res, resumable.idOf(seq));
    events.retry(res, timing.retryMs);
    res.end();
  }

  /** Runs steps one after the other: the journal makes them asynchronous. */
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

  /** The connection is gone before the end: the client may come back for a stream that it can resume. */
  private loseConnection(res: ServerResponse): void {
    if (res !== this.res || this.state === 'ended' || this.state === 'detached') return;
    if (this.state === 'streaming' && this.options.resumable?.canBeResumed) {
      this.enter('detached');
      return this.waitForClient();
    }
    const wasComplete = this.isComplete;
    this.isComplete = true;
    this.owed.length = 0;
    if (!wasComplete) this.options.onAbandoned();
    this.end();
  }

  private waitForClient(): void {
    const giveUp = () => {
      this.resumeTimer = null;
      this.abandon(CALL_NOT_RESUMED, { isResumable: true });
    };
    this.resumeTimer ??= setTimeout(giveUp, this.options.timing.resumeWithinMs);
  }

  /** Returns whether a client was waited for. */
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
